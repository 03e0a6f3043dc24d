"""Five Points in words: positions, sentences, and the table for a terminal."""
