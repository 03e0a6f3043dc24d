"""Agents to measure others by: random play, and the heuristics that games bring along."""
