"""Scenes of the specification's worked examples, set by the text notation; games to look at.

Base position of ``scene``: five seats, current seat 0, phase MAIN, action not yet taken, 10 turns
completed, empty hands, 1 henchman each, no territory owned, empty discards, all other cards in the
draw pile.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np

from gangland.envs import load
from gangland.envs.chicago.data import CARDS, CODES, FULL_DECK
from gangland.envs.chicago.heuristics import choose_specified
from gangland.envs.chicago.state import LOG_SIZE
from gangland.envs.core.rng import randint, seed_chance
from gangland.envs.core.state import record_dtype
from tests.scenes import chance_seed, dice, legal_texts, play_texts

GAME = load("chicago")
play = partial(play_texts, GAME)
legal = partial(legal_texts, GAME)


def counts(hand):
    """``"25T"`` as cards by type."""
    held = Counter(hand)
    return [held[card] for card in CARDS]


def scene_text(
    n=5,
    hands=None,
    men=None,
    own=None,
    discards="",
    pile=None,
    cur=0,
    turn=10,
    phase="MAIN",
    acted=0,
    actor=None,
    price="-",
    paid="-",
    last="-",
    flip="-",
    target="-",
    joker="-",
    laid="",
    options=None,
):
    """The line of notation of a scene; arguments are the differences from the base position.

    Hands and men are ``{seat: value}``, ``own`` is ``{seat: "JS KH"}``. With ``pile`` given, all
    cards that are not listed go to the discards; otherwise to the pile. ``laid`` are the cards of
    a payment in progress. ``options`` are those of the game that are not the defaults.
    """
    hands = [(hands or {}).get(seat, "") for seat in range(n)]
    owner = {code: seat for seat, codes in (own or {}).items() for code in codes.split()}
    elsewhere = "".join(hands) + laid + ("" if joker == "-" else joker)
    left = [int(full) - used for full, used in zip(FULL_DECK, counts(elsewhere), strict=True)]
    listed = counts(discards if pile is None else pile)
    rest = [have - used for have, used in zip(left, listed, strict=True)]
    disc, deck = (listed, rest) if pile is None else (rest, listed)
    fields = {
        "n": n,
        "turn": turn,
        "cur": cur,
        "acted": acted,
        "phase": phase,
        "actor": cur if actor is None else actor,
        "hands": ",".join("".join(sorted(hand, key=CARDS.index)) or "-" for hand in hands),
        "men": ",".join(str((men or {}).get(seat, 1)) for seat in range(n)),
        "own": "".join(str(owner.get(code, ".")) for code in CODES),
        "disc": "".join(map(str, disc)),
        "pile": "".join(map(str, deck)),
        "price": price,
        "paid": paid,
        "last": last,
        "flip": flip,
        "target": target,
        "joker": joker,
    }
    if options:
        fields["opt"] = ",".join(f"{name}:{value}" for name, value in options.items())
    return " ".join(["CU/1", *(f"{key}={value}" for key, value in fields.items())])


def scene(options=None, chance=(), **differences):
    """The position, with chance that comes out as ``chance`` says; see :func:`chance_seed`."""
    state = GAME.parse_position(scene_text(options=options, **differences))
    state.rng = chance_seed(chance)
    return state


def next_card(state, card):
    """The draw of ``card`` (``"7"``, ``"KC"``) from the pile as it is now (CU-12.1)."""
    unowned = [code for code, owner in zip(CODES, state.owner, strict=True) if owner == -1]
    order = [kind for kind, count in zip(CARDS, state.pile, strict=True) for _ in range(count)]
    order += unowned
    assert len(order) == state.pile_size
    return (len(order), order.index(card))


def drawing(card, *texts, **differences):
    """A scene in which ``card`` is drawn next, after ``draw`` and the given actions."""
    state = GAME.parse_position(scene_text(**differences))
    state.rng = chance_seed([next_card(state, card)])
    return play(state, "draw", *texts)


def rolling(faces, *texts, options=None, **differences):
    """A scene with these dice to come, after the given actions."""
    return play(scene(options, dice(*faces), **differences), *texts)


def phase(state):
    return GAME.phases[state.phase]


def hand(state, seat):
    """Hand of a seat as letters."""
    return "".join(CARDS[card] * int(state.hands[seat, card]) for card in range(12))


def discards(state):
    return "".join(CARDS[card] * int(state.discards[card]) for card in range(12))


def owned(state, seat):
    """Codes of the territories of a seat."""
    return " ".join(code for code, owner in zip(CODES, state.owner, strict=True) if owner == seat)


def men(state):
    return state.men[: state.num_seats].tolist()


def turn_of(state, seat):
    """Whether ``seat`` is before the action of its turn."""
    return (phase(state), int(state.current), int(state.seat)) == ("MAIN", seat, seat)


def lines_for(state, viewer):
    """Sentences of what has happened since the scene was set, as a seat hears them."""
    start = GAME.clone(state)
    start.told = start.phase = 0
    start.payment = 0
    return GAME.narrate(start, 0, state, viewer)


# --- games: random play and the bot, over all options; a plain-Python stream of chance ------------

OPTIONS = (
    {},
    {"players": 2},
    {"players": 3, "hand_limit": 3, "bribe": 5},
    {"players": 4, "bribe": 25},
    {"players": 6, "hand_limit": 10},
    {"deck_end": "reshuffle", "bribe": 10},
)


def walk(seed, bots=False, **options):
    """``(before, action, after)`` of each decision of a game; with bots every other seat is one."""
    rng = np.random.default_rng(seed)
    state = GAME.new_state(seed, **options)
    while not state.over:
        before = GAME.clone(state)
        mask = GAME.action_mask(state)
        if bots and state.seat % 2 == 0:
            action = int(choose_specified(state, state.seat, mask, np.uint64(0)))
        else:
            action = int(rng.choice(np.flatnonzero(mask)))
        GAME.apply(state, action)
        yield before, action, GAME.clone(state)


def all_walks(games=2):
    """Games over all options, of random seats and of bots between random seats."""
    for options in OPTIONS:
        for seed in range(games):
            yield from walk(seed, bots=seed % 2 == 1, **options)


def events(state, before=None):
    """``(kind, seat, detail, more)`` since the position before, or since the scene was set."""
    numbers = range(0 if before is None else int(before.told), int(state.told))
    assert len(numbers) <= LOG_SIZE
    return [tuple(state.log[number % LOG_SIZE].tolist()) for number in numbers]


class Chance:
    """The chance of a game with this seed, drawn one integer at a time."""

    def __init__(self, seed):
        self._record = np.zeros(1, record_dtype(1, []))[0]
        seed_chance(self._record, np.uint64(seed))

    def below(self, bound):
        return int(randint(self._record, bound))
