"""Gangsters in words: positions, sentences, and the table and map for a terminal."""
