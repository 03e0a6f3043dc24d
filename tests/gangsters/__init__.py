"""Tests of Gangsters."""
