"""A player of Pig."""

from gangland.agents import Agent, AgentKind, Decision

from . import HOLD, ROLL


class Hold(Agent):
    """Rolls until so many points are at stake (20), then holds."""

    def __init__(self, argument, game):
        self.points = int(argument or 20)

    def decide(self, view):
        return Decision(HOLD if view.known.total >= self.points else ROLL)


KIND = AgentKind("hold", "hold[:POINTS]", "rolls until POINTS are at stake", Hold, games=["pig"])
