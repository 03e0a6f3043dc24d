"""Gangsters in words: actions, positions, sentences, and the table and map for a terminal."""
