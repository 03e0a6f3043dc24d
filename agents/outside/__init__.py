"""Agents that decide elsewhere: a person, an engine, a server, a language model."""
