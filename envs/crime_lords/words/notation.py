"""The one-line notation of a position (section 24), both ways.

Beyond the specification's line, a position other than START or MAIN carries the fields of the
decision in progress by name (``ctx=``), and the header carries every option that is not default.
A redacted position has ``?`` for each card of the deck and of a hand that the seat cannot see. Such
a text is to be read by people: it does not contain which cards are where.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import numpy as np

from ...core.errors import NotationError, OptionError
from ...core.game import Game
from ...core.options import OptionValue
from ...core.presentation.foreign_text import read_number
from ...core.state import State, blank
from ..actions import SIDE_NAMES
from ..data import CROOK_IDS, KIND_OF_COPY, MOB_IDS, RACKET_IDS, RACKET_POWER, SPECIAL_IDS
from ..rules.mob.derived import refresh
from ..rules.mob.grid import DX, DY
from ..rules.setup import clear_table
from ..state import (
    CARDS,
    CENTRE,
    COPIES,
    CROOKS,
    DECK,
    DISCARD,
    DTYPE,
    IN_DECK,
    MAIN,
    NONE,
    OVER,
    PHASES,
    RECORD,
    REMOVED,
    RUNNING,
    STEP_T0,
)

_HEADER = ("T", "acted", "offers", "backouts", "bugle", "heat")
_TURN_FIELDS = {"T": "turn"} | {name: name for name in _HEADER[1:]}
_WRITTEN: Final = frozenset(
    {
        "rng", "num_seats", "phase", "over", "places", "rewards", "scores", "capped",
        "crook_loc", "superior", "side", "x", "y", "counters", "unhappy", "token",
        "racket_loc", "racket_token", "blocked", "special_loc", "shown", "deck", "deck_at",
        "deck_size", "alive", "mob", "boss", "treasury", "hidden", "dirty", "rackets",
        "crooks", "districts", "types", "count", "income", "mob_income", "due", "free_sides",
        "subordinates", "depth", "members", "strength", "turn", "active", "acted", "offers",
        "backouts", "bugle", "heat", "required", "ply", "leaving",
    }
)  # fmt: skip
"""Fields that the line itself carries, that follow from them, or that it leaves out."""
UNSEEN: Final = "?"
"""A card that the seat cannot see for which a position was redacted."""
_TERM: Final = re.compile(r"(C\d\d)(?:\+(\d))?(?:u(\d))?(t?)", re.ASCII)


def position_text(game: Game, state: State) -> str:
    """The position on one line; decisions other than MAIN with their context."""
    options = game.read_options(state)
    n = int(state.num_seats)
    head = ["CL1", f"n={n}", f"v={_victory(options)}", f"A={int(state.active)}"]
    head.append(f"ph={PHASES[state.phase]}")
    for key, field in _TURN_FIELDS.items():
        neutral = {"T": 1, "heat": NONE}.get(key, 0)
        if state[field] != neutral:
            head.append(f"{key}={int(state[field])}")
    for option in game.options:
        value = options[option.name]
        if option.name not in ("players", "victory", "victory_target") and value != option.default:
            head.append(f"{option.name}={str(value).lower()}")
    parts = [" ".join(head)]
    parts += [f"{seat}={_seat_text(state, seat)}" for seat in range(n)]
    parts.append("centre=" + _loose(state, CENTRE))
    parts.append("disc=" + _loose(state, DISCARD))
    first, size = int(state.deck_at), int(state.deck_size)
    parts.append("deck=" + (",".join(map(_card_id, state.deck[first : first + size])) or "-"))
    if state.phase != MAIN or state.seat != state.active:
        parts.append("ctx=" + (";".join(_context(state)) or "-"))
    return " | ".join(parts)


def _victory(options: Mapping[str, OptionValue]) -> str:
    target = options["victory_target"]
    return str(options["victory"] if target == "none" else target)


def _seat_text(state: State, seat: int) -> str:
    if not state.alive[seat]:
        return "OUT"
    rackets = [
        RACKET_IDS[r] + "t" * int(state.racket_token[r]) + "x" * int(state.blocked[r])
        for r in np.flatnonzero(state.racket_loc == seat)
    ]
    specials = [
        SPECIAL_IDS[KIND_OF_COPY[s]] + "!" * int(state.shown[s])
        for s in np.flatnonzero(state.special_loc == seat)
    ]
    face_down = sum(not name.endswith("!") for name in specials)
    specials += [UNSEEN] * (int(state.hidden[seat]) - face_down)
    boss = int(state.boss[seat])
    fields = (
        MOB_IDS[state.mob[seat]],
        str(int(state.treasury[seat])),
        _term(state, boss) if boss >= 0 else "-",
        ",".join(rackets) or "-",
        ",".join(specials) or "-",
    )
    return "/".join(fields)


def _term(state: State, crook: int) -> str:
    text = CROOK_IDS[crook]
    text += f"+{int(state.counters[crook])}" * bool(state.counters[crook])
    text += f"u{int(state.unhappy[crook])}" * bool(state.unhappy[crook])
    text += "t" * int(state.token[crook])
    subordinates = [
        (int(state.side[c]), int(c))
        for c in np.flatnonzero((state.superior == crook) & (state.placed == 1))
    ]
    below = ",".join(f"{SIDE_NAMES[side]}:{_term(state, c)}" for side, c in sorted(subordinates))
    return f"{text}({below})" if below else text


def _loose(state: State, loc: int) -> str:
    names = []
    for c in np.flatnonzero(state.crook_loc == loc):
        counters = int(state.counters[c])
        names.append(CROOK_IDS[c] + f"+{counters}" * bool(counters))
    names += [RACKET_IDS[r] for r in np.flatnonzero(state.racket_loc == loc)]
    names += [SPECIAL_IDS[KIND_OF_COPY[s]] for s in np.flatnonzero(state.special_loc == loc)]
    return ",".join(names) or "-"


def _card_id(card: int) -> str:
    if card < 0:
        return UNSEEN
    if card < CROOKS:
        return CROOK_IDS[card]
    return RACKET_IDS[card - CROOKS] if card < CARDS else SPECIAL_IDS[KIND_OF_COPY[card - CARDS]]


_OPTION_FIELDS: Final = frozenset(
    {
        "max_decisions", "max_rounds", "start_money", "victory", "victory_target",
        "bonus_counts", "end_mode", "agreement", "trade", "offers_per_turn", "show_specials",
        "auction_crooks", "auction_rackets", "bid_option", "retoken", "max_backouts",
        "open_money", "allow_quit",
    }
)  # fmt: skip


def _context(state: State) -> Iterator[str]:
    """Fields of the decision in progress that differ from those of a cleared table."""
    yield f"seat:{int(state.seat)}"
    bare = _cleared(int(state.num_seats))
    _assume_open_money(bare, state.treasury)
    for name in DTYPE.names or ():
        if name in _WRITTEN or name in _OPTION_FIELDS or name == "seat":
            continue
        if not np.array_equal(state[name], bare[name]):
            yield f"{name}:{','.join(str(int(v)) for v in np.ravel(state[name]))}"
    for name in ("superior", "side", "x", "y", "placed", "boss", "mob"):
        # Crooks off the grid and vanished Bosses have no term of their own.
        if state.phase != OVER and name != "mob":
            yield f"{name}:{','.join(str(int(v)) for v in state[name])}"
    lifted = np.flatnonzero((state.crook_loc >= 0) & ~_drawn(state))
    if len(lifted):
        for name in ("crook_loc", "counters", "unhappy", "token"):
            yield f"{name}:{','.join(str(int(v)) for v in state[name])}"


def _drawn(state: State) -> Any:
    """Which Crooks the seats' terms show."""
    shown = np.zeros(CROOKS, bool)
    for boss in state.boss[: state.num_seats]:
        if boss >= 0:
            shown[boss] = True
    for _ in range(CROOKS):
        held = (state.superior >= 0) & (state.placed == 1)
        shown |= held & shown[np.maximum(state.superior, 0)]
    return shown


