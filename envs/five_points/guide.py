"""What lies on the table of Five Points, for people, and what the game is like."""

from __future__ import annotations

from functools import cache
from typing import Final

from ..core.game import Game
from ..core.presentation.guide import About, Choice, Piece, Preset, Turn
from ..core.state import State
from .actions import BID_AT, BUILDING_AT, CELL_AT, COLOUR_AT, PLACE_AT, RABBLE_AT, TILE_AT
from .data import BUILDINGS, COLOURS, TABLES
from .state import NONE, NUM_COLOURS, PHASES, SETUP
from .words.narration import building_name

EMBLEM: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120" '
    'rx="16" fill="#1d1712"/><g stroke="#120d09" stroke-width="3"><path d="M60 60L12 12H60z" '
    'fill="#4a6f9e"/><path d="M60 60V12h48z" fill="#5b8a55"/><path d="M60 60l48-48v62z" '
    'fill="#d08a3c"/><path d="M60 60l48 14-34 34z" fill="#a84b42"/><path d="M60 60l14 48H12V74z" '
    'fill="#5b8a55"/><path d="M60 60L12 74V12z" fill="#a84b42"/></g>'
    '<g fill="#f6f1e6" stroke="#2a211b" stroke-width="2.5" stroke-linejoin="round">'
    '<path d="M42 92q-2-26 10-30a12 12 0 1 1 16 0q12 4 10 30z"/>'
    '<path d="M40 44h40v-5h-7V18H47v21h-7z" fill="#2a211b"/></g>'
    '<path d="M47 32h26v6H47z" fill="#ffd35a"/></svg>'
)

ABOUT: Final = About(
    pitch="Push your people through the streets of old New York, win the elections where most of "
    "them are, and set your bosses on the tiles.",
    minutes=(15, 30),
    weight="medium",
    emblem=EMBLEM,
    presets=(
        Preset("Standard", "Five gangs, twelve control markers of each colour.", {}),
        Preset("Quick", "Three gangs, eight control markers of each colour.",
               {"players": 3, "control_markers": 8}),
    ),
)  # fmt: skip

TILES: Final = {
    f"tile:{COLOURS[c]}": Piece(
        f"{TABLES.colour_names[c].capitalize()} {TABLES.colour_kinds[c]}",
        "Tile",
        text=(
            "The tiles with the most rabble vote at the end of the round: two at most.",
            "After an election the leader of each neighbouring tile takes a control marker of "
            "that tile's colour.",
        ),
        rules=("FP-9.2", "FP-9.6", "FP-10.2"),
    )
    for c in range(NUM_COLOURS)
}
_KIND_RULES: Final = {
    "V1": "FP-6.6", "V2": "FP-6.6", "V3": "FP-6.7", "VB": "FP-6.8", "MT": "FP-6.10",
    "MB": "FP-6.11", "CM": "FP-6.12", "MJ": "FP-6.13", "SE": "FP-6.14", "VC": "FP-6.15",
}  # fmt: skip
THINGS: Final = {
    "rabble": Piece(
        "Rabble",
        text=(
            "Each counts a vote in the election of its tile. Whoever has more than every other "
            "gang leads the tile.",
        ),
        rules=("FP-1.5", "FP-2.2", "FP-9.6"),
    ),
    "boss": Piece(
        "Boss",
        text=(
            "Whoever wins an election sets a boss on the tile; whoever stood there before leaves.",
            "5 points at the end, and a rabble more every round. All five on the board win.",
        ),
        rules=("FP-9.8", "FP-11.2", "FP-14.1", "FP-14.5"),
    ),
    "control": Piece(
        "Control markers",
        text=(
            "2 points each, and 5 more for every set of all four colours.",
            "The game ends with the round in which a pile runs out.",
        ),
        rules=("FP-10.2", "FP-14.3", "FP-14.5"),
    ),
    "hq": Piece(
        "Headquarters",
        text=("Rabble at hand: to be placed, one each turn, and to bid on markers.",),
        rules=("FP-5.2", "FP-5.5"),
    ),
    "boroughs": Piece(
        "Boroughs",
        text=(
            "Rabble out of play. Some come back to the headquarters in every round: the more, the "
            "earlier one passes.",
        ),
        rules=("FP-5.12", "FP-11.2"),
    ),
    "vp": Piece("Victory points", text=("A point each at the end.",), rules=("FP-2.5", "FP-14.5")),
    "score": Piece(
        "Score as it stands",
        text=(
            "Victory points, 5 for each boss on the board, 2 for each control marker, 5 for each "
            "set of four colours.",
        ),
        rules=("FP-14.5",),
    ),
    "votes": Piece(
        "Votes of this round",
        text=("Added to the rabble in elections, wherever they count.",),
        rules=("FP-6.5", "FP-9.6"),
    ),
    "passed": Piece(
        "Order of passing",
        text=("Who passes earlier gets more rabble back. Who passes last decides between ties.",),
        rules=("FP-5.9", "FP-5.12", "FP-9.4"),
    ),
    "total": Piece(
        "Rabble on the tile",
        text=("The tiles with the highest numbers vote.",),
        rules=("FP-9.2",),
    ),
    "special": Piece(
        "Special election",
        text=("This tile votes before the others, and beside the limit of two.",),
        rules=("FP-6.14", "FP-9.1"),
    ),
    "round": Piece(
        "Round",
        text=(
            "All place rabble and bid until they have passed; then the markers, the buildings and "
            "the elections.",
        ),
        rules=("FP-4.1",),
    ),
}
QUESTIONS: Final = {
    "SETUP": "Put an unseen building on a tile",
    "PLACE": "Place a rabble, or pass",
    "BID": "Bid on a marker?",
    "MT_TILE": "Which tile moves?",
    "MT_CELL": "Where does the tile go?",
    "MB_PICK": "Which building moves?",
    "CM_PICK": "Take a control marker",
    "SPECIAL": "Where is the special election?",
    "ST_PICK": "Which rabble is smuggled?",
    "ST_TO": "Where does the rabble go?",
    "ELECT": "Which of the tied tiles votes next?",
}


