"""The setup against a reading of section 3 in lists, draw by draw (CL-18.3)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.rng import randint, roll_die, seed_chance
from gangland.envs.crime_lords.conformance import violations
from gangland.envs.crime_lords.data.tables import CROOK_POWER, RACKET_POWER
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
    REASSIGN,
    WINDOW,
)

from .scenes import legal


class Chance:
    """The draws of section 18 in plain words."""

    def __init__(self, seed):
        self.state = np.zeros(1, DTYPE)[0]
        seed_chance(self.state, np.uint64(seed))

    def below(self, bound):
        return int(randint(self.state, bound))

    def shuffle(self, cards):
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def roll_off(self, seats):
        """Highest total of two dice; those tied for it roll again, in seat order."""
        while len(seats) > 1:
            totals = [int(roll_die(self.state)) + int(roll_die(self.state)) for _ in seats]
            seats = [s for s, total in zip(seats, totals, strict=True) if total == max(totals)]
        return seats[0]


class Auction:
    """The auction of section 3; it follows a game and says what must be asked."""

    def __init__(self, game, state, chance, crooks, rackets, players, money):
        self.game, self.state, self.players = game, state, players
        self.deck = list(range(DECK))
        chance.shuffle(self.deck)
        self.first = self.opener = chance.roll_off(list(range(players)))
        self.quota = {"crook": crooks * players, "racket": rackets * players, "special": DECK}
        self.money = [money] * players
        self.owned = {seat: [] for seat in range(players)}
        self.aside = []

    def kind(self, card):
        return "crook" if card < CROOKS else "racket" if card < CARDS else "special"

    def decide(self, rng, seat, phase, least):
        """The seat is asked for at least this bid, and answers; None: it passes."""
        forced = [f"BID {b}" for b in range(least, self.money[seat] + 1)]
        if phase == AUC_BID:
            forced.append("PASS")
        if len(forced) == 1:
            answer = forced[0]
        else:
            assert (self.state.phase, self.state.seat) == (phase, seat)
            assert legal(self.game, self.state) == set(forced)
            assert list(self.state.bid_money[: self.players]) == self.money
            # Low bids and many passes: all run out of money at different times.
            answer = forced[int(rng.integers(min(4, len(forced))))]
            answer = "PASS" if phase == AUC_BID and rng.random() < 0.5 else answer
            self.game.apply(self.state, self.game.parse_action(self.state, answer))
        return None if answer == "PASS" else int(answer.split()[1])

    def lot(self, rng):
        """One lot, from turning it up to its sale."""
        card = self.deck.pop(0)
        if self.quota[self.kind(card)] == 0:
            self.aside.append(card)
            return
        bidder, bid = self.opener, self.decide(rng, self.opener, AUC_OPEN, 0)
        inside = [(bidder + k) % self.players for k in range(self.players)]
        at = bidder
        while len(inside) > 1:
            at = inside[(inside.index(at) + 1) % len(inside)]
            if at == bidder:
                break
            raised = self.decide(rng, at, AUC_BID, bid + 1)
            if raised is None:
                before = inside[inside.index(at) - 1]
                inside.remove(at)
                at = before
            else:
                bidder, bid = at, raised
        self.money[bidder] -= bid
        self.owned[bidder].append(card)
        if self.kind(card) != "special":
            self.quota[self.kind(card)] -= 1
        self.opener = (self.opener + 1) % self.players

    def run(self, rng):
        while self.quota["crook"] + self.quota["racket"]:
            self.lot(rng)


@pytest.mark.rule(
    "CL-3.1", "CL-3.2", "CL-3.3", "CL-3.4", "CL-3.5", "CL-3.6", "CL-3.7", "CL-3.8", "CL-3.9",
    "CL-3.10", "CL-3.11", "CL-3.12", "CL-3.13", "CL-3.14", "CL-3.15", "CL-3.16", "CL-18.1",
    "CL-18.2", "CL-18.3", "CL-2.1", "CL-1.4",
)  # fmt: skip
@pytest.mark.parametrize(
    ("players", "crooks", "rackets", "money", "seed", "specials"),
    [
        (2, 1, 1, 25, 3, 0), (3, 1, 0, 6, 4, 0), (5, 3, 2, 25, 5, 0), (8, 1, 1, 3, 6, 0),
        (4, 1, 3, 0, 7, 0), (2, 1, 0, 6, 45, 2), (2, 1, 0, 6, 48, 2), (2, 1, 0, 6, 43, 1),
    ],
)  # fmt: skip
def test_the_setup_draw_by_draw(game, players, crooks, rackets, money, seed, specials):
    state = game.template(
        players=players, auction_crooks=crooks, auction_rackets=rackets, bid_money=money,
        start_money=77,
    )[0]  # fmt: skip
    game.compiled.reset(state, np.uint64(seed))
    rng = np.random.default_rng(seed)
    chance = Chance(seed)
    mobs = list(range(8))
    chance.shuffle(mobs)
    assert list(state.mob[:players]) == mobs[:players]
    auction = Auction(game, state, chance, crooks, rackets, players, money)
    auction.run(rng)
    deck = auction.deck + auction.aside
    chance.shuffle(deck)
    turned = [(auction.first + k) % players for k in range(players)]
    for seat in turned:
        if not any(card < CROOKS for card in auction.owned[seat]):
            free = next(card for card in deck if card < CROOKS)
            deck.remove(free)
            auction.owned[seat].append(free)
    misfits = choose_bosses(game, state, auction.owned, turned)
    up, buried = [], []
    while len(up) < 2:
        card = deck.pop(0)
        (buried if card >= CARDS else up).append(card)
    assert len(buried) == specials
    for card in buried:
        deck.insert(chance.below(len(deck) + 1), card)
    active = chance.roll_off(list(range(players)))
    assert (state.active, state.turn) == (active, 1)
    assert state.rng == chance.state.rng
    assert state.phase in (MAIN, WINDOW)
    # The first turn may have drawn by now: what is left is the end of the deck.
    left = [int(c) for c in state.deck[state.deck_at :][: state.deck_size]]
    assert left == deck[len(deck) - len(left) :]
    drawn = deck[: len(deck) - len(left)]
    loose = [*up, *misfits, *(card for card in drawn if card < CARDS)]
    where = np.concatenate([state.crook_loc, state.racket_loc])
    assert sorted(np.flatnonzero(where == CENTRE)) == sorted(loose)
    for seat in range(players):
        bought = [c - CARDS for c in auction.owned[seat] if c >= CARDS]
        assert all(state.special_loc[s] == seat and state.shown[s] for s in bought)
        rackets_of = [c - CROOKS for c in auction.owned[seat] if CROOKS <= c < CARDS]
        for racket in rackets_of:
            assert state.racket_loc[racket] == seat
            assert state.racket_token[racket] == (RACKET_POWER[racket] > 0)
        if seat != active:
            assert (state.treasury[seat], state.ledger[seat]) == (77, 77)
            assert state.token[state.crook_loc == seat].all()
    assert not state.bid_money.any()
    assert violations(game, state) == []


def choose_bosses(game, state, owned, turned):
    """Every seat in turn takes its strongest Crook; returns who finds no place."""
    for seat in turned:
        crooks = sorted(c for c in owned[seat] if c < CROOKS)
        boss = max(crooks, key=lambda c: CROOK_POWER[c])
        if len(crooks) > 1:
            assert (state.phase, state.seat) == (BOSS_PICK, seat)
            assert legal(game, state) == {f"C{c + 1:02}" for c in crooks}
            game.apply(state, game.parse_action(state, f"C{boss + 1:02}"))
        while state.phase == REASSIGN:
            assert state.seat == seat
            game.apply(state, game.legal_actions(state)[0])
    every = {c for cards in owned.values() for c in cards if c < CROOKS}
    return [c for c in every if state.crook_loc[c] < 0]
