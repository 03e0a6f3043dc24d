"""Agents: random, heuristic, trained."""