def _clear(state: State) -> None:
    """``clear_table`` as plain Python: it has no entry point of its own."""
    cast("Any", clear_table).py_func(state)


def _cleared(num_seats: int) -> State:
    bare = blank(DTYPE)[0]
    bare.num_seats = num_seats
    _clear(bare)
    return bare


def _assume_open_money(state: State, treasury: Any) -> None:
    """What a line without private payments implies: everybody knows what everybody has."""
    for name in ("ledger", "funds", "lowest_funds"):
        state[name] = treasury


def parse_position(game: Game, text: str) -> State:
    """A record from its line; ``ph=START`` runs on to the first decision of the turn.

    Raises:
        NotationError: Naming the field that is wrong and what is allowed; or where the text of a
            redacted position has cards that nobody can know.
    """
    parts = [part.strip() for part in text.split("|")]
    head = parts[0].split()
    if head[:1] != ["CL1"]:
        raise NotationError(f"{text[:20]!r}: a position starts with CL1")
    fields = _pairs(head[1:])
    sections = _pairs(parts[1:])
    state = _new_record(game, fields)
    n = int(state.num_seats)
    reader = _Reader(state, "deck" in sections)
    for seat in range(n):
        if str(seat) not in sections:
            raise NotationError(f"seat {seat}: missing, n={n}")
        reader.seat(seat, sections.pop(str(seat)))
    for name, loc in (("centre", CENTRE), ("disc", DISCARD)):
        reader.loose(name, sections.pop(name, "-"), loc)
    reader.deck(sections.pop("deck", None))
    context = sections.pop("ctx", None)
    if sections:
        raise NotationError(f"{', '.join(sections)}: unknown, must be seats, centre, disc, deck")
    _assume_open_money(state, state.treasury)
    state.dirty = (1 << n) - 1
    phase = fields["ph"]
    if phase == "START":
        state.phase = RUNNING
        state.stack[0] = STEP_T0
        state.stack_size = 1
        refresh(state)
        game.compiled.apply(state, 0)
        state.ply = 0
        return state
    if phase not in PHASES:
        raise NotationError(f"ph={phase}: must be START or one of {', '.join(PHASES)}")
    state.phase = PHASES.index(phase)
    state.seat = state.active
    if context is not None:
        _read_context(state, context)
    elif phase != "MAIN":
        raise NotationError(f"ph={phase}: needs ctx, only START and MAIN do without")
    refresh(state)
    if phase == "OVER":
        state.over = 1
    return state


