"""Scenes of the worked examples: the base position, changed field by field, with given chance."""

from __future__ import annotations

from functools import partial

from gangland.envs import load
from gangland.envs.core.kernel import kernel
from gangland.envs.gangsters.data import (
    GANG_NAMES,
    NODE,
    NODE_NAMES,
    OFFICER_IDS,
    PUBLIC_IDS,
    SIDES,
)
from gangland.envs.gangsters.rules.engine import run as run_rules
from gangland.envs.gangsters.state import NONE, PHASES, STEP_DECIDE, STEP_PICK
from gangland.envs.gangsters.words import notation

from ..scenes import chance_seed, legal_texts, play_texts
from ..scenes import dice as dice_draws

GAME = load("gangsters")
play = partial(play_texts, GAME)
legal = partial(legal_texts, GAME)

GANGS = """
Red $1000 R4@J17 T2@J16 V1@J31 markers=-
Green $1000 R4@J10 T2@J11 V1@J32 markers=-
Yellow $1000 R4@J23 T2@J24 V1@J26 markers=-
Brown $1000 R4@J05 T2@J06 V1@J37 markers=-
joints J16:Red:1 J17:Red:1 J31:Red:1 J10:Green:1 J11:Green:1 J32:Green:1 J23:Yellow:1 \
J24:Yellow:1 J26:Yellow:1 J05:Brown:1 J06:Brown:1 J37:Brown:1
"""


def scene(
    *changes, active="Red", phase="COP_POLICE", dice="1/1/1/1/1", police=True, pawns="-", **options
):
    """The base position at a menu decision of ``active``, with changes (see :func:`put`)."""
    options = {"trade_offers": 0, **options}
    seat = "Police" if phase == "COP_POLICE" or active == "Police" else active
    text = f"turn 1 {active} {phase} {seat} {dice} 0 {pawns} 0\n" + GANGS
    text += "options " + " ".join(f"{k}={v}" for k, v in options.items()) + "\n"
    if police:
        text += "Police $700 C4@NA3 markers=- chits=-\n"
    state = notation.read_scene(text, GAME.template)
    for change in changes:
        put(state, *change.split())
    return state


def setup_scene(*joints, order="Red,Green,Yellow,Brown", **options):
    """The set-up after the given joints (``J01:Red``) have been picked, up to the next choice."""
    owned = " ".join(f"{joint}:1" for joint in joints)
    seat = order.split(",")[len(joints) % 4]
    text = f"turn 0 - PICK {seat} - 0 - 0 order={order}\n"
    text += "".join(f"{side} $0 R0@- T0@- V0@- markers=-\n" for side in GANG_NAMES)
    text += f"Police $1700 C0@- markers=- chits=-\njoints {owned}\n"
    if options:
        text += "options " + " ".join(f"{k}={v}" for k, v in options.items()) + "\n"
    return settle_step(notation.read_scene(text, GAME.template), STEP_PICK)


def put(state, what, *fields):
    """Change one thing: ``Red.T 2@G02!``, ``Red $300``, ``cop 4@NA5<NA4``, ``public x3@J17i``,
    ``joint J17:Red:2c``, ``joint J16:-``, ``Red markers=4``, ``commissioner 4@J12``."""
    if what in ("cop", "public", "joint"):
        for field in fields:
            if what == "joint" and field.endswith(":-"):
                b = NODE[field[:3]] - 101
                state.owner[b], state.level[b], state.lit[b] = NONE, 0, 0
            else:
                reader = {
                    "cop": notation._read_cops,
                    "public": notation._read_publics,
                    "joint": notation._read_joints,
                }[what]
                reader(state, [field])
    elif what == "commissioner":
        strength, place = fields[0].split("@")
        state.c_strength, state.c_at, state.c_came = int(strength), NODE.get(place, NONE), NONE
    elif what == "first_cop":
        state.first_cop = 1
    elif "." in what:
        side, letter = what.split(".")
        gang = GANG_NAMES.index(side)
        cash = state.cash[gang]
        notation._read_seat(state, gang, [f"${cash}", f"{letter}{fields[0]}"])
    else:
        seat = SIDES.index(what)
        for field in fields:
            if field.startswith("$"):
                state.cash[seat] = int(field[1:])
            else:
                notation._read_held(state, seat, field)


def chance(state, *draws):
    """The next draws: an int is a die face, a pair is (bound, value)."""
    pairs = [d if isinstance(d, tuple) else dice_draws(d)[0] for d in draws]
    state.rng = chance_seed(pairs)
    return state


@kernel
def resume(state):
    """Go on from the step that is due."""
    run_rules(state)


def settle_step(state, step=STEP_DECIDE):
    """Fill the mask; forced decisions are played."""
    state.step = step
    if state.active >= 0 and state.active < 4:
        state.no_racketeer = state.strength[state.active, 0] == 0
    resume(state)
    return state


def run(state, *texts):
    """From a scene: forced decisions, then these actions."""
    return play(settle_step(state), *texts)


def phase(state):
    return PHASES[state.phase]


def gos(state):
    """Names of the nodes that can be chosen."""
    return {text[3:] for text in legal(state) if text.startswith("go ")}


def seat(state):
    """The side that decides."""
    return SIDES[state.seat]


def commissioner(state):
    """``strength@node`` of the Commissioner, ``strength@-`` off the board."""
    place = NODE_NAMES[state.c_at] if state.c_at != NONE else "-"
    return f"{state.c_strength}@{place}"


def skip(state, until):
    """Decline everything up to a phase (or the end of the game)."""
    while not state.over and phase(state) != until:
        play(state, "end")
    return state


def piece(state, name):
    """``strength@node`` with ``!`` if criminal, ``-`` off the board."""
    side, letter = name.split(".")
    gang, p = GANG_NAMES.index(side), "RTV".index(letter)
    node = state.at[gang, p]
    if node == NONE:
        return "-"
    return f"{state.strength[gang, p]}@{NODE_NAMES[node]}" + "!" * int(state.criminal[gang, p])


def cash(state, side):
    return int(state.cash[SIDES.index(side)])


def joint(state, code):
    """``Owner:level`` with ``c`` if criminal, ``-`` if unowned."""
    b = NODE[code] - 101
    if state.owner[b] == NONE:
        return "-"
    return f"{SIDES[state.owner[b]]}:{state.level[b]}" + "c" * int(state.lit[b])


def cop(state, officer):
    node = state.cop_at[OFFICER_IDS.index(officer)]
    return NODE_NAMES[node] if node != NONE else "-"


def public(state, name):
    node = state.public_at[PUBLIC_IDS.index(name)]
    return NODE_NAMES[node] if node != NONE else "-"


def holder(state, officer):
    seat = state.holder[int(officer) - 1]
    return SIDES[seat] if seat != NONE else "cup"


HQ = ("joint J10:Police:1", "Green.R 4@J11")


def cop_turn(*changes, step="INFORMANTS", dice="1/1/1", **options):
    """A Cop Turn from one of its menus on."""
    dice = "-" if step == "POLICE_BUY" else dice
    return run(scene("first_cop", *changes, active="Police", phase=step, dice=dice, **options))


def finish(state):
    """Decline everything until the Cop Turn is over."""
    while not state.over and state.active == 4:
        play(state, "end")
    return state
