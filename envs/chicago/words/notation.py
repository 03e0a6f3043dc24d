"""Positions as one line of text (CU-18.2)."""

from __future__ import annotations

import re
from typing import Any

from ...core.errors import NotationError, OptionError
from ...core.game import Game
from ...core.options import OptionValue
from ..data import CARDS, CODES, FULL_DECK, HIRE_PRICE, PRICES
from ..rules.ending import score_game
from ..state import (
    BLACK_JOKER,
    BRIBE,
    CARD_TYPES,
    MONEY_TYPES,
    NONE,
    PAY_HIRE,
    PAY_TERR,
    PHASES,
    RED_JOKER,
    TERRITORIES,
)

HEAD = "CU/1"
KEYS = (
    *("n", "turn", "cur", "acted", "phase", "actor", "hands", "men", "own", "disc", "pile"),
    *("price", "paid", "last", "flip", "target", "joker"),
)
OPTION_KEY = "opt"
"""Beyond the specification: options other than their defaults, ``name:value`` by commas."""


def hand_text(counts: Any) -> str:
    """A hand as one letter a card in canonical order, ``-`` if empty."""
    return "".join(CARDS[card] * int(counts[card]) for card in range(CARD_TYPES)) or "-"


def position_text(game: Game, state: Any) -> str:
    """The notation of a position; options other than their defaults stand at the end."""
    n = int(state.num_seats)
    paying = state.phase in (PAY_HIRE, PAY_TERR, BRIBE)
    values = {
        "n": n,
        "turn": int(state.turns),
        "cur": int(state.current),
        # The action counts as taken once it is paid for, as in the specification's example.
        "acted": int(state.acted and state.phase not in (PAY_HIRE, PAY_TERR)),
        "phase": PHASES[state.phase],
        "actor": "-" if state.over else int(state.seat),
        "hands": ",".join(hand_text(state.hands[seat]) for seat in range(n)),
        "men": ",".join(str(int(state.men[seat])) for seat in range(n)),
        "own": "".join("." if owner == NONE else str(int(owner)) for owner in state.owner),
        "disc": "".join(str(int(count)) for count in state.discards),
        "pile": "".join(str(int(count)) for count in state.pile),
        "price": int(state.price) if paying else "-",
        "paid": int(state.paid) if paying else "-",
        "last": CARDS[state.last_paid - 2] if paying and state.last_paid else "-",
        "flip": "-" if state.flipped == NONE else CODES[state.flipped],
        "target": "-" if state.target == NONE else CODES[state.target],
        "joker": "-" if state.joker == NONE else CARDS[state.joker],
    }
    words = [HEAD, *(f"{key}={values[key]}" for key in KEYS)]
    chosen = game.read_options(state)
    changed = [
        f"{option.name}:{chosen[option.name]}"
        for option in game.options
        if option.name != "players" and chosen[option.name] != option.default
    ]
    if changed:
        words.append(f"{OPTION_KEY}={','.join(changed)}")
    return " ".join(words)


def parse_position(game: Game, text: str) -> Any:
    """A record from the notation; options that it does not name have their defaults.

    Raises:
        NotationError: Naming the field that is wrong and what is allowed.
    """
    head, *fields = text.split()
    values = dict(field.split("=", 1) for field in fields if "=" in field)
    options = values.pop(OPTION_KEY, "")
    named = len(values) + bool(options)
    if head != HEAD or list(values) != list(KEYS) or named != len(fields):
        raise NotationError(
            f"a position is {HEAD!r} and the fields {' '.join(KEYS)}, in order, "
            f"then perhaps {OPTION_KEY}"
        )
    n = _number("n", values["n"], 2, 6)
    state = game.template(players=n, **_read_options(game, n, options))[0]
    state.turns = _number("turn", values["turn"], 0, 10_000)
    state.current = _number("cur", values["cur"], 0, n - 1)
    state.acted = _number("acted", values["acted"], 0, 1)
    state.phase = _word("phase", values["phase"], PHASES)
    state.over = values["phase"] == "OVER"
    if state.turns >= state.turn_cap and not state.over:
        raise NotationError(
            f"turn={state.turns}: must be below the cap of {state.turn_cap} turns in "
            f"{values['phase']}; {OPTION_KEY}=turn_cap:... gives another cap"
        )
    state.seat = NONE if state.over else _number("actor", values["actor"], 0, n - 1)
    hands, men = _list("hands", values["hands"], n), _list("men", values["men"], n)
    for seat in range(n):
        for card in "" if hands[seat] == "-" else hands[seat]:
            state.hands[seat, _word("hands", card, tuple(CARDS))] += 1
        state.hand_size[seat] = state.hands[seat].sum()
        state.men[seat] = _number("men", men[seat], 0, 5)
    if len(values["own"]) != TERRITORIES:
        raise NotationError(f"own={values['own']}: must have {TERRITORIES} characters")
    for x, owner in enumerate(values["own"]):
        state.owner[x] = NONE if owner == "." else _number("own", owner, 0, n - 1)
    for key, counts in (("disc", state.discards), ("pile", state.pile)):
        if not re.fullmatch(rf"[0-9]{{{CARD_TYPES}}}", values[key]):
            raise NotationError(f"{key}={values[key]}: must have {CARD_TYPES} digits")
        counts[:] = [int(digit) for digit in values[key]]
    _check_turn(state, values)
    if state.phase in (PAY_HIRE, PAY_TERR):
        state.acted = 1
    _read_payment(state, values)
    unowned = sum(owner == NONE for owner in state.owner) - (state.flipped != NONE)
    state.pile_size = state.pile.sum() + unowned
    _check_cards(state)
    _check_price(state, values)
    if state.over:
        score_game(state, int(state.turns >= state.turn_cap))
    return state


