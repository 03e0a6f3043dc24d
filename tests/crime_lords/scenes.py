"""Helpers that set Crime Lords scenes: positions by notation, dice by totals."""

from __future__ import annotations

import re

import numpy as np

from gangland.envs.core.rng import roll_die
from gangland.envs.crime_lords.conformance import violations
from gangland.envs.crime_lords.data import CROOK_IDS, RACKET_IDS
from gangland.envs.crime_lords.state import DTYPE, PHASES
from tests.scenes import chance_seed, dice

LATE = 400
"""A turn number beyond every stalemate cap: the game ends at the T8 that an example stops at."""


def crook(name):
    """Index of a Crook."""
    return CROOK_IDS.index(name)


def racket(name):
    """Index of a Racket."""
    return RACKET_IDS.index(name)


def roll_totals(state, *totals):
    """The next rolls of two dice give these totals."""
    faces = [face for total in totals for face in (max(1, total - 6), total - max(1, total - 6))]
    state.rng = chance_seed(dice(*faces))


def after_dice(rng, number):
    """``state.rng`` after so many dice."""
    state = np.zeros(1, DTYPE)[0]
    state.rng = rng
    for _ in range(number):
        roll_die(state)
    return state.rng


def play(game, state, decisions):
    """Play ``0>TAKE CAS-N, 1>PASS``; every decider must be the one asked.

    What the game says of every position (``conformance.py``) must hold afterwards.

    Returns:
        Success numbers as they changed from decision to decision: ``"3 8, -1 4"`` for two attacks.
    """
    attacks = []
    for item in decisions.split(", "):
        if item:
            seat, action = item.split(">")
            where = f"{item}: seat {state.seat} is asked in {PHASES[state.phase]}"
            assert state.seat == int(seat), where
            game.apply(state, game.parse_action(state, action))
            if action.startswith(("REC ", "HIT ", "TAKE ")):
                attacks.append([])
            # Before there is a leader there is no number.
            if attacks and state.leader >= 0 and attacks[-1][-1:] != [int(state.number)]:
                attacks[-1].append(int(state.number))
    assert violations(game, state) == []
    return ", ".join(" ".join(map(str, numbers)) for numbers in attacks)


def scene(game, text, totals=(), **fields):
    """A position, with dice to come and fields overwritten."""
    state = game.parse_position(text)
    for name, value in fields.items():
        state[name] = value
    if totals:
        roll_totals(state, *totals)
    return state


def table(game, state):
    """Seats, centre and discard of a position, without header, deck and context."""
    parts = game.position_text(state).split(" | ")[1:]
    return " | ".join(p for p in parts if not p.startswith(("deck=", "ctx=")))


def legal(game, state):
    """Texts of the legal actions."""
    return {game.action_text(state, action) for action in game.legal_actions(state)}


def check_example(game, start, decisions, numbers, totals, end, then):
    """Play a worked example; compare every success number, the dice that were drawn and the end."""
    turn_over = then.startswith("turn over")
    head, rest = start.split(" | ", 1)
    n = int(re.search(r"n=(\d)", head)[1])
    state = scene(game, f"{head} T={LATE} | {rest}" if turn_over else start, totals)
    starter = int(state.active)
    rng = state.rng
    assert play(game, state, decisions) == numbers
    assert state.rng == after_dice(rng, 2 * len(totals))
    assert table(game, state) == end
    if turn_over:
        assert state.over
        assert state.capped
        wanted = int(re.search(r"seat (\d)", then)[1])
        living = [(starter + k) % n for k in range(1, n + 1) if state.alive[(starter + k) % n]]
        assert living[0] == wanted
    elif then.startswith("game over"):
        winners = [int(s) for s in re.findall(r"\d", then)]
        assert [s for s in range(n) if state.places[s] == 1] == winners
        assert not state.capped
    else:
        found = re.match(r"seat (\d), phase (\w+)(?: \{(.*)\})?$", then)
        assert (state.seat, PHASES[state.phase]) == (int(found[1]), found[2])
        if found[3]:
            assert legal(game, state) == set(found[3].split(", "))
