"""Who and what a sample draws where the true position is secret (CL-19.1, CL-19.3).

Each test states the set of what may be drawn and sees all of it come, about as often as it should.
Seeds are fixed, so a test has one result.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gangland.envs.core.state import SOMEBODY
from gangland.envs.crime_lords.conformance import violations
from gangland.envs.crime_lords.data import KIND_OF_COPY, MONEY, THIRD_PARTY_MAX, TIMING
from gangland.envs.crime_lords.data.codes import ANY_TIME, HUSH_MONEY, INSIDE_MAN, TIP_OFF
from gangland.envs.crime_lords.rules.payments import CASH
from gangland.envs.crime_lords.state import CARDS, CROOKS, IN_DECK, NONE, PHASES

from .scenes import play, scene
from .test_secret_decisions import HANDS, PAY, SECRETS, SHOWDOWN, SPECIAL, blur

DRAWS = 240


def at(game, line, decisions="", **fields):
    """The position after some decisions of a scene."""
    state = scene(game, line, **fields)
    play(game, state, decisions)
    return state


def samples(game, state, viewer, count=DRAWS):
    """Samples for a viewer, each of which looks to it like the position."""
    known = game.redact(state, viewer)
    drawn = []
    for seed in range(count):
        sample = game.resample_hidden(state, viewer, seed)
        assert game.redact(sample, viewer).tobytes() == known.tobytes()
        assert violations(game, sample) == []
        drawn.append(sample)
    return drawn


def asked(drawn):
    """How often each seat is asked, with the phase that it is asked in."""
    return Counter((PHASES[state.phase], int(state.seat)) for state in drawn)


def even(counts, *wanted):
    """Just these come, each at least two thirds as often as if all were equally likely."""
    assert set(counts) == set(wanted)
    share = sum(counts.values()) / len(wanted)
    assert min(counts.values()) > share * 2 / 3, counts


# --- showdown -------------------------------------------------------------------------------------

ATTACK = "0>TAKE CAS-N"
WHO = [("COMMIT_A", 0), ("COMMIT_D", 1), ("COMMIT_T", 2), ("COMMIT_T", 3)]


@pytest.mark.rule("CL-9.20", "CL-19.3")
def test_anybody_with_money_may_be_asked_for_it(game):
    state = at(game, SHOWDOWN.format(3), ATTACK)
    assert game.redact(state, 3).seat == SOMEBODY
    drawn = samples(game, state, 3)
    even(asked(drawn), *WHO[:3])
    assert {(int(s.seat), int(s.commit_at)) for s in drawn} == {(0, 0), (1, 1), (2, 3)}
    assert not any(s.commitments[s.seat] for s in drawn)
    # Seat 2 has nothing, as everybody can work out; the attacker might still back out.
    poor = at(game, SHOWDOWN.format(0), ATTACK, backouts=2)
    even(asked(samples(game, poor, 3)), WHO[0], WHO[1])
    broke = SHOWDOWN.format(3).replace("0=M1/30", "0=M1/0")
    even(asked(samples(game, at(game, broke, ATTACK), 3)), WHO[0], WHO[1], WHO[2])
    spent = at(game, broke, ATTACK, backouts=2)
    even(asked(samples(game, spent, 3)), WHO[1], WHO[2])


@pytest.mark.rule("CL-9.20", "CL-19.3")
def test_after_ones_own_commitment_later_seats_are_asked(game):
    state = at(game, SHOWDOWN.format(3), f"{ATTACK}, 0>FOR 5")
    even(asked(samples(game, state, 0)), *WHO[1:])
    # Seat 1 is asked itself: nothing to draw.
    assert asked(samples(game, state, 1, 20)) == {WHO[1]: 20}
    later = at(game, SHOWDOWN.format(3), f"{ATTACK}, 0>FOR 5, 1>AG 3")
    even(asked(samples(game, later, 1)), *WHO[2:])
    last = at(game, SHOWDOWN.format(3), f"{ATTACK}, 0>FOR 5, 1>AG 3, 2>FOR 1")
    even(asked(samples(game, last, 2)), WHO[3])


@pytest.mark.rule("CL-9.20", "CL-19.3")
def test_the_order_of_a_showdown_begins_with_the_attacker(game):
    """Seat 1 attacks seat 2: seats 3 and 0 come next."""
    line = (
        "CL1 n=4 v=short A=1 ph=MAIN | 0=M2/30/C04/-/- | 1=M1/30/C02t(E:C10)/-/- "
        "| 2=M8/30/C01/CAS-N/- | 3=M5/3/C03/-/- | centre=- | disc=- | deck=C11"
    )
    state = at(game, line, "1>TAKE CAS-N, 1>FOR 5, 2>AG 3")
    drawn = samples(game, state, 2)
    even(asked(drawn), ("COMMIT_T", 3), ("COMMIT_T", 0))
    assert {(int(s.seat), int(s.commit_at)) for s in drawn} == {(3, 3), (0, 4)}
    play(game, state, "3>FOR 1")
    assert asked(samples(game, state, 3, 40)) == {("COMMIT_T", 0): 40}


@pytest.mark.rule("CL-9.20", "CL-19.3")
def test_a_seat_that_is_out_is_not_asked_for_money(game):
    state = at(game, SHOWDOWN.format(3), ATTACK)
    state.alive[2] = 0
    even(asked(game.resample_hidden(state, 3, seed) for seed in range(60)), WHO[0], WHO[1])


def rungs(limit):
    return {int(amount) for amount in MONEY if 0 < amount <= limit}


@pytest.mark.rule("CL-9.20", "CL-9.22", "CL-9.23", "CL-19.3")
def test_bids_that_were_made_are_drawn(game):
    """Nothing in half of the samples, else any amount that the seat has; the owner's is against."""
    state = at(game, SHOWDOWN.format(12), f"{ATTACK}, 0>FOR 5, 1>AG 3, 2>FOR 1")
    drawn = samples(game, state, 3, 1500)
    bids = [Counter(int(s.commitments[seat]) for s in drawn) for seat in range(4)]
    assert set(bids[0]) == {0} | rungs(30)
    assert set(bids[1]) == {0} | {-amount for amount in rungs(30)}
    third = rungs(min(12, THIRD_PARTY_MAX))
    assert set(bids[2]) == {0} | third | {-amount for amount in third}
    assert bids[3] == {0: 1500}
    for seat in range(3):
        rung = len(rungs(30)) if seat < 2 else len(third)
        nothing = 0.5 + 0.5 / (rung + 1)
        assert abs(bids[seat][0] / 1500 - nothing) < 0.05
    positive = sum(count for amount, count in bids[2].items() if amount > 0)
    negative = sum(count for amount, count in bids[2].items() if amount < 0)
    assert 0.85 < positive / negative < 1.18


