"""A game and an agent of another distribution, installed beside our wheel."""
