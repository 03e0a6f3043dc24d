from __future__ import annotations


def violations(game, state):
    wrong = []
    if not ((state.cards >= 0) & (state.cards <= state.highest)).all():
        wrong.append(f"cards {state.cards}")
    return wrong
