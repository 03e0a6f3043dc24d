"""Trained bots that ship with the project, one folder for each game."""
