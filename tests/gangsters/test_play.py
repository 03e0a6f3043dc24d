"""Random play: invariants, hidden information, notation, bounds, dead ends (G-18, G-20)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.errors import OptionError
from gangland.envs.gangsters.conformance import violations
from gangland.envs.gangsters.state import PLACE
from gangland.envs.gangsters.words.notation import MENUS
from tests.games import slow_but

from .scenes import GAME

SETTINGS = [
    {},
    {"police": False, "max_rounds": 12},
    {"gangs": 2, "max_rounds": 20},
    {"gangs": 3, "random_order": False, "max_rounds": 15},
    {"heaters": True, "wheels": True, "dress": True, "vamp_success_min": 4},
    {"salary_every_move": False, "open_cash": True, "trade_offers": 5, "max_rounds": 12},
]


def walk(seed, **options):
    """Positions of a random game, before each decision, and the last one."""
    rng = np.random.default_rng(seed)
    state = GAME.new_state(seed, **options)
    while not state.over:
        yield state
        GAME.apply(state, int(rng.choice(GAME.legal_actions(state))))
    yield state


@pytest.mark.rule("G-4.1", "G-20.2", "G-20.3", "G-20.10", "G-15.5", "G-1.5", "G-6.9")
@pytest.mark.parametrize("options", slow_but(SETTINGS[:3], SETTINGS), ids=str)
def test_invariants_in_random_play(options):
    for seed in range(1 if options else 2):
        for state in walk(seed, **options):
            assert violations(GAME, state) == []
            if not state.over:
                assert len(GAME.legal_actions(state)) >= 2
        assert state.capped or abs(float(state.rewards.sum())) < 1e-6


@pytest.mark.rule("G-18.1", "G-18.2", "G-18.3", "G-18.4", "G-18.5", "G-18.6", "G-18.9")
@pytest.mark.parametrize("options", SETTINGS[:3], ids=str)
def test_views_depend_on_nothing_hidden(options):
    for k, state in enumerate(walk(5, **options)):
        if k % 17 and state.revealed:
            continue
        for seat in range(state.num_seats):
            known = GAME.redact(state, seat)
            assert (GAME.observe(state, seat) == GAME.observe(known, seat)).all()
            assert GAME.text(state, seat) == GAME.text(known, seat)
            if k % 2 == 0:
                assert GAME.svg(state, seat) == GAME.svg(known, seat)
            if seat == state.seat:
                assert GAME.legal_actions(state) == GAME.legal_actions(known)


@pytest.mark.rule("G-18.7", "G-18.8")
@pytest.mark.parametrize("options", SETTINGS[:3], ids=str)
def test_hidden_state_drawn_anew(options):
    for k, state in enumerate(walk(8, **options)):
        if state.over or (k % 5 and state.revealed):
            continue
        for seat in range(state.num_seats):
            sample = GAME.resample_hidden(state, seat, k)
            again = GAME.resample_hidden(GAME.redact(state, seat), seat, k)
            assert sample.tobytes() == again.tobytes()
            assert violations(GAME, sample) == []
            assert (GAME.observe(sample, seat) == GAME.observe(state, seat)).all()
            if seat == state.seat:
                assert GAME.legal_actions(sample) == GAME.legal_actions(state)


@pytest.mark.rule("G-22.1", "G-22.2")
@pytest.mark.parametrize("options", SETTINGS[:5], ids=str)
def test_notation_round_trips(options):
    seen = 0
    for k, state in enumerate(walk(3, **options)):
        if state.over or k % 3:
            continue
        texts = [GAME.action_text(state, a) for a in GAME.legal_actions(state)]
        assert len(set(texts)) == len(texts)
        assert [GAME.parse_action(state, t) for t in texts] == GAME.legal_actions(state)
        assert all(GAME.describe(state, a) for a in GAME.legal_actions(state))
        if state.phase in MENUS and state.phase != PLACE:
            text = GAME.position_text(state)
            read = GAME.parse_position(text)
            assert GAME.position_text(read) == text
            assert GAME.legal_actions(read) == GAME.legal_actions(state)
            seen += 1
    assert seen > 50


@pytest.mark.rule("G-19.12", "G-X05", "G-16.4", "G-19.5", "G-19.11")
@pytest.mark.parametrize(
    "options",
    [
        {"gangs": 9}, {"gangs": 3, "police": True}, {"police": True, "random_order": False},
        {"donuts": True}, {"squirt_gun": True}, {"vamp_success_min": 7}, {"trade_offers": 6},
        {"max_rounds": 0}, {"dice": 3}, {"clock": True},
    ],
    ids=str,
)  # fmt: skip
def test_invalid_options(options):
    with pytest.raises(OptionError, match=list(options)[-1].split("_")[0]):
        GAME.new_state(0, **options)


@pytest.mark.rule("G-15.6")
def test_the_cap_pays_nobody():
    for state in walk(1, gangs=2, max_rounds=2):  # noqa: B007 (the last one is looked at)
        pass
    assert state.capped
    assert not state.rewards.any()
    assert state.round_number == 2
