"""Trained bots: the network without torch, its files, and the agent that plays it."""
