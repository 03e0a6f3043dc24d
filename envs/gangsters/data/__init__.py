"""Board and numbers of Gangsters: the JSON files, their checks, and tables made from them (G-2).

Most of the map and several tables are reconstructions; the files say which. Whoever owns the
printed game can replace them: nothing here is tied to the reconstructed numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from . import checks
from .checks import COLOURS, BoardError, check_board, check_numbers

STREETS: Final = checks.STREETS
BUILDINGS: Final = checks.BUILDINGS
JOINTS: Final = checks.JOINTS
MAX_DEGREE: Final = checks.MAX_DEGREE
NODES: Final = STREETS + BUILDINGS
GRAY: Final = len(COLOURS)
GANG_NAMES: Final = ("Red", "Green", "Yellow", "Brown")
SIDES: Final = (*GANG_NAMES, "Police")
_FOLDER = Path(__file__).parent


def read(path: Path) -> dict[str, Any]:
    """A JSON file.

    Raises:
        BoardError: The file is missing or is no JSON; names it and the line.
    """
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BoardError(f"{path.name}: {error}") from error
    return found


BOARD: Final = read(_FOLDER / "board.json")
DATA: Final = read(_FOLDER / "numbers.json")
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
OFFER_CASH: Final = np.concatenate([[0], LADDER, -LADDER]).astype(np.int32)
"""int32 (33,): cash that the partner gets, by step of an offer: none, given, asked for."""
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
MEMBER_COST: Final = int(DATA["racketeer"]["cost_step"])
"""Price of the first member of a piece; the n-th costs n times as much (G-2.10)."""
STRENGTH_MAX: Final = np.array([DATA[k]["strength_max"] for k in ("racketeer", "thug", "vamp")])
COMMISSIONER_MAX: Final = int(DATA["commissioner"]["strength_max"])
VAMP_COST: Final = int(DATA["vamp"]["cost"])
HEATERS_COST: Final = int(DATA["equipment"]["heaters"])
WHEELS_COST: Final = int(DATA["equipment"]["wheels"])
DRESS_COST: Final = int(DATA["equipment"]["dress"])
EQUIPMENT_COST: Final = np.array(
    [HEATERS_COST, WHEELS_COST, HEATERS_COST, WHEELS_COST, WHEELS_COST, DRESS_COST, HEATERS_COST,
     WHEELS_COST], np.int32,
)  # fmt: skip
"""int32 (8,): price of each of the actions on equipment, in their order (G-21)."""
LEVEL_MAX: Final = int(DATA["joint_level_max"]["value"])
CRIME_LEVEL_MAX: Final = int(DATA["crime_level"]["max"])
SALARY_BELOW: Final = int(DATA["salary"]["below"])
CASH_TO_WIN: Final = int(DATA["win"]["cash"])
JOINTS_TO_WIN: Final = int(DATA["win"]["joints"])
HQ_TO_WIN: Final = int(DATA["win"]["police_headquarters"])
CHEAPEST_JOINT: Final = int(PRICE[:JOINTS].min())
BRIBE_PIP: Final = int(DATA["bribe_markers"]["price_per_blue_pip"])
HIRE_PIP: Final = int(DATA["informant"]["price_per_white_pip"])
EXTORTION_PIP: Final = int(DATA["extortion_per_pip"]["value"])
SALARY_STEP: Final = int(DATA["salary"]["per_level"])
CRIMINALS_PER_LEVEL: Final = int(DATA["crime_level"]["criminal_pieces_per_level"])
"""Default of the option."""
RACKETEERS_PER_ACTION: Final = int(DATA["actions_per_turn"]["racketeers_per_action"])
ACTIONS_MIN: Final = int(DATA["actions_per_turn"]["minimum"])
SEDUCED: Final = int(DATA["vamp"]["members_per_visit"])
SEDUCED_WITH_DRESS: Final = int(DATA["vamp"]["members_per_visit_with_dress"])
