"""Trained bots that ship with the project, one folder a game."""
