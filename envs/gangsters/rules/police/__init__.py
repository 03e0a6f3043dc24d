"""The police: the cop step of a gang turn, officers, raids and arrests, the Cop Turn."""
