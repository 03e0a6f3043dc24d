"""Non-interference at every interface: no byte of any answer depends on what a seat cannot know.

The worlds are those of ``test_secrets.py``. A server, an engine and a table for language models are
put into each of them in turn and asked for all that a player can ask for. Metrics are not for
players: without the operator's token they show nothing.
"""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from gangland.agents.seeds import players_key
from gangland.envs import load
from gangland.envs.core.history import Memory
from gangland.envs.core.state import NO_SEAT
from gangland.serving.doors.engine import Engine, Position
from gangland.serving.doors.http import limits
from gangland.serving.doors.http.app import create_app
from gangland.serving.doors.mcp import Table
from gangland.serving.matches.rooms import Room
from gangland.serving.settings import Limits, Settings
from tests.games import GAMES, TOY
from tests.properties.test_secrets import declared, pairs, positions

PATH = "/api/v1/matches/m"
ALL = {"svg": True, "text": True, "observation": True, "state": True}
LAST = 2
"""Own decisions that the coach is asked about."""
POSITIONS = 2000
"""Positions from which worlds are played on until enough has been compared."""
ROUNDS = 12
"""Decisions for which they are played on."""


class Doors:
    """All interfaces, to one world at a time; ``rated`` counts the answers of the coach."""

    def __init__(self, http, game):
        self.http, self.game = http, game
        self.hub = http.app.state.hub
        self.lines = []
        self.engine = Engine(game, self.hub.bots.default(game.name), self.lines.append)
        self.rated = 0

    def answers(self, world):
        """Every answer to the viewer and to a spectator, as bytes, by question."""
        self.hub.coach._kept.clear()
        self.http.portal.call(self._enter, world)
        given = {}
        for who, headers in (
            ("seat", {"authorization": f"Bearer {world.viewer}"}),
            ("spectator", {}),
        ):
            for method, path, body in self._requests(world):
                answer = self.http.request(
                    method, PATH + path, json=body, headers=headers, params=self._query(path)
                )
                given[who, method, path, str(body)] = answer.status_code, answer.content
                self.rated += (path, answer.status_code) == ("/coach", 200)
            with self.http.websocket_connect(f"{PATH}/ws") as socket:
                token = str(world.viewer) if who == "seat" else None
                socket.send_json({"type": "hello", "token": token, "since": 0, **ALL})
                given[who, "socket"] = socket.receive_text()
        given["metrics"] = self.http.get("/metrics").content
        given |= self._engine(world)
        given |= self._table(world)
        return given

    async def _enter(self, world):
        self.hub.rooms._rooms.clear()
        self.hub.rooms.add(Room(world.match))

    def _query(self, path):
        return ALL if path in ("/view", "/actions") else {}

    def _requests(self, world):
        """What a player may ask in a running match, and what is refused."""
        own = world.match.own_plies(world.viewer)[-LAST:]
        number = world.match.seats[world.viewer].decisions
        frames = [len(world.match.watch(v).frames) for v in (world.viewer, None)]
        yield "GET", "", None
        yield "GET", "/view", None
        for n in range(max(frames) + 1):
            yield "GET", f"/frames/{n}", None
        for asked in [None, *(world.match.line[k].decision for k in own), number]:
            yield "POST", "/coach", {"decision": asked}
        for bot in (None, "random"):
            yield "POST", "/hint", {"bot": bot}
        yield "GET", "/review", None
        yield "GET", "/replay", None
        for refused in ("/undo", "/begin", "/rematch"):
            yield "POST", refused, None
        for decision in (number - 1, number, number + 1):
            if decision >= 0:
                yield "POST", "/actions", {"decision": decision, "action": "no such action"}

    def _engine(self, world):
        """The engine after the frontend's actions, and after the seat's view."""
        game, state, viewer = self.game, world.match.state, world.viewer
        self.engine._players_key = players_key(0)
        self.engine._board = Position(state, world.match.to_act, False)
        asked = [f"view {viewer}"]
        if world.match.to_act == viewer:
            view = json.dumps(game.view(state, viewer).to_dict())
            asked += ["legal", "go seed 7 explain", f"position state {view}"]
            asked += ["view", "legal", "go explain"]
        self.lines.clear()
        for line in asked:
            self.engine.command(line)
        return {("engine", k): line for k, line in enumerate(self.lines)}

    def _table(self, world):
        """A language model's table, with a bot's advice if the model is to decide."""
        bots = dict.fromkeys(
            range(len(world.match.seats)), self.hub.bots.bot(self.game.name, "random")
        )
        table = Table.__new__(Table)
        table.name, table.game, table.seat, table.bots = "m", self.game, world.viewer, bots
        table._state, table._watch = world.match.state, world.match.watch(world.viewer)
        table._memory = Memory(self.game, world.viewer, world.match.state)
        table._players_key, table._shown = players_key(0), 0
        table._decided = world.match.seats[world.viewer].decisions
        found = {("mcp", "look"): table.seen().model_dump_json()}
        if world.match.to_act == world.viewer:
            for spec in ("random", self.hub.bots.default(self.game.name)):
                bot = self.hub.bots.bot(self.game.name, spec)
                found["mcp", "advice", spec] = table.advice(bot).model_dump_json()
        return found

    def compare(self, one, two, where):
        """Every byte of the answers in the two worlds is the same."""
        mine, other = self.answers(one), self.answers(two)
        assert mine.keys() == other.keys(), where
        for question, answer in mine.items():
            assert answer == other[question], f"{where}: {question} distinguishes the worlds"


