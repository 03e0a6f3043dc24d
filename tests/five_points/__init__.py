"""Tests of Five Points."""
