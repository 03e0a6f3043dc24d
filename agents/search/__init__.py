"""Agents that search: a tree of information sets, or rollouts of a trained policy."""
