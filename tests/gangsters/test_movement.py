"""Movement against a walker written from the rules' text alone (G-6)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gangland.envs.gangsters.data import BOARD, NODE, NODE_NAMES

from .scenes import GAME, gos, legal, phase, piece, play, run, scene

SPACES = BOARD["spaces"]
BUILDINGS = {entry["code"]: entry for entry in BOARD["buildings"].values()}
LINKS = {code: set(entry["adj"]) for code, entry in SPACES.items()}
for _code, _entry in BUILDINGS.items():
    LINKS[_code] = set(_entry["doors"])
    for _door in _entry["doors"]:
        LINKS[_door].add(_code)
SUBWAYS = set(BOARD["subways"].values())


def plain(code):
    return code in SPACES and SPACES[code]["kind"] == "street" and code not in SUBWAYS


def walks(start, steps, *, facing, transfers, through, about):
    """Every route of the exact length, as lists of nodes (G-6.1 to G-6.8).

    Args:
        transfers: May step from Subway to Subway once.
        through: Buildings that may be passed.
        about: Friendly joints for the about-face.
    """

    def extend(path, hops):
        if len(path) == steps + 1:
            yield path
            return
        here = path[-1]
        if here in BUILDINGS and len(path) > 1 and here not in through:
            return
        for node in sorted(LINKS[here]):
            if len(path) == 1 and node == facing:
                continue
            back = len(path) == 2 and here in about and node == path[0] and node in SPACES
            if node in path and not back:
                continue
            yield from extend([*path, node], hops)
        if transfers and here in SUBWAYS and not hops:
            for node in sorted(SUBWAYS - set(path)):
                yield from extend([*path, node], 1)

    return list(extend([start], 0))


def ends(routes, may_end):
    found = {}
    for path in routes:
        if path[-1] in SPACES or path[-1] in may_end:
            found.setdefault(path[-1], set()).add(path[-2])
    return found


CASES = list(range(40))


def random_table(seed):
    """Random owners, and where a piece stands, whence it came, and a die."""
    rng = np.random.default_rng(seed)
    owners, lit = {}, set()
    for code in BUILDINGS:
        side = str(rng.choice(["-", "-", "Red", "Green", "Police"]))
        if code.startswith("G"):
            side = "Police" if side == "Police" else "-"
        owners[code] = side
        if side in ("Red", "Green") and rng.random() < 0.4:
            lit.add(code)
    start = str(rng.choice([*SPACES, *rng.choice(list(BUILDINGS), 30)]))
    facing = str(rng.choice(sorted(LINKS[start]))) if plain(start) and rng.random() < 0.8 else None
    return owners, lit, start, facing, int(rng.integers(1, 7))


def table_scene(owners, lit, *changes, die, **where):
    joints = " ".join(
        f"{code}:{side}{':1' if side != '-' else ''}{'c' * (code in lit)}"
        for code, side in owners.items()
    )
    dice = "/".join([str(die)] * (3 if where.get("active") == "Police" else 5))
    return scene(f"joint {joints}", *changes, dice=dice, **where)


def place(start, facing):
    return f"{start}<{facing}" if facing else start


def owned_by(owners, *sides):
    return {code for code, side in owners.items() if side in sides}


def check_choice(state, found):
    """The offered destinations are the routes' ends, and so are the ways in (G-6.6)."""
    assert gos(state) == set(found)
    for node, ways in found.items():
        if plain(node) and len(ways) > 1:
            after = play(GAME.clone(state), f"go {node}")
            assert phase(after) == "APPROACH"
            assert gos(after) == ways


@pytest.mark.rule("G-6.1", "G-6.2", "G-6.3", "G-6.5", "G-6.6", "G-6.7", "G-6.8", "G-6.10")
@pytest.mark.parametrize("seed", CASES)
def test_gang_pieces(seed):
    owners, lit, start, facing, die = random_table(seed)
    own = owned_by(owners, "Red")
    routes = walks(start, die, facing=facing, transfers=True, through=own, about=own)
    found = ends(routes, set(BUILDINGS))
    state = table_scene(owners, lit, f"Red.T 2@{place(start, facing)}", die=die, phase="MOVE")
    run(state)
    if len(found) > 1:
        check_choice(play(state, "move T"), found)
    else:
        assert found


@pytest.mark.rule("G-6.12", "G-6.10", "G-10.3")
@pytest.mark.parametrize("seed", CASES)
def test_publics(seed):
    owners, lit, start, facing, die = random_table(100 + seed)
    gangs = owned_by(owners, "Red", "Green")
    if start.startswith("G"):
        start = "J01"
    if start in BUILDINGS:
        owners[start] = "Red"
    routes = walks(start, die, facing=facing, transfers=False, through=set(), about=set())
    found = ends(routes, gangs | {start})
    state = table_scene(owners, lit, f"public x2@{place(start, facing)}", die=die, phase="MOVE")
    run(state)
    if len(found) > 1:
        check_choice(play(state, "public x2"), found)
    else:
        assert found


