"""Tests of Crime Lords."""
