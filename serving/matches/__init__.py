"""Matches: their rules of procedure, who is shown what, and how they run."""