def _read_options(game: Game, players: int, text: str) -> dict[str, OptionValue]:
    given: dict[str, OptionValue] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition(":")
        if name not in game.options.names or name in ("players", *given) or not value:
            known = ", ".join(name for name in game.options.names if name != "players")
            raise NotationError(
                f"{OPTION_KEY}={text}: must be name:value by commas, each name once, of {known}"
            )
        given[name] = int(value) if re.fullmatch("[0-9]{1,5}", value) else value
    try:
        game.options.resolve({"players": players, **given})
    except OptionError as error:
        raise NotationError(f"{OPTION_KEY}={text}: {error}") from error
    return given


def _check_turn(state: Any, values: dict[str, str]) -> None:
    """Phase, actor, ``acted``, flipped card and joker must fit together (CU-4.3)."""
    phase = values["phase"]
    either = ("OVER", "BRIBE", "PAY_HIRE", "PAY_TERR")
    acted = "0" if phase == "MAIN" else "01" if phase in either else "1"
    if values["acted"] not in acted:
        raise NotationError(f"acted={values['acted']}: must be {' or '.join(acted)} in {phase}")
    for key, phases in (("flip", ("PAY_TERR",)), ("target", ("BRIBE",)), ("joker", ("BRIBE",))):
        if (values[key] == "-") == (phase in phases):
            wanted = "given" if phase in phases else "-"
            raise NotationError(f"{key}={values[key]}: must be {wanted} in {phase}")
    paying = phase in ("PAY_HIRE", "PAY_TERR", "BRIBE")
    if (values["price"] == "-") == paying:
        raise NotationError(f"price={values['price']}: must be {'given' if paying else '-'}")
    actor = state.current
    if phase == "BRIBE":
        actor = state.owner[_word("target", values["target"], CODES)]
        if actor in (NONE, state.current):
            raise NotationError(f"target={values['target']}: must be a rival's territory")
    if values["actor"] != ("-" if phase == "OVER" else str(actor)):
        wanted = "-" if phase == "OVER" else str(actor)
        raise NotationError(f"actor={values['actor']}: must be {wanted} in {phase}")


def _read_payment(state: Any, values: dict[str, str]) -> None:
    for key, field in (("flip", "flipped"), ("target", "target")):
        state[field] = NONE if values[key] == "-" else _word(key, values[key], CODES)
    jokers = {"-": NONE, "R": RED_JOKER, "B": BLACK_JOKER}
    state.joker = tuple(jokers.values())[_word("joker", values["joker"], tuple(jokers))]
    if state.phase in (PAY_HIRE, PAY_TERR, BRIBE):
        state.price = _number("price", values["price"], 1, 60)
        state.paid = _number("paid", values["paid"], 0, 59)
        last = values["last"]
        state.last_paid = 0 if last == "-" else _word("last", last, tuple(CARDS[:MONEY_TYPES])) + 2
        # The notation gives the sum and the last card; what is missing from the deck are the cards.
        used = state.hands.sum(axis=0) + state.discards + state.pile
        for card in range(MONEY_TYPES):
            state.payment[card] = FULL_DECK[card] - used[card]


def _check_cards(state: Any) -> None:
    held = state.hands.sum(axis=0) + state.discards + state.pile
    held[:MONEY_TYPES] += state.payment
    if state.joker != NONE:
        held[state.joker] += 1
    for card in range(CARD_TYPES):
        if held[card] != FULL_DECK[card]:
            raise NotationError(
                f"card {CARDS[card]}: {held[card]} in hands, discards, pile and payment, "
                f"must be {FULL_DECK[card]}"
            )
    laid = sum((card + 2) * int(state.payment[card]) for card in range(MONEY_TYPES))
    if laid != state.paid:
        raise NotationError(f"paid={state.paid}: the cards that are nowhere else are worth {laid}")


def _check_price(state: Any, values: dict[str, str]) -> None:
    """The price is that of the hire, the flipped territory or the bribe (CU-5.3, 6.3, 8.8)."""
    if state.phase == PAY_TERR and state.owner[state.flipped] != NONE:
        raise NotationError(f"flip={values['flip']}: must be a territory that nobody owns")
    price = {
        PAY_HIRE: HIRE_PRICE,
        PAY_TERR: int(PRICES[state.flipped]),
        BRIBE: int(state.bribe_price),
    }.get(int(state.phase), 0)
    if state.price != price:
        other = f", or {OPTION_KEY}=bribe:{state.price}" if state.phase == BRIBE else ""
        raise NotationError(f"price={values['price']}: must be {price} in {values['phase']}{other}")


def _number(key: str, text: str, low: int, high: int) -> int:
    if not re.fullmatch("[0-9]{1,5}", text) or not low <= int(text) <= high:
        raise NotationError(f"{key}={text}: must be {low}..{high}")
    return int(text)


def _word(key: str, text: str, known: Any) -> int:
    if text not in known:
        raise NotationError(f"{key}={text}: must be one of {', '.join(known)}")
    return int(known.index(text))


def _list(key: str, text: str, n: int) -> list[str]:
    parts = text.split(",")
    if len(parts) != n:
        raise NotationError(f"{key}={text}: must have {n} parts")
    return parts
