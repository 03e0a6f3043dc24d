"""Crime Lords in words: positions, sentences, and the table for a terminal."""
