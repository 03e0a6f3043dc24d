"""Setup and auction (section 3), chance (section 18)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.rng import randint, roll_die
from gangland.envs.crime_lords.conformance import violations
from gangland.envs.crime_lords.data.tables import CROOK_IDS, RACKET_IDS
from gangland.envs.crime_lords.state import (
    AUC_BID,
    AUC_OPEN,
    BOSS_PICK,
    CARDS,
    CENTRE,
    CROOKS,
    DECK,
    DTYPE,
    MAIN,
)

from .scenes import legal, play, table

SHORT = {"players": 2, "auction_crooks": 1, "auction_rackets": 1}


def card(name):
    if name in CROOK_IDS:
        return CROOK_IDS.index(name)
    return CROOKS + RACKET_IDS.index(name) if name in RACKET_IDS else CARDS + 2


def arranged(game):
    """The short auction of E-30: seat 0 opens, the deck begins as the example says."""
    for seed in range(100):
        state = game.new_state(seed, **SHORT)
        if state.opener == 0 and state.first_opener == 0:
            break
    names = ["C05", "S03", "C10", "C20", "CAS-N", "NUM-N"]
    wanted = [card(name) for name in names]
    lot = int(state.lot)
    rest = [c for c in range(DECK) if c not in wanted]
    for field in ("crook_loc", "racket_loc", "special_loc"):
        state[field] = -1
    state.lot = wanted[0]
    state.crook_loc[wanted[0]] = -4
    state.deck[1:] = wanted[1:] + rest
    assert lot >= 0
    return state


@pytest.mark.rule(
    "CL-3.4", "CL-3.5", "CL-3.6", "CL-3.7", "CL-3.8", "CL-3.9", "CL-3.10", "CL-3.2", "CL-15.2",
    "CL-3.11",
)  # fmt: skip
def test_a_short_auction(game):
    """E-30 up to the second shuffle."""
    state = arranged(game)
    assert state.phase == AUC_OPEN
    assert "PASS" not in legal(game, state)
    assert "BID 25" in legal(game, state)
    play(game, state, "0>BID 4")
    assert legal(game, state) == {"PASS"} | {f"BID {b}" for b in range(5, 26)}
    play(game, state, "1>BID 6, 0>BID 9, 1>PASS")
    assert state.crook_loc[card("C05")] == 0
    assert list(state.crooks[:2]) == [1, 0]
    assert (state.phase, state.bid, state.bidder) == (AUC_OPEN, 0, -1)
    play(game, state, "1>BID 0, 0>PASS")
    assert state.special_loc[2] == 1
    assert state.shown[2]
    assert list(state.bid_money[:2]) == [16, 25]
    play(game, state, "0>BID 16, 1>PASS")
    # C20 is set aside, the same opener turns up CAS-N; seat 0 has no money left to raise.
    assert state.crook_loc[card("C20")] == -4
    assert (state.lot, state.seat) == (card("CAS-N"), 1)
    play(game, state, "1>BID 3")
    # Seat 0 opens with a forced 0.
    assert (state.lot, state.seat, state.phase) == (card("NUM-N"), 1, AUC_BID)
    play(game, state, "1>PASS")
    assert state.racket_loc[card("NUM-N") - CROOKS] == 0
    assert state.racket_loc[card("CAS-N") - CROOKS] == 1
    assert state.crook_loc[card("C20")] != -4
    assert not state.bid_money.any()
    assert (state.crook_loc == 1).sum() == 1  # CL-3.12
    assert state.phase == BOSS_PICK


@pytest.mark.rule(
    "CL-1.1", "CL-1.2", "CL-3.1", "CL-3.3", "CL-3.12", "CL-3.13", "CL-3.14", "CL-3.15",
    "CL-3.16", "CL-2.1", "CL-9.24",
)  # fmt: skip
@pytest.mark.parametrize("players", range(2, 9))
def test_setup_of_every_table(game, players):
    rng = np.random.default_rng(players)
    state = game.new_state(players, players=players)
    mobs = list(state.mob[:players])
    assert len(set(mobs)) == players
    while state.turn == 1 and state.phase in (AUC_OPEN, AUC_BID, BOSS_PICK, 21):
        before = game.clone(state)
        game.apply(state, int(rng.choice(game.legal_actions(state))))
    assert state.sold_crooks == 3 * players
    assert state.sold_rackets == 2 * players
    for seat in range(players):
        assert state.boss[seat] >= 0
        assert before.ledger[seat] in (0, 50)
    centre = (state.crook_loc == CENTRE).sum() + (state.racket_loc == CENTRE).sum()
    assert centre >= 2
    assert state.token[(state.crook_loc >= 0)].all()
    assert violations(game, state) == []


def bosses_to_pick(game):
    """E-31: seat 0 with M5 is about to pick a Boss among C05 (5), C09 (4) and C27 (2)."""
    state = game.parse_position(
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M5/50/C27t/-/- | 1=M1/50/C02t/-/- | centre=- | disc=-"
        " | deck=CAS-N,S03,C10,NUM-N"
    )
    for name in ("C05", "C09", "C27"):
        state.crook_loc[card(name)] = 0
        state.superior[card(name)] = -1
        state.placed[card(name)] = 0
    state.boss[0] = -1
    state.dirty = 3
    state.phase, state.seat = BOSS_PICK, 0
    state.boss_at = 2  # nobody else is to pick
    return state


def centre(game, state):
    return set(table(game, state).split("centre=")[1].split(" |")[0].split(","))


@pytest.mark.rule("CL-3.13", "CL-3.15", "CL-5.5", "CL-5.12")
def test_starting_crooks_who_fit_nowhere(game):
    """E-31: under C27 (Power 3) nobody fits; the centre has them and the two cards turned up."""
    state = bosses_to_pick(game)
    game.apply(state, game.parse_action(state, "C27"))
    assert {"C05", "C09", "CAS-N", "C10"} <= centre(game, state)
    assert list(np.flatnonzero(state.crook_loc == 0)) == [card("C27")]
    assert state.phase == MAIN


@pytest.mark.rule("CL-3.13", "CL-5.5", "CL-5.12")
def test_a_boss_of_power_5_holds_only_the_weak(game):
    """E-31: Boss C09 (5): C05 is not weaker and goes to the centre; C27 has four places."""
    state = bosses_to_pick(game)
    game.apply(state, game.parse_action(state, "C09"))
    assert legal(game, state) == {f"C09.{side}" for side in "NESW"}
    assert state.root == card("C27")
    assert state.crook_loc[card("C05")] == CENTRE
    play(game, state, "0>C09.S")
    assert {"C05", "CAS-N", "C10"} <= centre(game, state)
    assert state.boss[0] == card("C09")


@pytest.mark.rule("CL-3.13", "CL-5.4", "CL-5.5", "CL-5.10", "CL-5.12")
def test_a_strong_boss_holds_all(game):
    """E-31: Boss C05 (6): both fit, C27 also under C09, where no cell touches another Crook."""
    state = bosses_to_pick(game)
    game.apply(state, game.parse_action(state, "C05"))
    assert legal(game, state) == {f"C05.{side}" for side in "NESW"}
    assert state.root == card("C09")
    play(game, state, "0>C05.N")
    assert legal(game, state) == {"C05.E", "C05.S", "C05.W", "C09.N", "C09.E", "C09.W"}
    play(game, state, "0>C09.E")
    assert (state.x[card("C27")], state.y[card("C27")]) == (1, 1)
    # The bought Special met on the way is buried, not turned up (CL-3.15).
    assert centre(game, state) >= {"CAS-N", "C10"}


@pytest.mark.rule("CL-18.1", "CL-18.4", "CL-9.5")
def test_chances_of_two_dice():
    state = np.zeros(1, DTYPE)[0]
    state.rng = 5
    totals = np.array([roll_die(state) + roll_die(state) for _ in range(36000)])
    for number, ways in zip(range(2, 11), (1, 3, 6, 10, 15, 21, 26, 30, 33), strict=True):
        share = ((totals <= number) & (totals < 11)).mean()
        assert share == pytest.approx(ways / 36, abs=0.012)
    assert {randint(state, 3) for _ in range(99)} == {0, 1, 2}


@pytest.mark.rule("CL-18.2", "CL-18.3", "CL-18.5", "CL-1.7")
def test_chance_belongs_to_the_record(game):
    one, two = game.new_state(7), game.new_state(7)
    assert one.tobytes() == two.tobytes()
    assert game.new_state(8).tobytes() != one.tobytes()
    deck = one.deck[one.deck_at :][: one.deck_size]
    assert len(set(deck)) == len(deck)
    copy = game.clone(one)
    rng = np.random.default_rng(0)
    for _ in range(60):
        action = int(rng.choice(game.legal_actions(one)))
        game.apply(one, action)
        game.apply(copy, action)
    assert one.tobytes() == copy.tobytes()
