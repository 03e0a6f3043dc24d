"""Matches without a server, and a bot that does what a test wants."""

from __future__ import annotations

import numpy as np

from gangland.agents.baseline.random import RandomAgent
from gangland.envs import load
from gangland.serving.matches.match import Match
from gangland.serving.storage.journal import SeatSetup, Setup, token_hash


def new_match(name, seed=5, kind="human", clock=None, **options):
    game = load(name)
    resolved = game.options.resolve(options)
    seats = tuple(
        SeatSetup("human", f"Person {k}", token=token_hash(str(k)))
        if kind == "human"
        else SeatSetup("bot", bot="random")
        for k in range(game.num_players(resolved))
    )
    return Match(
        Setup(
            "m", name, game.rules_version, resolved, seed, seats, clock, "random", True, True, "now"
        )
    )


def played(match, plies, seed=1):
    """Entries of random decisions, applied to the match."""
    rng = np.random.default_rng(seed)
    entries = []
    for _ in range(plies):
        if match.status != "playing":
            break
        seat = match.to_act
        action = int(rng.choice(match.game.legal_actions(match.state)))
        entry = match.play(seat, match.seats[seat].decisions, action)
        match.apply(entry)
        entries.append(entry)
    return entries


class Odd(RandomAgent):
    """Plays at random, after it has called ``before``."""

    quick = False

    def __init__(self, game, before=lambda: None):
        super().__init__(game)
        self.before = before

    def decide_batch(self, views):
        self.before()
        return super().decide_batch(views)
