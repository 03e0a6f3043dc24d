"""A player of Pig."""

from gangland.agents.base import Agent

from . import HOLD, ROLL


class Hold(Agent):
    """Rolls until so many points are at stake (20), then holds."""

    usage = "hold[:POINTS]"
    games = ("pig",)

    def __init__(self, argument, game):
        self.spec = f"hold:{argument}" if argument else "hold"
        self.points = int(argument or 20)

    def act(self, view):
        return HOLD if view.known.total >= self.points else ROLL
