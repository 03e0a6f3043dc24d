"""Matches: their state, what each viewer is shown, and how they run on a server."""