@pytest.mark.rule("CL-9.20", "CL-19.3")
def test_who_has_not_answered_has_no_bid(game):
    state = at(game, SHOWDOWN.format(3), f"{ATTACK}, 0>FOR 5")
    for sample in samples(game, state, 3):
        order = [0, 1, 2, 3]
        for seat in order[order.index(int(sample.seat)) :]:
            assert sample.commitments[seat] == 0
    before = at(game, SPECIAL.format("S05", "S01,S02"), "0>S03, 0>END")
    assert not any(s.commitments.any() for s in samples(game, before, 1, 40))


# --- reactions ------------------------------------------------------------------------------------


@pytest.mark.rule("CL-9.30", "CL-19.3")
def test_who_may_react_to_a_hit(game):
    """Money for the Hit, a hidden Inside Man, the owner's hidden Tip-Off."""
    line = HANDS.format("/S01", "/S02", "/-", ",S04,S05").replace("1=M8/30/C01t", "1=M8/30/C01")
    state = at(game, line, "0>HIT C01")
    assert PHASES[state.phase] == "HIT_CASH"
    drawn = samples(game, state, 2, 600)
    counts = asked(drawn)
    assert set(counts) == {("HIT_CASH", 0), ("ASSIST", 0), ("DEFEND", 1)}
    # Specials are drawn from five unseen ones; the money is always there.
    assert counts["HIT_CASH", 0] > counts["ASSIST", 0] > 20
    assert counts["DEFEND", 1] > 20
    assert {int(s.loop_step) for s in drawn if s.phase == PHASES.index("DEFEND")} == {2}
    assert {int(s.loop_step) for s in drawn if s.phase != PHASES.index("DEFEND")} == {0}
    assert {int(s.loop_at) for s in drawn} == {1}
    # The attacker itself knows that it is not asked: the owner is.
    paid = at(game, line, "0>HIT C01, 0>AMT 0, 0>PASS")
    assert asked(samples(game, paid, 0, 60)) == {("DEFEND", 1): 60}
    broke = at(game, line.replace("0=M1/30", "0=M1/0"), "0>HIT C01")
    assert set(asked(samples(game, broke, 2))) == {("ASSIST", 0), ("DEFEND", 1)}
    owner = asked(samples(game, state, 1))
    assert set(owner) == {("HIT_CASH", 0), ("ASSIST", 0)}


@pytest.mark.rule("CL-12.7", "CL-19.3")
def test_nobody_defends_a_crook_of_the_centre(game):
    """Tip-Offs may lie in the deck, but there is no owner to be asked."""
    state = at(game, HANDS.format("/S01", "/-", "/S05", ",S02,S04"), "0>HIT C20, 0>AMT 5")
    assert (PHASES[state.phase], state.owner) == ("ASSIST", NONE)
    assert asked(samples(game, state, 2, 40)) == {("ASSIST", 0): 40}


