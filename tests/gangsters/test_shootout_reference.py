"""Random shootouts against a referee written from the rules' text alone (G-12)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.rng import roll_die
from gangland.envs.core.state import record_dtype
from gangland.envs.gangsters.data import (
    GANG_NAMES,
    NODE,
    OFFICER_DICE,
    OFFICER_IDS,
    PUBLIC_IDS,
)

from .scenes import GAME, cash, cop, joint, legal, phase, play, public, run, scene, seat

SIDES = [*GANG_NAMES, "Police"]
STREAM = record_dtype(1, [])
GUARDS = {"J06": 4, "J37": 2, "J16": 3}


class Referee:
    """One node's shootout; ``play`` is a coroutine that asks for decisions.

    A unit is ``("Red", "R")``, ``("joint",)``, ``("cop", "4")`` or ``("chief",)``.
    """

    def __init__(self, table, rng):
        self.table = table
        self.stream = np.zeros(1, STREAM)[0]
        self.stream.rng = rng
        self.strength = dict(table["strength"])
        self.criminal = table["criminal"]
        self.hits, self.target, self.returns, self.loss = {}, {}, {}, {}
        self.arrest = {}
        self.doubled = set()

    def side(self, unit):
        if unit[0] == "joint":
            return self.table["owner"]
        if unit[0] == "cop":
            return self.table["controller"][unit[1]]
        return "Police" if unit[0] == "chief" else unit[0]

    def room(self, unit):
        return self.strength[unit] - self.loss.get(unit, 0)

    def can_hit(self, shooter, victim):
        """The table of G-12.11."""
        gang_piece = victim[0] in GANG_NAMES
        kind = shooter[1] if shooter[0] in GANG_NAMES else shooter[0]
        if kind in "RT" and kind:
            if gang_piece:
                return victim[1] in "RT" or kind == "R"
            return victim[0] == "joint" or shooter in self.criminal
        if kind == "joint":
            return gang_piece and victim[1] in "RT"
        return gang_piece and victim in self.criminal

    def attack_options(self, unit):
        """G-12.3."""
        own, found = self.side(unit), []
        for gang in GANG_NAMES:
            here = [u for u in self.strength if u[0] == gang]
            if gang == own:
                continue
            if unit[0] in ("cop", "chief"):
                good = [u for u in here if u in self.criminal]
            elif unit[0] != "joint" and unit[1] == "R":
                good = here
            else:
                good = [u for u in here if u[1] in "RT"]
            owned = unit[0] in GANG_NAMES and self.table["owner"] == gang
            if good or owned:
                found.append(gang)
        if unit[0] in GANG_NAMES and self.table["owner"] == "Police":
            found.append("Police")
        return found

    def roll(self, unit):
        dice, least = self.strength[unit], 5
        if unit[0] == "joint":
            dice, least = 2 if self.table["owner"] == "Police" else self.table["guards"], 4
        elif unit[0] in GANG_NAMES and unit[1] == "R":
            least = 6
        self.hits[unit] = sum(int(roll_die(self.stream)) >= least for _ in range(dice))

    def attackers(self):
        order = [("Red", "R"), ("Red", "T"), ("joint",)]
        order += [("cop", name) for name in OFFICER_IDS]
        for unit in [*order, ("chief",)]:
            if unit in self.strength and (unit[0] != "Red" or unit in self.table["declared"]):
                yield unit

    def play(self):
        for unit in self.attackers():
            options = self.attack_options(unit)
            if options:
                pick = yield "TARGET", self.side(unit), [f"target {s}" for s in options]
                self.target[unit] = pick.split()[1]
        if not self.target:
            return
        for name in OFFICER_IDS[:9]:
            asked = ("cop", name) in self.target and self.table["holder"].get(name) == "Police"
            if asked and (yield "DOUBLE", "Police", ["end", "yes"]) == "yes":
                self.doubled.add(name)
        for unit in self.target:
            self.roll(unit)
        yield from self.return_fire()
        yield from self.allocate(self.target, False)
        yield from self.allocate(self.returns, True)
        self.casualties()
        yield from self.payoffs()

    def return_fire(self):
        """G-12.7, G-12.8."""
        for own in SIDES:
            for unit in [(own, "R"), (own, "T"), ("joint",)]:
                if unit not in self.strength or unit in self.target or self.side(unit) != own:
                    continue
                foes = {self.side(u) for u, side in self.target.items() if side == own}
                options = [
                    side for side in SIDES if side in foes
                    and any(self.side(u) == side and self.can_hit(unit, u) for u in self.strength)
                ]  # fmt: skip
                if options:
                    pick = yield "RETURN", own, [f"target {side}" for side in options]
                    self.returns[unit] = pick.split()[1]
        for unit in self.returns:
            self.roll(unit)

    def allocate(self, aimed, second):
        """G-12.9, G-12.10, G-12.12, G-12.13."""
        order = [("cop", name) for name in OFFICER_IDS] + [("chief",), ("joint",)]
        order += [(gang, "T") for gang in GANG_NAMES] + [(gang, "R") for gang in GANG_NAMES]
        for own in SIDES:
            for shooter in order:
                if aimed.get(shooter) == own:
                    for _ in range(self.hits[shooter]):
                        yield from self.one_hit(own, shooter, second)

    def one_hit(self, own, shooter, second):
        open_ = [
            u for u in self.strength
            if self.side(u) == own and self.room(u) > 0 and self.can_hit(shooter, u)
        ]  # fmt: skip
        words = {}
        for unit in open_:
            word = unit[1] if unit[0] in GANG_NAMES else unit[0]
            words.setdefault("Commissioner" if word == "chief" else word, unit)
            if word == "cop":
                best = min((u for u in open_ if u[0] == "cop"),
                           key=lambda u: OFFICER_IDS.index(u[1]))  # fmt: skip
                words["cop"] = best
        if not words:
            return
        options = [f"lose {word}" for word in words]
        if second and not any(u in self.target for u in open_):
            options.append("end")
        pick = yield "ALLOC", own, options
        if pick != "end":
            unit = words[pick.split()[1]]
            if shooter[0] in ("cop", "chief"):
                worth = 1 if unit[1] == "V" else self.room(unit)
                self.arrest[shooter] = self.arrest.get(shooter, 0) + 100 * worth
            self.loss[unit] = self.loss.get(unit, 0) + 1

    def casualties(self):
        """G-12.14."""
        owner, lost = self.table["owner"], self.loss
        fired = {self.side(u) for u in [*self.target, *self.returns]
                 if owner in (self.target.get(u), self.returns.get(u))}  # fmt: skip
        alive = [
            u for u in self.strength
            if u[0] in fired and u[1] in "RT" and self.strength[u] > lost.get(u, 0)
        ]  # fmt: skip
        if not alive:
            lost.pop(("joint",), None)
        for unit, count in lost.items():
            self.strength[unit] -= count

    def payoffs(self):
        """G-12.18, G-14.2, G-14.3, G-14.5."""
        self.paid = dict.fromkeys(SIDES, 0)
        for unit in [*(("cop", name) for name in OFFICER_IDS), ("chief",)]:
            amount = self.arrest.get(unit, 0)
            if not amount:
                continue
            half = -(-amount // 200) * 100
            twice = unit[0] == "cop" and unit[1] in self.doubled
            left = amount * (2 if twice else 1)
            self.paid["Police"] += left
            sharer = self.table["share"].get(unit[-1]) if unit[0] == "cop" else None
            if sharer:
                left -= half
                self.move(sharer, half)
            holder = self.table["holder"].get(unit[-1]) if unit[0] == "cop" else None
            asked = holder in GANG_NAMES and holder != sharer and left > 0
            if asked and (yield "SHARE", holder, ["end", "yes"]) == "yes":
                self.move(holder, min(half, left))

    def move(self, gang, amount):
        self.paid["Police"] -= amount
        self.paid[gang] += amount


def random_table(seed):
    """A random node with random units."""
    rng = np.random.default_rng(seed)
    node = str(rng.choice(["J06", "J37", "J16", "G02", "J12", "NA6"]))
    owner = {"J06": "Brown", "J37": "Brown", "J16": "Red", "G02": "Police"}.get(node)
    table = {"node": node, "owner": owner, "guards": GUARDS.get(node, 0)}
    table |= {"strength": {}, "criminal": set(), "declared": set()}
    table |= {"controller": {}, "share": {}, "holder": {}}
    for gang in GANG_NAMES:
        for piece, most in (("R", 3), ("T", 3), ("V", 1)):
            if rng.random() < 0.42:
                unit = (gang, piece)
                table["strength"][unit] = int(rng.integers(1, most + 1))
                if rng.random() < 0.4:
                    table["criminal"].add(unit)
    for unit in (("Red", "R"), ("Red", "T")):
        if unit in table["strength"] and rng.random() < 0.7:
            table["declared"].add(unit)
            table["criminal"].add(unit)
    if owner:
        table["strength"]["joint",] = 1 if owner == "Police" else int(rng.integers(1, 4))
    for name in rng.choice(OFFICER_IDS, int(rng.integers(0, 4)), replace=False).tolist():
        table["strength"]["cop", name] = int(OFFICER_DICE[OFFICER_IDS.index(name)])
        mover = str(rng.choice(["Police", "Red", "none"]))
        table["controller"][name] = mover if mover != "none" else "Police"
        if mover == "Red" and name != "U":
            table["share"][name] = "Red"
        if name != "U" and rng.random() < 0.6:
            table["holder"][name] = str(rng.choice(["Police", "Red", "Green", "Brown"]))
    if rng.random() < 0.35:
        table["strength"]["chief",] = int(rng.integers(1, 5))
    return table


def scene_of(table):
    node = table["node"]
    changes = [f"public x2@{node}", "Police $5000"]
    for gang in GANG_NAMES:
        changes.append(f"{gang} $5000")
        for piece in "RTV":
            unit = (gang, piece)
            if unit in table["strength"]:
                mark = "!" * (unit in table["criminal"]) + "m" + "h" * (unit in table["declared"])
                changes.append(f"{gang}.{piece} {table['strength'][unit]}@{node}{mark}")
            else:
                home = {"Red": "J17", "Green": "J10", "Yellow": "J23", "Brown": "J05"}[gang]
                changes.append(f"{gang}.{piece} 1@{home}")
    if table["owner"]:
        level = table["strength"]["joint",]
        changes.append(f"joint {node}:{table['owner']}:{level}")
    for name, side in table["controller"].items():
        by = f"*{side}" + "$Red" * (name in table["share"])
        changes.append(f"cop {name}@{node}{by}")
    for name, side in table["holder"].items():
        changes.append(f"{side} markers={name}")
    chief = table["strength"].get(("chief",))
    changes.append(f"commissioner {chief}@{node}" if chief else "commissioner 4@NA3")
    return scene(*changes, phase="MOVE", pawns="Green")


@pytest.mark.rule(
    "G-12.2", "G-12.3", "G-12.4", "G-12.5", "G-12.6", "G-12.7", "G-12.8", "G-12.9", "G-12.10",
    "G-12.11", "G-12.12", "G-12.13", "G-12.14", "G-12.15", "G-12.16", "G-12.17", "G-12.18",
    "G-14.2", "G-14.3", "G-14.5",
)  # fmt: skip
@pytest.mark.parametrize("first", range(0, 240, 20))
def test_random_shootouts(first):
    fights = 0
    for seed in range(first, first + 20):
        fights += one_shootout(seed)
    assert fights > 5


def one_shootout(seed):
    table = random_table(seed)
    state = run(scene_of(table))
    rng = np.random.default_rng(seed)
    state.rng = np.uint64(rng.integers(1, 2**63))
    referee = Referee(table, np.uint64(state.rng))
    play(state, "end")
    game, pick = referee.play(), None
    while True:
        try:
            kind, side, options = game.send(pick)
        except StopIteration:
            break
        if len(options) == 1:
            pick = options[0]
            continue
        assert (phase(state), seat(state)) == (kind, side), (seed, table)
        assert sorted(legal(state)) == sorted(options), (seed, table)
        pick = str(rng.choice(options))
        play(state, pick)
    compare(state, table, referee, seed)
    return bool(referee.target)


def compare(state, table, referee, seed):
    assert state.fight == -1 or state.active != 0
    for unit, strength in referee.strength.items():
        if unit[0] in GANG_NAMES:
            found = state.strength[GANG_NAMES.index(unit[0]), "RTV".index(unit[1])]
            assert found == strength, (seed, unit)
    node = table["node"]
    if table["owner"]:
        level = max(referee.strength["joint",], 0)
        assert joint(state, node) == (f"{table['owner']}:{level}" if level else "-"), seed
    if ("chief",) in referee.strength:
        assert state.c_strength == referee.strength["chief",], seed
        assert bool(state.c_at == NODE[node]) is (("chief",) not in referee.loss), seed
    fought = bool(referee.target)
    stays = not fought and (node == "NA6" or table["owner"] == "Police")
    assert {cop(state, name) for name in table["controller"]} <= {node if stays else "-"}, seed
    criminals = any(u in referee.criminal and referee.strength[u] > 0 for u in referee.strength)
    assert public(state, PUBLIC_IDS[2]) == ("-" if fought or criminals else node), seed
    paid = referee.paid if fought else dict.fromkeys(SIDES, 0)
    base = dict.fromkeys(SIDES, 5000)
    if table["owner"] == "Red" and node == "J16":
        base["Red"] += 300 * table["strength"]["joint",] * 2  # organised crime, paid before
    assert {side: cash(state, side) for side in SIDES} == {s: base[s] + paid[s] for s in SIDES}, (
        seed
    )
    assert GAME.num_seats(state) == 5
