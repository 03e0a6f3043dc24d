"""Gangsters in words: actions, positions, sentences, and the table for a terminal."""
