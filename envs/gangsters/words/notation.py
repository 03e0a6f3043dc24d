"""Positions as text: lines of fields, written at the menu decisions (G-22.2).

Two additions to the specification's lines keep every field of a menu decision: ``order=`` in the
``turn`` line (purchase order, needed by PICK and by games without random order), and an
``options`` line with the options that differ from the defaults. Inside a half-made choice or a
shootout a ``record`` line holds the full record, which then counts alone.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...core.errors import NotationError
from ...core.game import Game
from ...core.state import State, States
from ..data import (
    ACTIONS_MIN,
    COLOUR,
    FIRST_JOINTS,
    GANG_NAMES,
    GRAY,
    NODE,
    NODE_NAMES,
    OFFICER_IDS,
    PUBLIC_IDS,
    RACKETEERS_PER_ACTION,
    SIDES,
    STREETS,
)
from ..rules.engine import refill
from ..rules.setup import empty
from ..state import (
    BUY,
    COMM_DEST,
    COMM_ENTRY,
    COP_ACTIVE,
    COP_GANG,
    COP_POLICE,
    GANGS,
    INFORMANTS,
    MOVE,
    NONE,
    PHASES,
    PICK,
    POLICE,
    POLICE_BUY,
    POLICE_MOVE,
    POLICE_PUBLIC,
    STEP_DECIDE,
)

COP_TURN: Final = (POLICE_BUY, INFORMANTS, POLICE_MOVE, COMM_ENTRY, COMM_DEST, POLICE_PUBLIC)
"""Phases of a Cop Turn."""
MENUS: Final = (
    PICK, BUY, COP_GANG, COP_POLICE, COP_ACTIVE, MOVE, POLICE_BUY, INFORMANTS, POLICE_MOVE,
    POLICE_PUBLIC,
)  # fmt: skip
PIECE_FLAGS: Final = {"a": "acted", "m": "moved", "h": "hit", "x": "extort", "r": "recruit"}
EQUIPMENT: Final = {"+h": "has_heaters", "+w": "has_wheels", "+d": "has_dress"}
COP_DICE: Final = (0, 3, 4)


def _name(names: tuple[str, ...], index: int) -> str:
    return names[index] if index >= 0 else "-"


def _list(items: list[str]) -> str:
    return ",".join(items) or "-"


def _piece(state: State, gang: int, piece: int) -> str:
    text = f"{'RTV'[piece]}{state.strength[gang, piece]}@{_name(NODE_NAMES, state.at[gang, piece])}"
    if state.came[gang, piece] != NONE:
        text += f"<{NODE_NAMES[state.came[gang, piece]]}"
    text += "!" * bool(state.criminal[gang, piece])
    text += "".join(c for c, name in PIECE_FLAGS.items() if state[name][gang, piece])
    return text + "".join(c for c, name in EQUIPMENT.items() if state[name][gang, piece])


def _markers(state: State, seat: int) -> str:
    return _list([OFFICER_IDS[o] for o in range(9) if state.holder[o] == seat])


def _police_moves(state: State) -> int:
    """Moves of a Cop Turn at the Commissioner's present strength (G-14.9)."""
    return max(ACTIONS_MIN, int(state.c_strength) // RACKETEERS_PER_ACTION)


def _turn_line(state: State) -> str:
    cop = state.active == POLICE
    dice = [str(state.dice[d]) for d in (COP_DICE if cop else range(5))]
    pawns = [GANG_NAMES[g] for g in range(state.gangs) if state.pawns[g]]
    used = state.used
    if state.phase == POLICE_MOVE:
        used = _police_moves(state) - state.moves
    fields = [
        "turn", str(state.round_number), _name(SIDES, state.active), PHASES[state.phase],
        SIDES[state.seat], "/".join(dice) if any(state.dice) else "-", str(used), _list(pawns),
        str(state.first_cop),
    ]  # fmt: skip
    fields += ["bought"] * bool(state.bought)
    fields += [f"offers={state.offers}"] * bool(state.offers)
    fields += ["newpublic"] * bool(state.new_public) + ["early"] * bool(state.early)
    fields += ["recruitC"] * bool(state.recruit_c) + ["movedC"] * bool(state.moved_c)
    done = [OFFICER_IDS[o] for o in range(10) if state.cop_done[o]]
    fields += [f"done={_list(done)}"] * bool(done)
    order = [GANG_NAMES[g] for g in state.order[: state.gangs]]
    return " ".join([*fields, f"order={_list(order)}"])


def position_text(game: Game, state: State) -> str:
    """The position, line by line (G-22.2)."""
    lines = [_turn_line(state)] if not state.over else ["turn over"]
    chosen = game.read_options(state)
    changed = [f"{o.name}={chosen[o.name]}" for o in game.options if chosen[o.name] != o.default]
    lines += [" ".join(["options", *changed])] * bool(changed)
    for gang in range(state.gangs):
        pieces = " ".join(_piece(state, gang, piece) for piece in range(3))
        lines.append(f"{SIDES[gang]} ${state.cash[gang]} {pieces} markers={_markers(state, gang)}")
    if state.police:
        came = f"<{NODE_NAMES[state.c_came]}" if state.c_came != NONE else ""
        gear = "+h" * bool(state.c_heaters) + "+w" * bool(state.c_wheels)
        chits = _list([f"x{c + 1}" for c in range(3) if state.chit_slot[c] != NONE])
        lines.append(
            f"Police ${state.cash[POLICE]} C{state.c_strength}@{_name(NODE_NAMES, state.c_at)}"
            f"{came}{gear} markers={_markers(state, POLICE)} chits={chits}"
        )
    cops = []
    for o in range(10):
        if state.cop_at[o] != NONE:
            text = f"{OFFICER_IDS[o]}@{NODE_NAMES[state.cop_at[o]]}"
            text += f"<{NODE_NAMES[state.cop_came[o]]}" if state.cop_came[o] != NONE else ""
            text += f"*{SIDES[state.cop_mover[o]]}" if state.cop_mover[o] != NONE else ""
            cops.append(text + (f"${SIDES[state.cop_share[o]]}" if state.cop_share[o] >= 0 else ""))
    publics = []
    for p in range(4):
        if state.public_at[p] != NONE:
            text = f"{PUBLIC_IDS[p]}@{NODE_NAMES[state.public_at[p]]}"
            text += f"<{NODE_NAMES[state.public_came[p]]}" if state.public_came[p] != NONE else ""
            publics.append(
                text + "i" * bool(state.informant[p]) + "m" * bool(state.public_moved[p])
            )
    joints = [
        f"{NODE_NAMES[STREETS + b]}:{SIDES[state.owner[b]]}:{state.level[b]}"
        f"{'c' * int(state.lit[b])}"
        for b in range(len(state.owner))
        if state.owner[b] != NONE
    ]
    for word, fields in (("cops", cops), ("public", publics), ("joints", joints)):
        lines.append(" ".join([word, *fields]))
    if state.over or state.phase not in MENUS:
        lines.append(f"record {_packed(state)}")
    return "\n".join(lines)


def _packed(state: State) -> str:
    """The whole record as text, for positions that the lines cannot hold (G-22.2)."""
    return base64.b64encode(zlib.compress(state.tobytes(), 9)).decode()


def _unpacked(text: str, template: Callable[..., States]) -> State:
    """The record that :func:`_packed` wrote."""
    states = template()
    try:
        packed = base64.b64decode(text, validate=True)
        data = zlib.decompressobj().decompress(packed, states.nbytes + 1)
    except (ValueError, zlib.error) as error:
        raise NotationError(f"record: {error}") from error
    if len(data) != states.nbytes:
        raise NotationError(f"record: {len(data)} bytes, must be {states.nbytes}")
    return np.frombuffer(bytearray(data), states.dtype)[0]


def _index(names: tuple[str, ...] | dict[str, int], text: str, field: str) -> int:
    if text == "-":
        return NONE
    if text not in names:
        raise NotationError(f"{field}: {text!r} must be one of {', '.join(names)}")
    return names[text] if isinstance(names, dict) else names.index(text)


def _match(pattern: str, text: str, field: str, example: str) -> re.Match[str]:
    found = re.fullmatch(pattern, text, re.ASCII)
    if not found:
        raise NotationError(f"{field}: {text!r} must look like {example}")
    return found


def _number(text: str, field: str, most: int) -> int:
    number = int(_match(r"\d{1,9}", text, field, "4")[0])
    if number > most:
        raise NotationError(f"{field}: {number}, must be at most {most}")
    return number


def _side(state: State, text: str, field: str) -> int:
    """A side at this table, or none."""
    side = _index(SIDES, text, field)
    if (side == POLICE and not state.police) or GANGS > side >= state.gangs:
        raise NotationError(f"{field}: {text} is not at the table")
    return side


PLACE: Final = r"(-|x[A-Z]|[A-Z]+\d+)(?:<(x[A-Z]|[A-Z]+\d+))?"


def _read_turn(state: State, words: list[str]) -> None:
    if len(words) < 8:
        raise NotationError(f"turn: {len(words)} fields, must be at least 8")
    state.round_number = _number(words[0], "turn: round", int(state.max_rounds))
    state.active = _side(state, words[1], "turn: active seat")
    state.phase = _index(tuple(PHASES), words[2], "turn: phase")
    if state.phase not in MENUS:
        raise NotationError(f"turn: phase {words[2]} must be a menu decision")
    state.seat = _side(state, words[3], "turn: seat to decide")
    if words[4] != "-":
        slots = COP_DICE if state.active == POLICE else tuple(range(5))
        faces = words[4].split("/")
        if len(faces) != len(slots):
            raise NotationError(f"turn: dice {words[4]!r}, must be {len(slots)} numbers")
        for slot, face in zip(slots, faces, strict=True):
            state.dice[slot] = int(_match("[1-6]", face, "turn: dice", "1 to 6")[0])
    state.used = _number(words[5], "turn: actions used", 9)
    for name in words[6].split(",") if words[6] != "-" else ():
        state.pawns[_index(GANG_NAMES[: state.gangs], name, "turn: pawns left")] = 1
    state.first_cop = int(_match("[01]", words[7], "turn: first Cop Turn begun", "0 or 1")[0])
    for word in words[8:]:
        name, _, value = word.partition("=")
        flags = {"bought": "bought", "newpublic": "new_public", "early": "early",
                 "recruitC": "recruit_c", "movedC": "moved_c"}  # fmt: skip
        if name == "offers":
            state.offers = _number(value, "turn: offers", int(state.trade_offers))
        elif name == "done":
            for officer in value.split(","):
                state.cop_done[_index(OFFICER_IDS, officer, "turn: done")] = 1
        elif name == "order":
            gangs = [_index(GANG_NAMES[: state.gangs], g, "turn: order") for g in value.split(",")]
            if sorted(gangs) != list(range(state.gangs)):
                raise NotationError(f"turn: order {value!r} must name every gang once")
            state.order[: state.gangs] = gangs
        elif word in flags:
            state[flags[word]] = 1
        else:
            raise NotationError(f"turn: {word!r} must be offers=, done=, order= or a known flag")


def _give_marker(state: State, officer: int, seat: int) -> None:
    if officer == NONE:
        return
    if officer > 8 or state.holder[officer] != NONE:
        raise NotationError(f"markers: {OFFICER_IDS[officer]!r} must be 1 to 9, held once")
    slot = int((state.slot_seat == NONE).argmax())
    state.clock += 1
    state.holder[officer], state.slot_of[officer] = seat, slot
    state.slot_seat[slot], state.slot_time[slot] = seat, state.clock


def _read_held(state: State, seat: int, word: str) -> None:
    name, _, value = word.partition("=")
    if name == "markers":
        for officer in value.split(","):
            _give_marker(state, _index(OFFICER_IDS, officer, "markers"), seat)
    elif name == "chits" and seat == POLICE:
        for slot, chit in enumerate(value.split(",") if value not in ("-", "") else ()):
            number = _index(("x1", "x2", "x3"), chit, "chits")
            if number == NONE or state.chit_slot[number] != NONE:
                raise NotationError(f"chits: {chit!r} must be x1, x2 or x3, held once")
            state.chit_slot[number] = slot
            state.clock += 1
            state.chit_full[slot], state.chit_time[slot] = 1, state.clock
    else:
        raise NotationError(f"{SIDES[seat]}: {word!r} must be markers= or, for the Police, chits=")


def _read_seat(state: State, seat: int, words: list[str]) -> None:
    name = SIDES[seat]
    cash = _match(r"\$(\d{1,6})00|\$0", words[0], f"{name}: cash", "$1200")[0]
    state.cash[seat] = int(cash[1:])
    for word in words[1:]:
        if "=" in word:
            _read_held(state, seat, word)
            continue
        letters = "C" if seat == POLICE else "RTV"
        found = _match(
            rf"([{letters}])(\d)@{PLACE}(!?)([amhxr]*)((?:\+[hwd])*)", word, name, "R5@J17"
        )
        node = _index(NODE, found[3], f"{name}: {found[1]}")
        came = _index(NODE, found[4] or "-", f"{name}: {found[1]}: came from")
        strength = int(found[2])
        if seat == POLICE:
            state.c_strength, state.c_at, state.c_came = strength, node, came
            state.c_heaters, state.c_wheels = "+h" in found[7], "+w" in found[7]
            continue
        piece = "RTV".index(found[1])
        if (strength == 0) != (node == NONE) or (piece == 2 and strength > 1):
            raise NotationError(f"{name}: {word!r}: strength and place do not fit")
        state.strength[seat, piece] = strength
        state.at[seat, piece], state.came[seat, piece] = node, came
        state.criminal[seat, piece] = bool(found[5])
        for c, field in PIECE_FLAGS.items():
            state[field][seat, piece] = c in found[6]
        for c, field in EQUIPMENT.items():
            state[field][seat, piece] = c in found[7]


def _read_cops(state: State, words: list[str]) -> None:
    for word in words:
        found = _match(rf"([1-9U])@{PLACE}(?:\*(\w+))?(?:\$(\w+))?", word, "cops", "4@NA5<NA4")
        officer = OFFICER_IDS.index(found[1])
        state.cop_at[officer] = _index(NODE, found[2], "cops")
        state.cop_came[officer] = _index(NODE, found[3] or "-", "cops: came from")
        state.cop_mover[officer] = _side(state, found[4] or "-", "cops: moved by")
        state.cop_share[officer] = _side(state, found[5] or "-", "cops: share")
        if state.cop_share[officer] == POLICE:
            raise NotationError("cops: share: Police, must be a gang")


def _read_publics(state: State, words: list[str]) -> None:
    for word in words:
        found = _match(rf"(x1a|x1b|x2|x3)@{PLACE}(i?)(m?)", word, "public", "x2@LP4<LP3")
        public = PUBLIC_IDS.index(found[1])
        state.public_at[public] = _index(NODE, found[2], "public")
        state.public_came[public] = _index(NODE, found[3] or "-", "public: came from")
        state.informant[public], state.public_moved[public] = bool(found[4]), bool(found[5])


def _read_joints(state: State, words: list[str]) -> None:
    for word in words:
        found = _match(r"([JG]\d\d):(\w+):([1-9])(c?)", word, "joints", "J17:Red:2c")
        building = _index(NODE, found[1], "joints") - STREETS
        owner = _side(state, found[2], f"joints: {found[1]}")
        if owner == NONE:
            raise NotationError(f"joints: {found[1]} needs an owner; leave it out if it has none")
        if COLOUR[building] == GRAY and owner != POLICE:
            raise NotationError(f"joints: {found[1]} is gray, only Police can own it")
        if owner == POLICE and (found[3] != "1" or found[4]):
            raise NotationError(f"joints: {found[1]} is a headquarters: level 1, never criminal")
        state.owner[building], state.level[building] = owner, int(found[3])
        state.lit[building] = bool(found[4])


def read_scene(text: str, template: Callable[..., States]) -> State:
    """A record from lines, before it is checked that the seat has a choice.

    Raises:
        NotationError: Naming the field and what is allowed.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    words = {line[0]: line[1:] for line in lines}
    allowed = ("turn", "options", *SIDES, "cops", "public", "joints")
    for line in lines:
        if line[0] not in allowed:
            raise NotationError(f"{line[0]!r}: a line must begin with {', '.join(allowed)}")
    for need in ("turn", "Red", "Green"):
        if not words.get(need):
            raise NotationError(f"{need}: the line is missing or empty")
    gangs = sum(name in words for name in GANG_NAMES)
    chosen: dict[str, Any] = {"gangs": gangs, "police": "Police" in words}
    for word in words.get("options", []):
        name, _, value = word.partition("=")
        chosen[name] = (
            {"True": True, "False": False}.get(value)
            if value[:1] in "TF"
            else (_number(value, f"options: {name}", 10**9))
        )
    state = template(**chosen)[0]
    empty(state)
    state.order[:gangs] = range(gangs)
    _read_turn(state, words["turn"])
    state.revealed = state.phase != PICK
    for seat in [*range(gangs), *([POLICE] if state.police else [])]:
        if not words.get(SIDES[seat]):
            raise NotationError(f"{SIDES[seat]}: the line is missing or empty")
        _read_seat(state, seat, words[SIDES[seat]])
    _read_cops(state, words.get("cops", []))
    _read_publics(state, words.get("public", []))
    _read_joints(state, words.get("joints", []))
    _derive(state)
    return state


def _derive(state: State) -> None:
    """Fields that follow from the lines."""
    state.step = STEP_DECIDE
    if state.phase == PICK:
        state.setup_at = int((state.owner != NONE).sum())
    if state.phase == POLICE_MOVE:
        state.moves = _police_moves(state) - int(state.used)
        if state.moves < 1:
            raise NotationError(f"turn: actions used {state.used}, must leave one")
        state.used = 0
    if 0 <= state.active < GANGS and state.strength[state.active, 0] == 0:
        state.no_racketeer = state.phase != MOVE
    if state.active == POLICE and state.c_at >= STREETS:
        building = state.c_at - STREETS
        unowned = state.owner[building] == NONE or bool(state.bought)
        state.gray_start = bool(COLOUR[building] == GRAY and unowned)


def _check_menu(state: State) -> None:
    """Whether phase, seats and dice of the ``turn`` line fit one another."""
    name = PHASES[state.phase]
    police = state.phase in COP_TURN
    wanted = POLICE if police or state.phase == COP_POLICE else int(state.active)
    if state.phase == PICK:
        picks, most = int((state.owner != NONE).sum()), FIRST_JOINTS * int(state.gangs)
        if picks >= most:
            raise NotationError(f"joints: {picks} are owned, must be less than {most} at PICK")
        wanted = int(state.order[picks % state.gangs])
    elif state.active == NONE or bool(state.active == POLICE) is not police:
        who = "Police" if police else "a gang"
        raise NotationError(f"turn: active seat of {name} must be {who}")
    if state.seat != wanted:
        raise NotationError(f"turn: seat to decide of {name} must be {_name(SIDES, wanted)}")
    if state.phase in (COP_GANG, COP_POLICE, COP_ACTIVE):
        alone = bool(state.phase == COP_ACTIVE)
        if alone is bool(state.police):
            raise NotationError(f"turn: {name} does not fit a table {_with_police(state)}")
    rolled = state.phase not in (PICK, BUY, POLICE_BUY)
    if bool(state.dice.any()) is not rolled:
        raise NotationError(f"turn: dice of {name} must be {'rolled' if rolled else '-'}")


def _with_police(state: State) -> str:
    return f"with{'' if state.police else 'out'} police"


def parse_position(game: Game, text: str) -> State:
    """A decision point from its lines.

    Raises:
        NotationError: Naming the field that is wrong and what is allowed.
    """
    head, found, packed = text.rpartition("\nrecord ")
    if found:
        whole = _unpacked(packed.strip(), game.template)
        if _turn_line(whole) != head.split("\n")[0] and not whole.over:
            raise NotationError("record: does not fit the turn line")
        return whole
    state = read_scene(text, game.template)
    _check_menu(state)
    if refill(state) < 2:
        raise NotationError(
            f"turn: {PHASES[state.phase]} must leave {SIDES[state.seat]} a choice, "
            "but there is none"
        )
    return state
