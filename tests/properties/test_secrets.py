"""Non-interference, for every game: what a seat is shown does not depend on what it cannot know.

Two worlds differ in nothing but what a viewer cannot know: one is drawn from the other by
``resample_hidden`` and given the same chance. Both are played on, with the same decisions wherever
the same is asked. A decision that a rival makes in secret may exist in one world and not in the
other. Whenever the two have come to the same visible consequences, everything that the viewer is
ever given is the same: every byte of the record, observation, mask, sentences in their order,
picture, text, and every counter of the protocol.
"""

from __future__ import annotations

from collections import Counter
from copy import copy

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.history import known_to
from gangland.envs.core.state import NO_SEAT
from gangland.serving.matches.match import Match
from gangland.serving.matches.views import Wanted, view
from gangland.serving.matches.watch import Watch
from gangland.serving.storage.journal import Entry, SeatSetup, Setup, token_hash
from tests.games import GAMES

ALL = Wanted(0, svg=True, text=True, observation=True, state=True)

CHAIN = 5
"""Secret decisions in a row that one world may need more than the other."""


def declared(game, name, otherwise):
    """What the game's conformance module says of its secrets."""
    return getattr(game.module(game.conformance), name, otherwise)


def match_from(game, state, setup):
    """A match that begins at this position."""

    class Begun(Match):
        def start(self):
            return game.clone(state)

    return Begun(setup)


class World:
    """A match in one world, as one seat and a spectator are shown it."""

    def __init__(self, game, state, viewer, options):
        seats = tuple(
            SeatSetup("human", f"Person {k}", token=token_hash(str(k)))
            for k in range(game.num_seats(state))
        )
        setup = Setup(
            "m", game.name, game.rules_version, options, 0, seats, None, "random", True, True, ""
        )
        self.match = match_from(game, state, setup)
        self.viewer = viewer
        self.match.watches = {k: Watch(game, k, state) for k in (viewer, NO_SEAT)}
        self.path = []

    def fork(self):
        other = copy(self)
        other.path = list(self.path)
        match = other.match = copy(self.match)
        match.state = match.game.clone(match.state)
        match.seats = [copy(seat) for seat in match.seats]
        match.line = list(match.line)
        match.watches = {key: copy(watch) for key, watch in match.watches.items()}
        for watch in match.watches.values():
            watch.events, watch.frames = list(watch.events), list(watch.frames)
            watch._noticing = copy(watch._noticing)
        return other

    def play(self, action):
        self.match.apply(Entry("play", self.match.to_act, action))
        if not self.match.watches[self.viewer].secret:
            self.path.append(self.looks())

    @property
    def asked(self):
        return int(self.match.state.seat), int(self.match.state.phase)

    def looks(self):
        """The table as the viewer sees it: the record without suspects."""
        known = known_to(self.match.game, self.match.state, self.viewer)
        for name in declared(self.match.game, "SUSPECTS", ("ply",)):
            known[name] = 0
        events = sorted(event.text for event in self.match.watches[self.viewer].events)
        return known.tobytes(), events

    def shown(self):
        """All that viewer and spectator are given, by name."""
        game, given = self.match.game, {}
        for name, viewer in (("seat", self.viewer), ("spectator", None)):
            watch = self.match.watch(viewer)
            given[f"{name}: view"] = view(self.match, viewer, ALL).model_dump()
            given[f"{name}: record"] = watch.known.tobytes()
            given[f"{name}: frames"] = [noticed.events for noticed in watch.frames]
        seen = game.view(self.match.state, self.viewer)
        given["observation"] = game.observe(self.match.state, self.viewer).tobytes()
        given["mask"] = seen.action_mask.tobytes()
        given["position"] = game.position_text(seen.known)
        return given

    def ahead(self, rng):
        """This world and those after secret decisions of rivals."""
        worlds = [self]
        while len(worlds) <= CHAIN and worlds[-1].match.to_act not in (self.viewer, NO_SEAT):
            world = worlds[-1].fork()
            legal = world.match.game.legal_actions(world.match.state)
            world.play(legal[0] if rng.random() < 0.6 else int(rng.choice(legal)))
            worlds.append(world)
        return worlds


def alike(name, one, two):
    """Whether the viewer cannot infer by the rules which of the two worlds this is."""
    if one.match.to_act == NO_SEAT and len(one.match.line) != len(two.match.line):
        return False  # of a finished match everybody is shown all that was played
    same = one.asked == two.asked
    if not same:
        phases = load(name).phases
        seats, asked = zip(one.asked, two.asked, strict=True)
        if one.viewer in seats or min(asked) < 0:
            return False
        groups = [g for g in declared(load(name), "SECRET_PHASES", ()) if phases[asked[0]] in g]
        same = any(phases[asked[1]] in group for group in groups)
    return same and one.looks() == two.looks() and met(one.path, two.path)