@cache
def pieces(game: Game) -> dict[str, Piece]:
    """Tiles, markers and buildings, and what else there is."""
    found = dict(TILES) | THINGS
    for name, effect in zip(TABLES.marker_names, TABLES.marker_effects, strict=True):
        found[f"marker:{name}"] = Piece(
            "Manipulation marker",
            "Highest bid of rabble takes it",
            text=(f"{effect[0].upper()}{effect[1:]}.", "For the elections of this round."),
            rules=("FP-5.5", "FP-6.3", _KIND_RULES[name[:2]]),
        )
    for k, code in enumerate(BUILDINGS):
        effect = TABLES.building_effects[k]
        found[f"building:{code}"] = Piece(
            TABLES.building_names[k],
            "Building",
            text=(
                f"{effect[0].upper()}{effect[1:]}.",
                "For the gang that leads its tile when all have passed.",
            ),
            rules=("FP-7.2", f"FP-7.{4 + k}"),
        )
    found["building"] = Piece(
        "Unseen building", "Building", text=("It is turned up before the first rabble is placed.",),
        rules=("FP-3.5", "FP-3.10"),
    )  # fmt: skip
    return found


def question(game: Game, state: State) -> str:
    """What the deciding seat is asked."""
    if state.over or state.seat < 0:
        return ""
    phase = PHASES[state.phase]
    if phase == "MB_TO" and state.picked != NONE:
        return f"Where does {building_name(state, int(state.picked))} go?"
    return QUESTIONS.get(phase, "")


def choice(game: Game, state: State, action: int) -> Choice:
    """The kind of an action."""
    for start, end, group in (
        (PLACE_AT, BID_AT, "Place a rabble"), (BID_AT, TILE_AT, "Bid on a marker"),
        (TILE_AT, CELL_AT, "Tile"), (CELL_AT, COLOUR_AT, "Place of the tile"),
        (RABBLE_AT, BUILDING_AT, "Rabble"),
    ):  # fmt: skip
        if start <= action < end:
            return Choice(group)
    return Choice()


def turn(game: Game, state: State) -> Turn:
    """The round, and whose turn it is in it."""
    seat = int(state.seat)
    if state.phase == SETUP:
        return Turn("The city is laid out", seat)
    return Turn(
        f"Round {int(state.round_number)}", seat if PHASES[state.phase] in ("PLACE", "BID") else -1
    )