@pytest.mark.rule("CL-15.5", "CL-19.3")
def test_whoever_holds_hush_money_may_be_asked(game):
    state = at(game, SPECIAL.format("S12", "S01,S02"), "0>S03")
    # Hush Money lies in seat 2's hand, or in the deck: then nobody would be asked.
    assert asked(samples(game, state, 1, 60)) == {("HUSH", 2): 60}
    two = SPECIAL.format("S12", "S01,S02").replace("3=M2/30/C04t/-/-", "3=M2/30/C04t/-/S04")
    state = at(game, two, "0>S03")
    drawn = samples(game, state, 1)
    even(asked(drawn), ("HUSH", 2), ("HUSH", 3))
    assert {(int(s.seat), int(s.hush_at)) for s in drawn} == {(2, 2), (3, 3)}


@pytest.mark.rule("CL-15.4", "CL-19.3")
def test_whoever_holds_a_card_for_any_time_may_be_asked(game):
    line = SPECIAL.replace("S03", "-").replace("3=M2/30/C04t/-/-", "3=M2/30/C04t/-/S02")
    state = at(game, line.format("S05", "S01,S12"), "0>END")
    assert PHASES[state.phase] == "WINDOW"
    drawn = samples(game, state, 1)
    even(asked(drawn), ("WINDOW", 2), ("WINDOW", 3))
    assert {(int(s.seat), int(s.window_at)) for s in drawn} <= {(2, 1), (3, 2), (2, 2), (3, 3)}
    for sample in drawn:
        place = int(sample.window_at)
        assert int(sample.seat) == (int(sample.active) + place) % 4


# --- money that the decision shows ----------------------------------------------------------------


@pytest.mark.rule("CL-16.9", "CL-19.1")
def test_who_is_asked_to_take_an_offer_has_its_price(game):
    line = (
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/30/C02t(E:C10)/-/- | 1=M8/30/C01t(E:C11)/CAS-N/- "
        "| 2=M5/9/C03t/-/- | centre=- | disc=-"
    )
    state = scene(game, line)
    blur(state, 1, 2)  # what the ledger says does not cover the price
    play(game, state, "0>OFFER, 0>P+1, 0>AMT 0, 0>CAS-N, 0>AMT 5")
    assert PHASES[state.phase] == "OFFER_REPLY"
    drawn = samples(game, state, 0, 12)
    assert asked(drawn) == {("OFFER_REPLY", 1): 12}
    assert min(int(s.treasury[1]) for s in drawn) == MONEY[MONEY >= 5].min()


@pytest.mark.rule("CL-7.8", "CL-19.1")
def test_who_decides_whom_to_pay_cannot_pay_all(game):
    state = at(game, PAY.replace("M8/8", "M8/12"))
    assert PHASES[state.phase] == "PAY_WHO"
    due = int(state.due[0])
    blur(state, 0, 1)  # the ledger would not do
    drawn = samples(game, state, 1, 24)
    assert asked(drawn) == {("PAY_WHO", 0): 24}
    for sample in drawn:
        first = int(sample.boss_paid)
        assert first == sample.paid_total == state.boss_paid > 0
        assert first < sample.treasury[0] < due
    least = min(int(s.treasury[0]) for s in drawn)
    assert least == first + 1


@pytest.mark.rule("CL-19.1")
@pytest.mark.parametrize("phase", ["COMMIT_A", "HIT_CASH"])
def test_where_no_money_is_likely_one_g_is_the_least(game, phase):
    """Everybody seems to have nothing, and yet somebody is asked for money."""
    state = at(game, SHOWDOWN.format(3), {"COMMIT_A": ATTACK, "HIT_CASH": "0>HIT C01"}[phase])
    assert PHASES[state.phase] == phase
    for seat in range(4):
        blur(state, seat, 0)
        state.private[seat] = 0
    if phase == "COMMIT_A":
        state.backouts = state.max_backouts
    known = [game.resample_hidden(state, 3, seed) for seed in range(12)]
    for sample in known:
        assert sample.treasury[sample.seat] == 1
        assert sample.treasury[3] == state.treasury[3]


@pytest.mark.rule("CL-19.1", "CL-15.5")
def test_a_card_that_explains_the_question_is_dealt(game):
    """Hidden cards of which one in many would do: the least change gives it to the right seat."""
    state = at(game, SPECIAL.format("S12", "S01,S02"), "0>S03")
    for sample in samples(game, state, 0, 60):
        assert sample.seat == 2
        assert (sample.special_loc[KIND_OF_COPY == HUSH_MONEY] == 2).any()
    attack = HANDS.format("/S01", "/S04", "/S05", "").replace("1=M8/30/C01t", "1=M8/30/C01")
    state = at(game, attack, "0>HIT C01, 0>AMT 5")
    assert (PHASES[state.phase], state.seat) == ("ASSIST", 0)
    for sample in samples(game, state, 2, 60):
        assert (PHASES[sample.phase], sample.seat) == ("ASSIST", 0)
        assert (sample.special_loc[KIND_OF_COPY == INSIDE_MAN] == 0).any()


