"""Agents for games of gangland: what can take a seat, how it is named, and what it answers."""

from .base import Agent, BatchAgent
from .decision import Decision, Decisions
from .registry import AgentKind, make

__all__ = ["Agent", "AgentKind", "BatchAgent", "Decision", "Decisions", "make"]
