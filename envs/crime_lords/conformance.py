"""Laws that hold at every decision of Crime Lords (section 28, invariants)."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.state import State
from .data import CROOK_POWER, KIND_OF_COPY, RACKET_POWER
from .rules.mob.grid import DX, DY
from .state import CARDS, CROOKS, IN_DECK, MAIN, NONE

FLAGS = (
    "placed", "token", "racket_token", "blocked", "shown", "alive", "leaving", "acted", "bugle",
    "attacking", "helper_used", "revealed", "rerolled", "success", "settle_pay", "gift", "war",
    "war_start", "special_result", "retiring", "over",
)  # fmt: skip
"""Fields that say yes or no."""

TRUNCATED = ({"max_decisions": 100},)
"""Options with which a random game ends by a cap that pays nobody (CL-20.10)."""

SCORED = ({"max_rounds": 1},)
"""Options with which a random game ends by a cap that is scored (CL-20.9)."""

SUSPECTS = (
    "ply", "seat", "phase", "stack", "stack_size", "commit_at", "hush_at", "window_at",
    "loop_step", "loop_at", "loop_added", "loop_empty", "pay_who", "paid_how", "paid_order",
    "num_part_paid", "paid_total", "boss_paid",
)  # fmt: skip
"""Fields of how play goes on rather than how the table looks: they must not reveal more."""

SECRET_PHASES = (
    ("COMMIT_A", "COMMIT_D", "COMMIT_T"),
    ("HUSH",),
    ("WINDOW",),
    ("PAY_WHO", "PAY_HOW"),
    ("MAIN", "SHOW_WHICH", "OFFER_TO", "OFFER_GIVE", "OFFER_CASH", "OFFER_ASK",
     "OFFER_PRICE", "OFFER_REPLY"),
)  # fmt: skip
"""Phases that nobody but the deciding seat can distinguish (offers: nor the partner)."""


def violations(game: Game, state: State) -> list[str]:
    """Sentences about what is wrong with a position; empty if all is well."""
    wrong = []
    n = int(state.num_seats)
    first, size = int(state.deck_at), int(state.deck_size)
    cards = [int(c) for c in state.deck[first : first + size] if c != NONE]
    where = np.concatenate([state.crook_loc, state.racket_loc, state.special_loc])
    if cards and sorted(cards) != list(np.flatnonzero(where == IN_DECK)):
        wrong.append("the deck does not hold just the cards that are said to be there")
    if (state.deck[:first] != NONE).any() or (state.deck[first + size :] != NONE).any():
        wrong.append("cards before the top of the deck or after its end")
    if (state.aside[state.num_aside :] != NONE).any():
        wrong.append("cards set aside that are not counted")
    for name in ("payer", "payee"):
        if (state[name][state.num_payments :] != NONE).any():
            wrong.append("private payments that are not counted")
    if (where >= n).any() or (where < -5).any():
        wrong.append("a card lies with a seat that does not exist")
    if (state.treasury < 0).any() or (state.ledger < 0).any():
        wrong.append("negative money")
    if (state.unhappy < 0).any() or (state.counters < 0).any():
        wrong.append("negative markers or counters")
    if (CROOK_POWER + state.counters > 6).any():
        wrong.append("own Power above 6")
    for name in FLAGS:
        if not np.isin(state[name], (0, 1)).all():
            wrong.append(f"{name} is neither yes nor no")
    loose = state.crook_loc < 0
    if state.unhappy[loose].any() or state.token[loose].any() or state.placed[loose].any():
        wrong.append("a Crook outside of the Mobs has a marker, a token or a place")
    for name in ("side", "x", "y", "strength", "subordinates", "depth"):
        if state[name][loose].any():
            wrong.append(f"a Crook outside of the Mobs has a {name}")
    if state.free_sides[state.placed == 0].any():
        wrong.append("a Crook off the grid has free sides")
    if (state.superior[loose] != NONE).any():
        wrong.append("a Crook outside of the Mobs has a superior")
    if state.shown[state.special_loc < 0].any():
        wrong.append("a Special outside of the hands is shown")
    if state.counters[state.crook_loc == -3].any():
        wrong.append("counters in the discard")
    if state.racket_token[(state.racket_loc < 0) | (RACKET_POWER == 0)].any():
        wrong.append("a Racket without space or owner has a token")
    if state.blocked[state.racket_loc < 0].any():
        wrong.append("a blocked Racket outside of the Mobs")
    if state.phase == MAIN and not state.over:
        for name in ("attacking", "war", "war_start", "war_in"):
            if state[name]:
                wrong.append(f"{name} at MAIN")
        if state.stack_size or state.stack.any():
            wrong.append("steps to come at MAIN")
    for seat in range(n):
        hidden = ((state.special_loc == seat) & (state.shown == 0)).sum()
        if hidden > state.hidden[seat]:
            wrong.append(f"seat {seat}: {hidden} hidden Specials, {state.hidden[seat]} counted")
        wrong += _mob(state, seat)
    if len(KIND_OF_COPY) + CARDS != len(where):
        wrong.append("cards missing")
    return wrong


def _mob(state: State, seat: int) -> list[str]:
    wrong = []
    crooks = np.flatnonzero(state.crook_loc == seat)
    if not state.alive[seat]:
        return [f"seat {seat}: out, but has cards"] * bool(len(crooks))
    if state.phase == MAIN and not state.over:
        if state.boss[seat] not in crooks or state.superior[state.boss[seat]] != NONE:
            wrong.append(f"seat {seat}: no Boss")
        elif state.side[state.boss[seat]] != 0:
            wrong.append(f"seat {seat}: the Boss stands on a side")
        if not state.placed[crooks].all():
            wrong.append(f"seat {seat}: a Crook off the grid at MAIN")
        if (state.unhappy[crooks] > 2).any():
            wrong.append(f"seat {seat}: three markers at MAIN")
        wrong += [
            f"seat {seat}: Crook {c} without superior"
            for c in crooks
            if c != state.boss[seat] and state.superior[c] < 0
        ]
    boss = int(state.boss[seat])
    if boss >= 0 and state.placed[boss] and (state.x[boss], state.y[boss]) != (0, 0):
        wrong.append(f"seat {seat}: Boss not at (0, 0)")
    placed = [int(c) for c in crooks if state.placed[c]]
    for c in placed:
        p = int(state.superior[c])
        if p < 0:
            continue
        if state.crook_loc[p] != seat:
            wrong.append(f"Crook {c}: superior in another Mob")
        side = int(state.side[c])
        if (state.x[c], state.y[c]) != (state.x[p] + DX[side], state.y[p] + DY[side]):
            wrong.append(f"Crook {c}: not on his side of his superior")
        steps, k = 0, c
        while state.superior[k] >= 0 and steps <= CROOKS:
            k, steps = int(state.superior[k]), steps + 1
        if steps > CROOKS:
            wrong.append(f"Crook {c}: superiors in a circle")
    vacant = (state.superior == -2).any()
    for i, c in enumerate(placed):
        for d in placed[i + 1 :]:
            gap = abs(int(state.x[c]) - int(state.x[d])) + abs(int(state.y[c]) - int(state.y[d]))
            linked = state.superior[c] == d or state.superior[d] == c
            if gap == 0 or (gap == 1 and not linked and not vacant):
                wrong.append(f"Crooks {c} and {d} touch (CL-5.4)")
    return wrong
