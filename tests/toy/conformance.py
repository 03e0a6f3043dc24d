"""Laws of the toy."""

from __future__ import annotations

EXEMPTIONS = {
    "rulebook": "The toy is explained in the module that holds it.",
    "layout": "Its observation stands in one short kernel.",
}


def violations(game, state):
    wrong = []
    if not ((state.cards >= 0) & (state.cards <= state.highest)).all():
        wrong.append(f"cards {state.cards}")
    return wrong