def met(one, two):
    """Whether the viewer may have seen the same on both ways here: one saw all that the other did.

    Cards of the deck that lie otherwise in the two worlds are turned up in another order.
    """
    short, rest = min(one, two, key=len), iter(one if len(one) > len(two) else two)
    return all(looks in rest for looks in short)


def align(name, one, two, rng):
    """The two worlds at the first point at which they look alike, or None."""
    ahead, behind = one.ahead(rng), two.ahead(rng)
    pairs = sorted((i + j, i, j) for i in range(len(ahead)) for j in range(len(behind)))
    for _, i, j in pairs:
        if alike(name, ahead[i], behind[j]):
            return ahead[i], behind[j]
    return None


def compare(one, two, where):
    """Everything that is shown is the same."""
    mine, other = one.shown(), two.shown()
    for key, value in mine.items():
        if value == other[key]:
            continue
        if isinstance(value, dict):
            parts = [k for k in value if value[k] != other[key][k]]
            fields = value["state"]["fields"], other[key]["state"]["fields"]
            apart = [k for k in fields[0] if fields[0][k] != fields[1][k]]
            pytest.fail(f"{where}: {key} distinguishes the worlds by {parts}, fields {apart}")
        pytest.fail(f"{where}: {key} distinguishes the worlds: {value!r} {other[key]!r}"[:2000])


def pairs(name, state, viewer, options, rng, rounds):
    """Play two worlds on; yields them wherever they look alike, with what was seen since."""
    game = load(name)
    sample = game.resample_hidden(state, viewer, int(rng.integers(2**63)))
    sample.rng, sample.ply = state.rng, state.ply
    one, two = (World(game, world, viewer, options) for world in (state, sample))
    for _ in range(rounds):
        found = align(name, one, two, rng)
        if found is None:
            break
        one, two = found
        yield one, two
        one.path, two.path = [], []
        if one.match.to_act == NO_SEAT:
            break
        if one.asked != two.asked:
            two.play(int(rng.choice(game.legal_actions(two.match.state))))
            continue
        both = sorted(
            set(game.legal_actions(one.match.state)) & set(game.legal_actions(two.match.state))
        )
        if not both:
            break
        action = both[0] if rng.random() < 0.4 else int(rng.choice(both))
        one.play(action)
        two.play(action)


def run(name, state, viewer, options, rng, rounds, where):
    """Play two worlds on and compare; kinds of comparisons made."""
    game, made = load(name), Counter()
    for k, (one, two) in enumerate(pairs(name, state, viewer, options, rng, rounds)):
        compare(one, two, f"{where}, viewer {viewer}, round {k}")
        phase = game.phases[one.asked[1]]
        made["alike"] += 1
        made["apart"] += len(one.match.line) != len(two.match.line)
        made["elsewhere"] += one.asked != two.asked
        made[phase] += one.match.to_act not in (viewer, NO_SEAT)
    return made


def positions(game, seed, count, **options):
    """Positions along random games."""
    rng = np.random.default_rng(seed)
    state = game.new_state(seed, **options)
    for _ in range(count):
        for _ in range(int(rng.integers(1, 6))):
            if game.is_over(state):
                seed += 1000
                state = game.new_state(seed, **options)
            game.apply(state, int(rng.choice(game.legal_actions(state))))
        if not game.is_over(state):
            yield state


FEW = {"crime_lords": 18}
"""Positions that are enough for every day, 8 unless secrets are rare."""
MANY = [
    pytest.param(name, seed, 200, marks=pytest.mark.slow) for name in GAMES for seed in range(3)
]


@pytest.mark.parametrize(
    ("name", "seed", "count"), [*((name, 0, FEW.get(name, 8)) for name in GAMES), *MANY]
)
def test_two_worlds_that_look_alike_are_shown_alike(name, seed, count):
    game = load(name)
    rng = np.random.default_rng(seed)
    made = Counter()
    options = game.options.resolve({})
    for k, state in enumerate(positions(game, 100 + seed, count)):
        viewer = int(rng.integers(game.num_seats(state)))
        where = f"{name}, seed {100 + seed}, position {k}"
        made += run(name, state, viewer, options, rng, 6, where)
    assert made["alike"] > count, made
    if declared(game, "SECRET_PHASES", ()) and not declared(game, "SECRETS_ARE_RARE", False):
        # The worlds have come to the same point by different numbers of decisions.
        assert made["apart"] > count / 10, made