def _pairs(items: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not equals or key in pairs:
            raise NotationError(f"{item!r}: must be name=value, each name once")
        pairs[key] = value
    return pairs


def _new_record(game: Game, fields: dict[str, str]) -> State:
    for key in ("n", "v", "A", "ph"):
        if key not in fields:
            raise NotationError(f"{key}: missing from the header")
    given: dict[str, Any] = {"players": _integer("n", fields["n"], 2, 8)}
    victory = fields["v"]
    if victory in ("short", "long"):
        given["victory"] = victory
    else:
        given["victory_target"] = _integer("v", victory, 1, 52)
    turn = {key: value for key, value in fields.items() if key in _TURN_FIELDS}
    for key, value in fields.items():
        if key in ("n", "v", "A", "ph") or key in turn:
            continue
        number = _signed(value)
        given[key] = {"true": True, "false": False}.get(value, value if number is None else number)
    try:
        resolved = game.options.resolve(given)
    except OptionError as error:
        raise NotationError(str(error)) from error
    state = blank(DTYPE)[0]
    state.num_seats = given["players"]
    game.write_options(state, resolved)
    _clear(state)
    state.active = _integer("A", fields["A"], -1, given["players"] - 1)
    for key, value in turn.items():
        state[_TURN_FIELDS[key]] = _integer(key, value, *RECORD.bounds[_TURN_FIELDS[key]])
    return state


def _signed(text: str) -> int | None:
    """The number that a text stands for, with a minus perhaps; ``None`` for any other text."""
    value = read_number(text.removeprefix("-"))
    return -value if value is not None and text.startswith("-") else value


def _integer(name: str, text: str, low: int, high: int) -> int:
    value = _signed(text)
    if value is None or not low <= value <= high:
        raise NotationError(f"{name}={text[:200]}: must be {low}..{high}")
    return value


def _read_context(state: State, text: str) -> None:
    assert DTYPE.fields is not None
    for item in text.split(";"):
        if item == "-":
            continue
        name, _, values = item.partition(":")
        if name not in DTYPE.fields or DTYPE.fields[name][0].base.kind not in "iu":
            raise NotationError(f"ctx: {name!r} is no field of a position")
        kind = DTYPE.fields[name][0]
        bounds = RECORD.bounds.get(name) or (np.iinfo(kind.base).min, np.iinfo(kind.base).max)
        numbers = [_integer(f"ctx: {name}", value, *bounds) for value in values.split(",")]
        if len(numbers) != math.prod(kind.shape):
            raise NotationError(f"ctx: {name}: {len(numbers)} integers, must be of {kind.shape}")
        state[name] = np.array(numbers).reshape(kind.shape)


class _Reader:
    """Places the cards of a position text, each at most once."""

    def __init__(self, state: State, has_deck: bool) -> None:
        self.state = state
        self.seen: set[int] = set()
        rest = REMOVED if has_deck else IN_DECK
        for field in ("crook_loc", "racket_loc", "special_loc"):
            state[field] = rest

    def _card(self, name: str) -> int:
        """Card of an id, not yet placed."""
        if name in CROOK_IDS:
            found = [CROOK_IDS.index(name)]
        elif name in RACKET_IDS:
            found = [CROOKS + RACKET_IDS.index(name)]
        elif name in SPECIAL_IDS:
            kind = SPECIAL_IDS.index(name)
            found = [CARDS + s for s in range(COPIES) if KIND_OF_COPY[s] == kind]
        else:
            raise NotationError(f"{name!r}: is no Crook, Racket or Special")
        for card in found:
            if card not in self.seen:
                self.seen.add(card)
                return card
        raise NotationError(f"{name}: stands more than once")

    def _locate(self, card: int, loc: int) -> None:
        if card < CROOKS:
            self.state.crook_loc[card] = loc
        elif card < CARDS:
            self.state.racket_loc[card - CROOKS] = loc
        else:
            self.state.special_loc[card - CARDS] = loc

    def seat(self, seat: int, text: str) -> None:
        """One seat: Mob / treasury / Boss term / Rackets / Specials, or OUT."""
        state = self.state
        if text == "OUT":
            state.mob[seat] = self._free_mob()
            return
        fields = text.split("/")
        if len(fields) != 5:
            raise NotationError(f"seat {seat}: {text!r} must be Mob/treasury/Boss/Rackets/Specials")
        if fields[0] not in MOB_IDS:
            raise NotationError(f"seat {seat}: Mob {fields[0]!r}, must be one of {MOB_IDS}")
        state.alive[seat] = 1
        state.mob[seat] = MOB_IDS.index(fields[0])
        state.treasury[seat] = _integer(f"seat {seat} treasury", fields[1], 0, 10**6)
        if fields[2] != "-":
            rest = self._term(seat, fields[2], None, 0)
            if rest:
                raise NotationError(f"seat {seat}: {rest!r} after the Boss's term")
        for item in _items(fields[3]):
            name = item.rstrip("tx")
            marks = item[len(name) :]
            card = self._card(name)
            if marks not in ("", "t", "x", "tx") or not CROOKS <= card < CARDS:
                raise NotationError(f"seat {seat}: {item!r} is no Racket with marks t and x")
            racket = card - CROOKS
            if "t" in marks and RACKET_POWER[racket] == 0:
                raise NotationError(f"seat {seat}: {name} has no token space")
            self._locate(card, seat)
            state.racket_token[racket] = "t" in marks
            state.blocked[racket] = "x" in marks
        for item in _seen(f"seat {seat}", fields[4]):
            card = self._card(item.removesuffix("!"))
            if card < CARDS:
                raise NotationError(f"seat {seat}: {item!r} is no Special")
            self._locate(card, seat)
            state.shown[card - CARDS] = item.endswith("!")
            state.hidden[seat] += not item.endswith("!")

    def _free_mob(self) -> int:
        """A Mob card for an eliminated seat; it plays no part any more."""
        return 0

    def _term(self, seat: int, text: str, superior: int | None, side: int) -> str:
        """Read a Crook's term; returns what follows it."""
        state = self.state
        found = _TERM.match(text)
        if not found:
            raise NotationError(f"seat {seat}: {text!r} must start with a Crook, like C05+1u2t")
        crook = self._card(found[1])
        state.crook_loc[crook] = seat
        state.counters[crook] = int(found[2] or 0)
        state.unhappy[crook] = int(found[3] or 0)
        state.token[crook] = bool(found[4])
        state.placed[crook] = 1
        if superior is None:
            state.boss[seat] = crook
        else:
            state.superior[crook] = superior
            state.side[crook] = side
            state.x[crook] = state.x[superior] + DX[side]
            state.y[crook] = state.y[superior] + DY[side]
            self._check_layout(seat, crook, superior)
        rest = text[found.end() :]
        if not rest.startswith("("):
            return rest
        while rest[:1] in ("(", ","):
            if rest[1:2] not in SIDE_NAMES or rest[2:3] != ":":
                raise NotationError(f"seat {seat}: {rest[1:]!r} must start with a side, like N:C05")
            rest = self._term(seat, rest[3:], crook, SIDE_NAMES.index(rest[1]))
        if not rest.startswith(")"):
            raise NotationError(f"seat {seat}: bracket of {CROOK_IDS[crook]} is not closed")
        return rest[1:]

    def _check_layout(self, seat: int, crook: int, superior: int) -> None:
        state = self.state
        for c in np.flatnonzero((state.crook_loc == seat) & (state.placed == 1)):
            if c in (crook, superior):
                continue
            gap = abs(int(state.x[c]) - state.x[crook]) + abs(int(state.y[c]) - state.y[crook])
            if gap <= 1:
                raise NotationError(
                    f"seat {seat}: {CROOK_IDS[crook]} touches {CROOK_IDS[c]} (CL-5.4)"
                )

    def loose(self, name: str, text: str, loc: int) -> None:
        """Cards of the centre or the discard."""
        for item in _items(text):
            card_id, plus, counters = item.partition("+")
            card = self._card(card_id)
            if loc == CENTRE and card >= CARDS:
                raise NotationError(f"{name}: {item!r}, a Special cannot lie there")
            self._locate(card, loc)
            if plus:
                if card >= CROOKS or loc != CENTRE:
                    raise NotationError(f"{name}: {item!r} can have no counters")
                self.state.counters[card] = _integer(name, counters, 1, 5)

    def deck(self, text: str | None) -> None:
        """The deck from the top, or all cards not mentioned in ascending order."""
        if text is None:
            cards = [card for card in range(DECK) if card not in self.seen]
        else:
            cards = [self._card(item) for item in _seen("deck", text)]
        state = self.state
        state.deck[:] = NONE
        state.deck[: len(cards)] = cards
        state.deck_size = len(cards)
        for card in cards:
            self._locate(card, IN_DECK)


def _items(text: str) -> list[str]:
    return [] if text in ("", "-") else text.split(",")


def _seen(where: str, text: str) -> list[str]:
    """Items of a hand or of the deck, all of which must be known."""
    items = _items(text)
    if UNSEEN in items:
        raise NotationError(
            f"{where}: {UNSEEN!r} stands for a card that a seat cannot see: a position as a seat "
            "sees it cannot be set up from its text; to_dict and from_dict keep it"
        )
    return items
