"""Samples of treasuries against the true distribution (CL-19.2), by rejection on small positions.

What is decided in private is drawn from the legal decisions, each as likely as another, and play
goes on as scripted; games are kept that look to the viewer like the one it sees. The statistical
tests have a false-alarm rate of 1e-6 each over fresh seeds; the seeds are fixed.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gangland.envs.crime_lords.data import MONEY
from gangland.envs.crime_lords.rules.payments import CASH, GIFT, TRADE
from gangland.envs.crime_lords.state import TRANSFERS

from .scenes import play, scene

Z = 4.753
"""One-sided normal quantile of a false-alarm rate of 1e-6."""
GAMES = 2500
PRIVATE = ("OFFER_GIVE", "OFFER_CASH", "OFFER_ASK", "OFFER_PRICE", "OFFER_REPLY")

THREE = (
    "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/{}/C32t(E:C35)/{}/- | 1=M8/{}/C34t/NUM-E/- "
    "| 2=M5/30/C33t/-/- | centre=CHP-E | disc=- | deck=C10,C11"
)


def bound_of_chi_square(freedom):
    """Quantile of the same rate (Wilson and Hilferty, 1931)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + Z * np.sqrt(part)) ** 3


def decide(game, state, word):
    """Play a decision by its notation; false if it is not legal."""
    for action in game.legal_actions(state):
        if game.action_text(state, action) == word:
            game.apply(state, action)
            return True
    return False


def played(game, start, script, rng):
    """A game by script, with offers made and answered at random for ``?``.

    None where the script cannot be played, or no money has changed hands.
    """
    state = game.clone(start)
    for word in script:
        if word != "?":
            if not decide(game, state, word):
                return None
            continue
        before = int(state.num_payments)
        while game.phases[state.phase] in PRIVATE:
            game.compiled.apply(state, int(rng.choice(game.legal_actions(state))))
        if state.num_payments == before:
            return None
    return state


SCENES = {
    "a gift of money or for money": (THREE.format(20, "CAS-N", 12), ["?"]),
    "a beggar's offers": (THREE.format(1, "CAS-N,CAS-S", 6), ["?"]),
    "two offers": (
        THREE.format(14, "-", 25).replace("NUM-E", "-"),
        ["?", "OFFER", "P+1", "?"],
    ),
    "money spent since": (
        THREE.format(9, "-", 30).replace("NUM-E", "CAS-N"),
        ["?", "HIT C33", "AMT 5"],
    ),
    "more money than known": (
        THREE.format(2, "-", 30).replace("NUM-E", "CAS-N"),
        ["?", "HIT C33", "AMT 4"],
    ),
}


@pytest.mark.rule("CL-19.2", "CL-16.14")
@pytest.mark.parametrize("name", SCENES)
def test_samples_follow_the_true_distribution(game, name):
    line, script = SCENES[name]
    start = played(game, scene(game, line), ["OFFER", "P+1"], None)
    rng = np.random.default_rng(1)
    seen, true = {}, {}
    for _ in range(GAMES):
        state = played(game, start, script, rng)
        if state is None:
            continue
        known = game.redact(state, 2)
        # Dice that fall alike for all: the chance is the same, only private decisions differ.
        seen[known.tobytes()] = known
        true.setdefault(known.tobytes(), []).append(tuple(map(int, state.treasury[:3])))
    look = max(true, key=lambda key: len(true[key]))
    assert len(true[look]) > 100
    samples = [
        tuple(map(int, game.resample_hidden(seen[look], 2, k).treasury[:3]))
        for k in range(len(true[look]))
    ]
    assert {money[2] for money in samples} == {true[look][0][2]}
    assert {sum(money) for money in samples} == {sum(money) for money in true[look]}
    amounts = sorted({money[0] for money in true[look] + samples})
    counts = np.array(
        [[[m[0] for m in part].count(a) for a in amounts] for part in (true[look], samples)]
    )
    common = counts.sum(0) >= 10
    table = np.column_stack([counts[:, common], counts[:, ~common].sum(1)])
    table = table[:, table.sum(0) > 0]
    if table.shape[1] == 1:
        assert counts.shape[1] == 1
        return
    expected = table.sum(0) / 2
    chi_square = ((table - expected) ** 2 / expected).sum()
    assert chi_square < bound_of_chi_square(table.shape[1] - 1), (amounts, counts)
    one, two = (np.array([m[0] for m in part]) for part in (true[look], samples))
    spread = np.sqrt((one.var() + two.var()) / len(one))
    assert abs(one.mean() - two.mean()) < Z * spread


@pytest.mark.rule("CL-19.2")
def test_a_theft_is_known_to_the_g(game):
    """Nothing private has happened before: everybody can work out what was there to take."""
    line = THREE.format(20, "-", 5).replace("CAS-N", "-").replace("-/- | 1", "-/S04 | 1", 1)
    start = scene(game, line)
    state = played(game, start, ["S04", "P+1"], None)
    assert list(state.treasury[:3]) == [25, 0, 30]
    for seed in range(20):
        sample = game.resample_hidden(state, 2, seed)
        assert list(sample.treasury[:3]) == [25, 0, 30]


@pytest.mark.rule("CL-19.2")
def test_of_too_many_private_payments_the_oldest_is_forgotten(game):
    kept = ("payer", "payee", "payment_kind", "payment", "payment_funds", "payment_lowest")
    state = scene(game, THREE.format(20, "-", 5).replace("CAS-N", "-"))
    state.num_payments = TRANSFERS
    for number, name in enumerate(kept):
        shape = state[name].shape
        state[name] = (np.arange(state[name].size).reshape(shape) * 7 + number) % 100
    before = game.clone(state)
    play(game, state, "0>OFFER, 0>P+1, 0>AMT 3, 0>PASS")
    assert state.num_payments == TRANSFERS
    for name in kept:
        assert state[name][:-1].tolist() == before[name][1:].tolist(), name
    latest = [np.ravel(state[name][-1]).tolist() for name in kept]
    assert latest == [[0], [1], [CASH], [3], [20, 5], [20, 5]]


