"""Board and numbers of Gangsters, loaded from the JSON files beside this one and checked (G-2).

Most of the map and several tables are reconstructions; the files say which. Whoever owns the
printed game can replace them: nothing here is tied to the reconstructed numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..core.errors import GanglandError

STREETS: Final = 101
BUILDINGS: Final = 51
NODES: Final = STREETS + BUILDINGS
JOINTS: Final = 39
COLOURS: Final = ("Red", "Purple", "Blue", "Green", "Yellow", "Brown")
GRAY: Final = len(COLOURS)
GANG_NAMES: Final = ("Red", "Green", "Yellow", "Brown")
SIDES: Final = (*GANG_NAMES, "Police")
MAX_DEGREE: Final = 8
_FOLDER = Path(__file__).parent


class BoardError(GanglandError, ValueError):
    """The board or data file is broken; the message names the space, joint or entry."""


def read(name: str) -> dict[str, Any]:
    """A JSON file of this folder."""
    found: dict[str, Any] = json.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return found


def check_board(board: dict[str, Any]) -> None:
    """Check a board: indices, neighbours both ways, doors, Subways, sharp turns.

    Raises:
        BoardError: Naming the space or building and what is wrong with it.
    """
    spaces, buildings = board["spaces"], board["buildings"]
    for kind, table, first in (("space", spaces, 0), ("building", buildings, STREETS)):
        wanted = STREETS if kind == "space" else BUILDINGS
        if len(table) != wanted:
            raise BoardError(f"{kind}s: there are {len(table)}, must be {wanted}")
        for place, (code, entry) in enumerate(table.items()):
            if entry.get("index") != first + place:
                raise BoardError(
                    f"{kind} {code}: index {entry.get('index')!r}, not {first + place}"
                )
    for code, entry in spaces.items():
        if len(entry["adj"]) < 2:
            raise BoardError(f"space {code}: a street must not be a dead end")
        for other in entry["adj"]:
            if other not in spaces:
                raise BoardError(f"space {code}: unknown neighbour {other!r}")
            if code not in spaces[other]["adj"]:
                raise BoardError(f"space {code}: neighbour {other} does not lead back")
    for code, entry in buildings.items():
        if not entry["doors"]:
            raise BoardError(f"building {code}: has no door")
        for door in entry["doors"]:
            if door not in spaces:
                raise BoardError(f"building {code}: unknown door {door!r}")
        if entry["colour"] not in (*COLOURS, "Gray"):
            raise BoardError(f"building {code}: unknown colour {entry['colour']!r}")
    if sorted(board["subways"]) != [str(n) for n in range(1, 7)]:
        raise BoardError(f"subways: {sorted(board['subways'])}, must be 1 to 6")
    for number, code in board["subways"].items():
        if code not in spaces:
            raise BoardError(f"subway {number}: unknown space {code!r}")
    for turn in board["sharp_turns"]:
        for a, b, c in turn["triples"]:
            if b not in spaces or a not in spaces[b]["adj"] or c not in spaces[b]["adj"]:
                raise BoardError(f"sharp turn {a}-{b}-{c}: not a walk on the map")


def check_numbers(data: dict[str, Any], board: dict[str, Any]) -> None:
    """Check the number tables against the board.

    Raises:
        BoardError: Naming the entry.
    """
    colours = [entry["colour"] for entry in board["buildings"].values()]
    for colour in COLOURS:
        entry = data["joint_colours"].get(colour)
        if entry is None:
            raise BoardError(f"joint_colours: {colour} is missing")
        if entry["count"] != colours.count(colour):
            raise BoardError(
                f"joint_colours {colour}: count {entry['count']}, the board has "
                f"{colours.count(colour)}"
            )
        if entry["price"] <= 0 or entry["price"] % 100:
            raise BoardError(f"joint_colours {colour}: price {entry['price']}, not in hundreds")
    if [officer["id"] for officer in data["officers"]] != list("123456789U"):
        raise BoardError("officers: must be 1 to 9 and U in this order")
    if [public["id"] for public in data["publics"]] != ["x1a", "x1b", "x2", "x3"]:
        raise BoardError("publics: must be x1a, x1b, x2, x3 in this order")
    names = list(board["buildings"])
    for name in data["guard_dice_overrides"]:
        if name not in names:
            raise BoardError(f"guard_dice_overrides: no joint is called {name!r}")


BOARD: Final = read("gangsters_board.json")
DATA: Final = read("gangsters_data.json")
check_board(BOARD)
check_numbers(DATA, BOARD)

NODE_NAMES: Final = (
    *BOARD["spaces"],
    *(entry["code"] for entry in BOARD["buildings"].values()),
)
NODE: Final = {code: index for index, code in enumerate(NODE_NAMES)}
BUILDING_NAMES: Final = tuple(BOARD["buildings"])


def _neighbours() -> np.ndarray[Any, Any]:
    found: list[set[int]] = [set() for _ in range(NODES)]
    for code, entry in BOARD["spaces"].items():
        found[NODE[code]] |= {NODE[other] for other in entry["adj"]}
    for entry in BOARD["buildings"].values():
        code = entry["code"]
        for door in entry["doors"]:
            found[NODE[code]].add(NODE[door])
            found[NODE[door]].add(NODE[code])
    table = np.full((NODES, MAX_DEGREE), -1, np.int16)
    for node, others in enumerate(found):
        table[node, : len(others)] = sorted(others)
    return table


NEIGHBOURS: Final = _neighbours()
"""int16 (152, 8): nodes one step away, ascending, then -1 (G-2.1)."""
SUBWAYS: Final = np.array([NODE[BOARD["subways"][str(n)]] for n in range(1, 7)], np.int16)
"""int16 (6,): node of Subway #1 to #6."""
IS_SUBWAY: Final = np.isin(np.arange(NODES), SUBWAYS)
PLAIN: Final = np.array(
    [
        entry["kind"] == "street" and not IS_SUBWAY[entry["index"]]
        for entry in BOARD["spaces"].values()
    ]
    + [False] * BUILDINGS
)
"""bool (152,): street spaces on which a piece keeps its facing (G-6.5)."""
COLOUR: Final = np.array(
    [(*COLOURS, "Gray").index(entry["colour"]) for entry in BOARD["buildings"].values()], np.int8
)
PRICE: Final = np.array(
    [
        DATA["gray"]["hq_price"]
        if colour == GRAY
        else DATA["joint_colours"][COLOURS[colour]]["price"]
        for colour in COLOUR
    ],
    np.int32,
)
COLOUR_COUNT: Final = np.bincount(COLOUR, minlength=GRAY + 1).astype(np.int8)
GUARD_DICE: Final = np.array(
    [
        DATA["guard_dice_overrides"].get(
            name,
            0 if colour == GRAY else DATA["joint_colours"][COLOURS[colour]]["guard_dice"],
        )
        for name, colour in zip(BUILDING_NAMES, COLOUR, strict=True)
    ],
    np.int8,
)
HQ_GUARD_DICE: Final = int(DATA["headquarters"]["guard_dice"])
OFFICER_DICE: Final = np.array([officer["dice"] for officer in DATA["officers"]], np.int8)
OFFICER_IDS: Final = tuple(officer["id"] for officer in DATA["officers"])
PUBLIC_IDS: Final = tuple(public["id"] for public in DATA["publics"])
PUBLIC_VALUE: Final = np.array([public["value"] for public in DATA["publics"]], np.int8)
CHIT_IDS: Final = tuple(DATA["informant"]["chits"])
PUBLIC_CHIT: Final = np.array([CHIT_IDS.index(p["chit"]) for p in DATA["publics"]], np.int8)
LADDER: Final = np.array(DATA["trade"]["cash_ladder"], np.int32)
HIT_MIN: Final = np.array([DATA["racketeer"]["hit_min"], DATA["thug"]["hit_min"]], np.int8)
GUARD_HIT_MIN: Final = int(DATA["guard_hit_min"]["joint"])
HQ_HIT_MIN: Final = int(DATA["guard_hit_min"]["headquarters"])
COP_HIT_MIN: Final = int(DATA["cop_hit_min"]["value"])
COMMISSIONER_HIT_MIN: Final = int(DATA["commissioner"]["hit_min"])
COMMISSIONER_HEATERS_MIN: Final = int(DATA["commissioner"]["hit_min_heaters"])
ALLOWANCE: Final = int(DATA["start_money"]["joint_allowance"])
GANG_MONEY: Final = int(DATA["start_money"]["gang_money"])
FIRST_JOINTS: Final = int(DATA["start_money"]["joints"])
POLICE_MONEY: Final = int(DATA["commissioner"]["start_cash"])
SETUP_MAX: Final = int(DATA["racketeer"]["setup_max"])
STRENGTH_MAX: Final = np.array([DATA[k]["strength_max"] for k in ("racketeer", "thug", "vamp")])
COMMISSIONER_MAX: Final = int(DATA["commissioner"]["strength_max"])
VAMP_COST: Final = int(DATA["vamp"]["cost"])
EQUIPMENT_COST: Final = int(DATA["equipment"]["heaters"])
LEVEL_MAX: Final = int(DATA["joint_level_max"]["value"])
CRIME_LEVEL_MAX: Final = int(DATA["crime_level"]["max"])
SALARY_BELOW: Final = int(DATA["salary"]["below"])
CASH_TO_WIN: Final = int(DATA["win"]["cash"])
JOINTS_TO_WIN: Final = int(DATA["win"]["joints"])
HQ_TO_WIN: Final = int(DATA["win"]["police_headquarters"])
