"""One heuristic agent a game."""