@pytest.mark.rule("CL-19.2", "CL-16.9")
def test_any_price_that_was_there_to_pay_may_have_been_paid(game):
    """Who sold the Racket had nothing, who bought it had 6 G."""
    state = scene(game, THREE.format(0, "CAS-N", 6))
    play(game, state, "0>OFFER, 0>P+1, 0>CAS-N, 0>PASS, 0>AMT 3, 1>YES")
    assert (state.payment[0], game.redact(state, 2).payment[0]) == (-3, 0)
    found = Counter(int(game.resample_hidden(state, 2, k).treasury[0]) for k in range(300))
    assert set(found) == set(range(1, 7))
    assert min(found.values()) > 30


@pytest.mark.rule("CL-19.2")
def test_nobody_paid_what_he_no_longer_had(game):
    """Between two private payments as well: seat 0 paid 4 G in public, so it had them left.

    It had 20 G, gave some to seat 1, who then took up to 10 G; it paid 4 G, was paid 6 G, and
    lost 1 G to the viewer. More than 6 G at first would not have left enough.
    """
    state = scene(game, THREE.format(5, "-", 21).replace("/30/C33t", "/31/C33t"))
    state.num_payments = 3
    for name, values in {
        "payer": (0, 0, 0),
        "payee": (1, 1, 2),
        "payment_kind": (CASH, 10, 1),
        "payment": (6, 10, 1),
        "payment_funds": ((20, 5), (20, 5), (22, 30)),
        "payment_lowest": ((20, 5), (20, 5), (16, 30)),
    }.items():
        state[name][:3] = values
    for name in ("funds", "lowest_funds", "ledger"):
        state[name][:3] = (22, 5, 30)
    state.private[:3] = (3, 2, 1)
    found = Counter(int(game.resample_hidden(state, 2, k).treasury[0]) for k in range(200))
    assert set(found) == set(range(5, 11))


@pytest.mark.rule("CL-19.2")
def test_who_could_pay_was_given_enough(game):
    """Seat 0 gave some of its 20 G to seat 1, who had 2 G and then paid 5 G in public."""
    state = scene(game, THREE.format(14, "-", 3))
    state.num_payments = 1
    state.payer[0], state.payee[0] = 0, 1
    state.payment_kind[0], state.payment[0] = CASH, 6
    state.payment_funds[0] = state.payment_lowest[0] = (20, 2)
    for name in ("funds", "lowest_funds"):
        state[name][:3] = (20, -3, 30)
    state.private[:2] = 1
    found = Counter(int(game.resample_hidden(state, 2, k).treasury[1]) for k in range(300))
    assert set(found) == {int(amount) - 3 for amount in MONEY if 3 <= amount <= 20}


@pytest.mark.rule("CL-19.2", "CL-16.9")
@pytest.mark.parametrize(("kind", "weight"), [(TRADE, 1), (GIFT, 2)])
def test_prices_are_rarer_than_gifts(game, kind, weight):
    """Seat 0 gave its only G, or was paid one of many prices by seat 1.

    A gift is as likely as all prices of its case together, which are named by who gives nothing;
    where the partner is asked about a price only, twice as likely.
    """
    state = scene(game, THREE.format(1, "-", 50))
    state.num_payments = 1
    state.payer[0], state.payee[0] = 0, 1
    state.payment_kind[0], state.payment[0] = kind, 1
    state.payment_funds[0] = state.payment_lowest[0] = (1, 50)
    state.private[:2] = 1
    drawn = [int(game.resample_hidden(state, 2, k).treasury[0]) for k in range(600)]
    prices = sum(0 < amount <= 50 for amount in MONEY)
    share = prices / (prices + weight * len(MONEY))
    assert abs(np.mean([money > 1 for money in drawn]) - share) < 0.08


@pytest.mark.rule("CL-19.2")
def test_two_players_know_each_others_money(game):
    state = game.new_state(3, players=2)
    rng = np.random.default_rng(3)
    private = 0
    for k in range(250):
        if game.is_over(state):
            break
        private += state.private[0] > 0
        if state.num_payments < len(state.payer):
            for seat in range(2):
                sample = game.resample_hidden(state, seat, k)
                assert sample.treasury.tolist() == state.treasury.tolist()
        game.apply(state, int(rng.choice(game.legal_actions(state))))
    assert private > 20


@pytest.mark.rule("CL-19.2")
def test_random_games_are_sampled_without_bias(game):
    """The mean of (sample - truth) over games, beside its standard error by games."""
    errors = []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        state = game.new_state(seed)
        found = []
        for k in range(400):
            if game.is_over(state):
                break
            if k % 25 == 0 and state.turn > 1 and state.num_payments > 0:
                for seat in range(5):
                    sample = game.resample_hidden(state, seat, k)
                    unsure = (state.private > 0) & (state.alive > 0)
                    unsure[seat] = False
                    found += list((sample.treasury - state.treasury)[unsure])
            game.apply(state, int(rng.choice(game.legal_actions(state))))
        if found:
            errors.append(np.mean(found))
    errors = np.array(errors)
    assert len(errors) > 15
    assert abs(errors.mean()) < Z * errors.std(ddof=1) / np.sqrt(len(errors)), errors
