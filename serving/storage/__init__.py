"""Matches on disk: what is stored, the tables, and the thread that writes them."""
