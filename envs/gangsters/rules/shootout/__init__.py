"""Shootouts: who fires at whom, the hits, and their course."""
