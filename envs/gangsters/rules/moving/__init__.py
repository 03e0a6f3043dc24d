"""Moves of all pieces: the walks there are, and the questions about one."""
