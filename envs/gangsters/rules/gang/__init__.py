"""The turn of a gang: buying, trading, its actions, crimes, recruits."""
