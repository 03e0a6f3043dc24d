"""Setup and auction (section 3), also draw by draw in lists (CL-18.3), and chance (section 18)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.rng import randint, roll_die, seed_chance
from gangland.envs.crime_lords.conformance import violations
from gangland.envs.crime_lords.data import CROOK_IDS, CROOK_POWER, RACKET_IDS, RACKET_POWER
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

from .scenes import legal, play, table

# --- setup and chance -----------------------------------------------------------------------------

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


# --- a reading of section 3 in lists, draw by draw ------------------------------------------------


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
