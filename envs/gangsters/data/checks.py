"""Checks of the board and number files: a broken one gets an error that names the place (G-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from ...core.errors import GanglandError

STREETS: Final = 101
BUILDINGS: Final = 51
JOINTS: Final = 39
COLOURS: Final = ("Red", "Purple", "Blue", "Green", "Yellow", "Brown")
KINDS: Final = ("street", "intersection")
MAX_DEGREE: Final = 8
LADDER_STEPS: Final = 16
DIE: Final = range(1, 7)

# Numbers of the data file: least and greatest value, and of what they are a multiple. The bounds
# are those of the action space, of the notation and of the record.
BOUNDS: Final = {
    "racketeer.cost_step": (100, 10_000, 100),
    "racketeer.hit_min": (2, 6, 1),
    "racketeer.strength_max": (1, 9, 1),
    "racketeer.setup_max": (1, 9, 1),
    "thug.cost_step": (100, 10_000, 100),
    "thug.hit_min": (2, 6, 1),
    "thug.strength_max": (1, 9, 1),
    "thug.setup_max": (1, 9, 1),
    "vamp.cost": (100, 10_000, 100),
    "vamp.strength_max": (1, 1, 1),
    "vamp.members_per_visit": (1, 9, 1),
    "vamp.members_per_visit_with_dress": (1, 9, 1),
    "commissioner.cost_step": (100, 10_000, 100),
    "commissioner.hit_min": (2, 6, 1),
    "commissioner.hit_min_heaters": (1, 6, 1),
    "commissioner.strength_max": (1, 9, 1),
    "commissioner.strength_min_setup": (1, 1, 1),
    "commissioner.start_cash": (0, 100_000, 100),
    "start_money.joint_allowance": (0, 100_000, 100),
    "start_money.gang_money": (0, 100_000, 100),
    "start_money.joints": (1, 9, 1),
    "guard_hit_min.joint": (2, 6, 1),
    "guard_hit_min.headquarters": (2, 6, 1),
    "headquarters.guard_dice": (0, 12, 1),
    "headquarters.level": (1, 1, 1),
    "joint_level_max.value": (1, 9, 1),
    "gray.hq_price": (100, 10_000, 100),
    "cop_hit_min.value": (2, 6, 1),
    "bribe_markers.worthless": (1, 1, 1),
    "bribe_markers.price_per_blue_pip": (100, 10_000, 100),
    "bribe_markers.share_fraction": (0.5, 0.5, 0.5),
    "bribe_markers.round_up_to": (100, 100, 100),
    "informant.price_per_white_pip": (100, 10_000, 100),
    "crime_level.criminal_pieces_per_level": (1, 12, 1),
    "crime_level.max": (1, 12, 1),
    "salary.below": (0, 12, 1),
    "salary.per_level": (0, 10_000, 100),
    "extortion_per_pip.value": (100, 10_000, 100),
    "actions_per_turn.racketeers_per_action": (1, 9, 1),
    "actions_per_turn.minimum": (1, 9, 1),
    "equipment.heaters": (100, 100_000, 100),
    "equipment.wheels": (100, 100_000, 100),
    "equipment.dress": (100, 100_000, 100),
    "forced_sale.fraction": (0.5, 0.5, 0.5),
    "forced_sale.round_up_to": (100, 100, 100),
    "win.cash": (100, 1_000_000, 100),
    "win.joints": (1, JOINTS, 1),
    "win.police_headquarters": (1, BUILDINGS, 1),
}  # fmt: skip


class BoardError(GanglandError, ValueError):
    """The board or data file is broken; the message names the space, joint or entry."""


def _demand(holds: object, place: str, what: str) -> None:
    if not holds:
        raise BoardError(f"{place}: {what}")


def _field(entry: Mapping[str, Any], name: str, kind: type, place: str) -> Any:
    found = entry.get(name)
    right = isinstance(found, kind) and not (kind is int and isinstance(found, bool))
    _demand(right, place, f"{name} is {found!r}, must be a {kind.__name__}")
    return found


def _check_xy(entry: Mapping[str, Any], place: str) -> None:
    xy = _field(entry, "xy", list, place)
    right = len(xy) == 2 and all(isinstance(number, (int, float)) for number in xy)
    _demand(right, place, f"xy is {xy!r}, must be two numbers")


def _check_links(links: list[str], spaces: Mapping[str, Any], place: str, what: str) -> None:
    for other in links:
        _demand(other in spaces, place, f"unknown {what} {other!r}")
    _demand(len(set(links)) == len(links), place, f"{what} named twice in {links}")


def _check_spaces(spaces: Mapping[str, Any]) -> None:
    _demand(len(spaces) == STREETS, "spaces", f"there are {len(spaces)}, must be {STREETS}")
    for index, (code, entry) in enumerate(spaces.items()):
        place = f"space {code}"
        _demand(entry.get("index") == index, place, f"index {entry.get('index')!r}, not {index}")
        _field(entry, "name", str, place)
        _demand(
            entry.get("kind") in KINDS,
            place,
            f"kind is {entry.get('kind')!r}, must be {' or '.join(KINDS)}",
        )
        _check_xy(entry, place)
        links = _field(entry, "adj", list, place)
        _check_links(links, spaces, place, "neighbour")
        _demand(len(links) >= 2, place, "a street must not be a dead end")
        _demand(code not in links, place, "is its own neighbour")
    for code, entry in spaces.items():
        for other in entry["adj"]:
            _demand(
                code in spaces[other]["adj"],
                f"space {code}",
                f"neighbour {other} does not lead back",
            )


def _check_buildings(buildings: Mapping[str, Any], spaces: Mapping[str, Any]) -> None:
    _demand(
        len(buildings) == BUILDINGS,
        "buildings",
        f"there are {len(buildings)}, must be {BUILDINGS}",
    )
    for k, (name, entry) in enumerate(buildings.items()):
        place = f"building {name}"
        index = STREETS + k
        _demand(entry.get("index") == index, place, f"index {entry.get('index')!r}, not {index}")
        code = f"J{k + 1:02}" if k < JOINTS else f"G{k + 1 - JOINTS:02}"
        _demand(entry.get("code") == code, place, f"code {entry.get('code')!r}, must be {code}")
        place = f"building {code} {name}"
        allowed = COLOURS if k < JOINTS else ("Gray",)
        _demand(
            entry.get("colour") in allowed,
            place,
            f"colour is {entry.get('colour')!r}, must be {', '.join(allowed)}",
        )
        _check_xy(entry, place)
        doors = _field(entry, "doors", list, place)
        _demand(doors, place, "has no door")
        _check_links(doors, spaces, place, "door")


def _check_degrees(spaces: Mapping[str, Any], buildings: Mapping[str, Any]) -> None:
    for code, entry in spaces.items():
        doors = sum(code in other["doors"] for other in buildings.values())
        ways = len(entry["adj"]) + doors
        _demand(ways <= MAX_DEGREE, f"space {code}", f"{ways} ways, must be at most {MAX_DEGREE}")


def _check_subways(subways: Mapping[str, str], spaces: Mapping[str, Any]) -> None:
    numbers = [str(n) for n in DIE]
    _demand(sorted(subways) == numbers, "subways", f"{sorted(subways)}, must be 1 to 6")
    for number, code in subways.items():
        _demand(code in spaces, f"subway {number}", f"unknown space {code!r}")
        _demand(
            spaces[code].get("subway") == int(number),
            f"space {code}",
            f"subway is {spaces[code].get('subway')!r}, must be {number}",
        )
    for code, entry in spaces.items():
        _demand(
            "subway" not in entry or code in subways.values(),
            f"space {code}",
            "is no Subway in the table of Subways",
        )


def walks(links: Callable[[str], Iterable[str]], start: str, barred: str | None) -> set[int]:
    """Lengths of 1 to 6 for which a walk exists that enters no node twice.

    Args:
        links: Neighbours of a node.
        start: Where it begins.
        barred: The node that its first step may not enter, if any (G-6.5).
    """
    found: set[int] = set()
    paths: list[tuple[str, ...]] = [(start,)]
    for length in DIE:
        paths = [
            (*path, node)
            for path in paths
            for node in links(path[-1])
            if node not in path and not (length == 1 and node == barred)
        ]
        if paths:
            found.add(length)
    return found


def _check_walks(spaces: Mapping[str, Any], buildings: Mapping[str, Any]) -> None:
    """From every node, in every facing, a walk along the streets exists (G-20.3)."""

    def links(code: str) -> Iterable[str]:
        return doors[code] if code in doors else spaces[code]["adj"]

    doors = {entry["code"]: entry["doors"] for entry in buildings.values()}
    behind: dict[str, list[str | None]] = {code: [None, *spaces[code]["adj"]] for code in spaces}
    for code in [*spaces, *doors]:
        for barred in behind.get(code, [None]):
            missing = sorted(set(DIE) - walks(links, code, barred))
            facing = f" for a piece that came from {barred}" if barred else ""
            _demand(not missing, f"space {code}", f"no walk of {missing} steps{facing}")


def _check_one_jump(board: Mapping[str, Any]) -> None:
    """The labels of one-jump joints are those that follow from the map (G-2.4)."""
    spaces = board["spaces"]
    for name, entry in list(board["buildings"].items())[:JOINTS]:
        found = []
        for number in DIE:
            paths: list[tuple[str, ...]] = [(board["subways"][str(number)],)]
            for _ in range(number - 2):
                paths = [
                    (*path, code)
                    for path in paths
                    for code in spaces[path[-1]]["adj"]
                    if code not in path
                ]
            if number > 1 and any(path[-1] in entry["doors"] for path in paths):
                found.append(number)
        place = f"building {entry['code']} {name}"
        what = f"one_jump is {entry.get('one_jump')!r}, must be {found} by the map"
        _demand(entry.get("one_jump") == found, place, what)


def _check_connected(spaces: Mapping[str, Any]) -> None:
    seen, todo = set[str](), [next(iter(spaces))]
    while todo:
        code = todo.pop()
        if code not in seen:
            seen.add(code)
            todo += spaces[code]["adj"]
    for code in spaces:
        _demand(code in seen, f"space {code}", "no street leads here from the first space")


def check_board(board: Mapping[str, Any]) -> None:
    """Check a board: indices, neighbours both ways, doors, Subways, walks, sharp turns.

    Raises:
        BoardError: Naming the space or building, what is wrong with it and what is allowed.
    """
    for part in ("spaces", "buildings", "subways", "sharp_turns"):
        _demand(part in board, part, "is missing from the board")
    spaces, buildings = board["spaces"], board["buildings"]
    _check_spaces(spaces)
    _check_connected(spaces)
    _check_buildings(buildings, spaces)
    _check_degrees(spaces, buildings)
    _check_subways(board["subways"], spaces)
    _check_walks(spaces, buildings)
    _check_one_jump(board)
    for turn in board["sharp_turns"]:
        for a, b, c in turn["triples"]:
            walk = b in spaces and a in spaces[b]["adj"] and c in spaces[b]["adj"]
            _demand(walk, f"sharp turn {a}-{b}-{c}", "not a walk on the map")


def _check_bounds(data: Mapping[str, Any]) -> None:
    for name, (low, high, step) in BOUNDS.items():
        table, key = name.split(".")
        value = data.get(table, {}).get(key)
        right = (
            isinstance(value, (int, float))
            and not isinstance(value, bool)
            and low <= value <= high
            and value % step == 0
        )
        unit = f" in steps of {step}" if step > 1 else ""
        allowed = str(low) if low == high else f"{low} to {high}{unit}"
        _demand(right, name, f"{value!r}, must be {allowed}")
    for name in ("thug.cost_step", "commissioner.cost_step", "thug.setup_max"):
        table, key = name.split(".")
        same = data[table][key] == data["racketeer"][key]
        _demand(same, name, f"{data[table][key]}, must be the same as racketeer.{key}")


def _check_colours(data: Mapping[str, Any], board: Mapping[str, Any]) -> None:
    for colour in COLOURS:
        place = f"joint_colours {colour}"
        entry = data["joint_colours"].get(colour)
        _demand(entry is not None, place, "is missing")
        names = [n for n, e in board["buildings"].items() if e["colour"] == colour]
        _demand(
            entry["count"] == len(names),
            place,
            f"count {entry['count']}, the board has {len(names)}",
        )
        price = entry["price"]
        _demand(price > 0 and price % 100 == 0, place, f"price {price}, must be hundreds of $")
        dice = entry["guard_dice"]
        _demand(0 <= dice <= 12, place, f"guard_dice {dice}, must be 0 to 12")
        for name in names:
            found = board["buildings"][name].get("price")
            code = board["buildings"][name]["code"]
            what = f"price {found!r}, {colour} joints cost {price}"
            _demand(found == price, f"building {code} {name}", what)
    for name, dice in data["guard_dice_overrides"].items():
        _demand(name in board["buildings"], "guard_dice_overrides", f"no joint is called {name!r}")
        _demand(0 <= dice <= 12, f"guard_dice_overrides {name}", f"{dice}, must be 0 to 12")


def _check_pieces(data: Mapping[str, Any]) -> None:
    ids = [officer["id"] for officer in data["officers"]]
    _demand(ids == list("123456789U"), "officers", f"{ids}, must be 1 to 9 and U in this order")
    for officer in data["officers"]:
        dice = officer["dice"]
        _demand(1 <= dice <= 9, f"officer {officer['id']}", f"dice {dice}, must be 1 to 9")
        bribable = officer["id"] != "U"
        _demand(
            officer["bribable"] is bribable,
            f"officer {officer['id']}",
            f"bribable must be {str(bribable).lower()}",
        )
    markers = data["bribe_markers"]["officers"]
    _demand(markers == ids[:9], "bribe_markers.officers", f"{markers}, must be 1 to 9")
    ids = [public["id"] for public in data["publics"]]
    wanted = ["x1a", "x1b", "x2", "x3"]
    _demand(ids == wanted, "publics", f"{ids}, must be {', '.join(wanted)} in this order")
    chits = data["informant"]["chits"]
    _demand(chits == ["x1", "x2", "x3"], "informant.chits", f"{chits}, must be x1, x2, x3")
    for public in data["publics"]:
        place = f"public {public['id']}"
        _demand(public["chit"] in chits, place, f"chit {public['chit']!r}, must be x1, x2 or x3")
        _demand(1 <= public["value"] <= 9, place, f"value {public['value']}, must be 1 to 9")


def _check_first_pick(data: Mapping[str, Any], board: Mapping[str, Any]) -> None:
    """The first gang can choose among joints: it is asked without a look at the prices (G-3.3)."""
    prices = [entry["price"] for entry in list(board["buildings"].values())[:JOINTS]]
    money = data["start_money"]
    limit = money["joint_allowance"] - (money["joints"] - 1) * min(prices)
    found = sum(price <= limit for price in prices)
    what = f"{money['joint_allowance']} affords {found} joints at the first pick, must afford two"
    _demand(found >= 2, "start_money.joint_allowance", what)


def check_numbers(data: Mapping[str, Any], board: Mapping[str, Any]) -> None:
    """Check the number tables, also against the board.

    Raises:
        BoardError: Naming the entry, its value and what is allowed.
    """
    tables = {name.split(".")[0] for name in BOUNDS}
    for part in (*sorted(tables), "joint_colours", "guard_dice_overrides", "officers", "publics"):
        _demand(part in data, part, "is missing from the data")
    _check_bounds(data)
    _check_colours(data, board)
    _check_first_pick(data, board)
    _check_pieces(data)
    ladder = data.get("trade", {}).get("cash_ladder", [])
    right = (
        len(ladder) == LADDER_STEPS
        and ladder == sorted(set(ladder))
        and all(step > 0 and step % 100 == 0 for step in ladder)
    )
    what = f"{ladder}, must be {LADDER_STEPS} rising amounts in hundreds of $"
    _demand(right, "trade.cash_ladder", what)