@pytest.mark.rule("CL-19.1", "CL-15.5", "CL-15.4")
@pytest.mark.parametrize("phase", ["HUSH", "WINDOW", "ASSIST", "DEFEND"])
def test_a_card_that_explains_the_question_is_exchanged(game, phase):
    """Where no money fits, hands are drawn in vain: the card comes from deck or another hand."""
    line, decisions = SECRETS[phase]
    state = at(game, line.replace("/C03t/-/-", "/C03t/-/S06"), decisions.replace("AMT 0", "AMT 5"))
    assert PHASES[state.phase] == phase
    viewer = next(seat for seat in (2, 0) if seat != state.seat)
    others = [seat for seat in range(game.num_seats(state)) if seat != viewer]
    state.num_payments = 1
    state.payer[0], state.payee[0] = others[:2]
    state.payment_kind[0] = CASH
    kinds = {"HUSH": (HUSH_MONEY,), "ASSIST": (INSIDE_MAN,), "DEFEND": (TIP_OFF,)}
    for sample in samples(game, state, viewer, 4):
        held = KIND_OF_COPY[(sample.special_loc == sample.seat) & (sample.shown == 0)]
        wanted = kinds.get(PHASES[sample.phase], np.flatnonzero(TIMING == ANY_TIME))
        assert np.isin(held, wanted).any()


@pytest.mark.rule("CL-19.1", "CL-5.18")
def test_who_retires_can_pay_for_it(game):
    """Where no money fits, he has what it costs and no more."""
    line, decisions = SECRETS["HEIR"]
    state = at(game, line, decisions)
    assert (PHASES[state.phase], state.seat) == ("HEIR", 0)
    state.num_payments = 1
    state.payer[0], state.payee[0], state.payment_kind[0] = 0, 1, CASH
    blur(state, 0, 1)
    costs = 2 * int(state.strength[state.boss[0]])
    assert {int(s.treasury[0]) for s in samples(game, state, 2, 4)} == {costs}


@pytest.mark.rule("CL-16.14", "CL-19.1")
def test_how_many_offers_were_made_is_drawn(game):
    """Offers are private: a third party cannot tell how many are left."""
    line = HANDS.format("/-", "/-", "/-", "")
    state = at(game, line)
    most = int(state.offers_per_turn)
    even(Counter(int(s.offers) for s in samples(game, state, 1)), *range(most + 1))
    assert {int(s.offers) for s in samples(game, state, 0, 20)} == {int(state.offers)}
    closed = at(game, line.replace("ph=MAIN", "ph=MAIN trade=false"))
    assert {int(s.offers) for s in samples(game, closed, 1, 20)} == {0}


# --- the deck -------------------------------------------------------------------------------------


@pytest.mark.rule("CL-4.3", "CL-19.1")
def test_the_deck_is_all_that_lies_nowhere_else_in_any_order(game):
    state = scene(game, SPECIAL.format("S12", "S01,S02").replace("deck=C11", "deck=C11,CHP-E"))
    first = int(state.deck_at)
    drawn = samples(game, state, 1)
    for sample in drawn:
        assert sample.deck_at == first
        where = np.concatenate([sample.crook_loc, sample.racket_loc, sample.special_loc])
        cards = np.flatnonzero(where == IN_DECK)
        assert sorted(sample.deck[first : first + len(cards)]) == cards.tolist()
        assert (sample.deck[:first] == NONE).all()
        assert (sample.deck[first + len(cards) :] == NONE).all()
    size = int((state.deck != NONE).sum())
    for place in range(size):
        tops = Counter(int(s.deck[first + place]) for s in drawn)
        kinds = {(c >= CROOKS) + (c >= CARDS) for c in tops}
        assert kinds == {0, 1, 2}
        crooks = [c for c in tops if c < CARDS]
        assert min(tops[c] for c in crooks) > DRAWS / size / 2


@pytest.mark.rule("CL-3.5", "CL-19.1")
def test_a_redrawn_deck_begins_where_the_deck_begins(game):
    """Three lots have been turned up in the auction."""
    state = game.new_state(3, players=2)
    while state.deck_at < 3:
        game.apply(state, game.legal_actions(state)[0])
    for sample in samples(game, state, 1, 20):
        assert (sample.deck_at, sample.deck_size) == (3, state.deck_size)
        assert (sample.deck[:3] == NONE).all()
        assert (sample.deck[3 : 3 + sample.deck_size] != NONE).all()