@pytest.mark.rule("G-14.12", "G-6.10", "G-6.7")
@pytest.mark.parametrize("seed", CASES)
def test_the_commissioner(seed):
    owners, lit, start, facing, die = random_table(200 + seed)
    own = owned_by(owners, "Police")
    routes = walks(start, die, facing=facing, transfers=True, through=own, about=own)
    found = ends(routes, set(BUILDINGS))
    state = table_scene(owners, lit, f"commissioner 4@{start}", die=die, active="Police",
                        phase="POLICE_MOVE")  # fmt: skip
    state.c_came = NODE[facing] if facing else -1
    run(state)
    if len(found) > 1:
        check_choice(play(state, "commissioner"), found)
    else:
        assert found


def cop_routes(start, die, facing, owners, barred=(), hops=0):
    """Routes of a cop: streets, one building at the end, or up to a change of duty."""
    swaps, direct = {}, []

    def extend(path):
        here = path[-1]
        if len(path) == die + 1:
            direct.append(path)
            return
        if here in BUILDINGS and len(path) > 1:
            return
        for node in sorted(LINKS[here]):
            if (len(path) == 1 and node == facing) or node in path or node in barred:
                continue
            if owners.get(node) == "Police":
                swaps.setdefault(node, []).append([*path, node])
            else:
                extend([*path, node])
        if here in SUBWAYS and not hops:
            for node in sorted(SUBWAYS - set(path) - set(barred)):
                swaps.setdefault(node, []).append([*path, node])

    extend([start])
    return direct, swaps


@pytest.mark.rule("G-6.10", "G-9.10", "G-9.11", "G-9.13", "G-9.14", "G-14.15")
@pytest.mark.parametrize("seed", [*CASES, *range(40, 80)])
def test_cops(seed):
    owners, lit, start, facing, die = random_table(300 + seed)
    if start in BUILDINGS:
        owners[start] = "Police"
        lit.discard(start)
    criminal = str(np.random.default_rng(seed).choice(list(BUILDINGS)))
    may_end = {*lit, criminal} - owned_by(owners, "Police")
    direct, swaps = cop_routes(start, die, facing, owners)
    found = ends(direct, may_end)
    offered = {}
    for node, routes in swaps.items():
        for path in routes:
            left = die - len(path) + 1
            rest, _ = cop_routes(node, left, None, owners, barred=path[:-1], hops=1)
            if left == 0 or ends(rest, may_end):
                offered.setdefault(node, []).append(path)
    state = table_scene(owners, lit, f"cop 4@{place(start, facing)}", f"Green.T 2@{criminal}!",
                        die=die)  # fmt: skip
    run(state)
    if len(found) + bool(offered) < 2:
        return
    play(state, "cop 4")
    assert gos(state) == set(found)
    assert ("via" in legal(state)) is bool(offered)
    for node, ways in found.items():
        if plain(node) and len(ways) > 1:
            assert gos(play(GAME.clone(state), f"go {node}")) == ways
    if len(offered) > 1:
        play(state, "via")
        assert gos(state) == set(offered)
        node = min(offered)
        best = min(offered[node], key=lambda path: (len(path), [NODE[code] for code in path]))
        before = GAME.clone(state)
        play(state, f"go {node}")
        left = die - len(best) + 1
        rest, _ = cop_routes(node, left, None, owners, barred=best[:-1], hops=1)
        if left and phase(state) == "COP_DEST":
            assert state.steps == left
            assert gos(state) == set(ends(rest, may_end))
        assert before.phase != state.phase


@pytest.mark.rule("G-6.5")
@pytest.mark.parametrize(("node", "kept"), [("BW7", False), ("BW8", True), ("xN", False)])
def test_facing_is_kept_on_plain_street_spaces_only(node, kept):
    neighbour = sorted(SPACES[node]["adj"])[0]
    beyond = sorted(set(SPACES[neighbour]["adj"]) - {node})[0]
    state = run(scene(f"Red.T 2@{beyond}", phase="MOVE", dice="1/2/1/1/1"), "move T")
    play(state, f"go {node}")
    if phase(state) == "APPROACH":
        play(state, f"go {neighbour}")
    came = state.came[0, 1]
    assert NODE_NAMES[came] == neighbour if kept else came == -1


@pytest.mark.rule("G-6.4")
def test_every_sharp_turn_of_the_board_can_be_walked():
    triples = list(itertools.chain(*(turn["triples"] for turn in BOARD["sharp_turns"])))
    assert len(triples) >= 6
    for start, _, end in triples:
        state = run(scene(f"Red.T 2@{start}", phase="MOVE", dice="1/2/1/1/1"), "move T")
        assert end in gos(state)


@pytest.mark.rule("G-6.9")
def test_pieces_share_nodes_and_passing_does_nothing():
    state = scene("Red.T 2@xM", "Green.T 2@BW5", "Brown.T 2@BW6", "cop 5@BW5", phase="MOVE",
                  dice="1/2/1/1/1")  # fmt: skip
    run(state, "move T", "go BW6")
    assert (piece(state, "Red.T"), piece(state, "Brown.T")) == ("2@BW6", "2@BW6")
    assert piece(state, "Green.T") == "2@BW5"
    assert state.cop_at[4] == NODE["BW5"]