def kind_of(one, two):
    """How many decisions were made in the two worlds, and whether the viewer has decided since."""
    own = one.match.own_plies(one.viewer)[-1:]
    if len(one.match.line) == len(two.match.line):
        return "decided" if own else "together"
    if own != two.match.own_plies(two.viewer)[-1:]:
        return "decided since"
    return "asked since" if one.match.to_act == one.viewer else "apart"


@pytest.fixture(scope="module")
def http(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "LOCAL", (*limits.LOCAL, "testserver"))
        folder = tmp_path_factory.mktemp("doors")
        settings = Settings(f"sqlite:///{folder / 'm.db'}", limits=Limits(rate=0.0))
        with TestClient(create_app(settings), base_url="http://testserver") as client:
            yield client


PLAYED = [name for name in GAMES if name != TOY]


def beginnings(game):
    """Positions along random games; of a game whose secrets are in the set-up, first ones."""
    if declared(game, "SECRETS_ARE_RARE", False):
        return (state for k in range(POSITIONS // 4) for state in positions(game, 500 + k, 4))
    return positions(game, 500, POSITIONS)


SECRETS = {"decided since", "asked since", "apart"}


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("most", [2, pytest.param(25, marks=pytest.mark.slow)])
def test_every_interface_shows_the_same_in_two_worlds_that_look_alike(http, name, most):
    game, rng, made = load(name), np.random.default_rng(most), Counter()
    options, doors = game.options.resolve({}), Doors(http, game)
    wanted = {"together", "decided"} | (SECRETS if declared(game, "SECRET_PHASES", ()) else set())
    for n, state in enumerate(beginnings(game)):
        viewer = int(rng.integers(game.num_seats(state)))
        for k, (one, two) in enumerate(pairs(name, state, viewer, options, rng, ROUNDS)):
            if one.path != two.path or one.match.to_act == NO_SEAT:
                break  # the viewer has seen more in one of them, or is shown all at the end
            kind = kind_of(one, two)
            if made[kind] < most:
                made[kind] += 1
                doors.compare(one, two, f"{name}, position {n}, viewer {viewer}, round {k}")
        if all(made[kind] == most for kind in wanted):
            break
    assert all(made[kind] for kind in wanted), made
    assert doors.rated
