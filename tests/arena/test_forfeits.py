"""Games go on when an agent fails, and the agent has lost them."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from gangland.agents import Agent, Decision
from gangland.agents.base import BatchAgent
from gangland.agents.decision import Decisions
from gangland.agents.registry import make
from gangland.arena import table_schedule
from gangland.arena.forfeits import Fault, without_forfeits
from gangland.arena.play import play_schedules
from gangland.arena.workers import Players
from gangland.envs import load
from gangland.envs.core.errors import IllegalActionError
from tests.games import TOY

GAME = load(TOY)
OPTIONS = GAME.options.resolve({})


class Odd(Agent):
    """Fails where its seed is odd: by an error, an illegal action or an exit."""

    spec = "odd"

    def decide(self, view):
        if view.seed % 2:
            if view.seed % 3 == 0:
                raise SystemExit("enough")
            if view.seed % 3 == 1:
                raise ValueError("two\nlines")
            return Decision(10**6)
        return Decision(view.legal_actions[0])


class Blind(Agent):
    """Decides one by one, and says that it reads no records."""

    spec = "blind"
    needs_records = False

    def decide(self, view):
        return Decision(view.legal_actions[0])


class Batched(BatchAgent):
    """Answers with actions that are never legal."""

    spec = "batched"

    def decide_batch(self, views):
        return Decisions(np.full(len(views), GAME.num_actions))


def play(agents, table, games=30, workers=1, forfeits=True):
    schedule = table_schedule(table, GAME.seat_roles(OPTIONS), games)
    players = Players(GAME, OPTIONS, agents)
    played = play_schedules(
        players, [(schedule, 3)], workers=workers, replays=True, forfeits=forfeits
    )
    with closing(played):
        return next(played)[1]


def test_a_failed_decision_is_random_and_the_first_of_each_seat_is_noted():
    games = play([Odd(), make("random", GAME)], [0, 0, 1], 600, workers=2)
    assert {fault.what[:24] for fault in games.faults} == {
        "odd: SystemExit: enough",
        "odd: ValueError: two lin",
        f"{TOY}: agent odd chos",
    }
    assert len({(fault.game, fault.seat) for fault in games.faults}) == len(games.faults)
    for fault in games.faults:
        assert games.line_ups[fault.game, fault.seat] == 0
        replay = games.replays[fault.game]
        replay.verify(GAME)
        state = list(replay.states(GAME))[fault.ply]
        assert int(state.seat) == fault.seat
    numbers = [fault.game for fault in games.faults]
    assert numbers == sorted(numbers)
    assert max(numbers) > 256, "games are numbered beyond the first chunk"
    assert play([Odd(), make("random", GAME)], [0, 0, 1], 600).faults == games.faults


def test_an_agent_that_answers_for_many_tables_fails_at_all_of_them():
    games = play([Batched(), make("random", GAME)], [0, 1, 1])
    assert len(games.faults) == len(games) == 30
    assert all("agent batched chose action" in fault.what for fault in games.faults)


def test_agents_that_do_not_fail_play_as_ever():
    agents = [make("heuristic", GAME), make("random", GAME)]
    lenient, strict = (play(agents, [0, 1, 1], forfeits=each) for each in (True, False))
    assert lenient.faults == strict.faults == play([Blind(), agents[1]], [0, 1, 1]).faults == []
    assert [one.chain for one in lenient.replays] == [one.chain for one in strict.replays]


def test_without_forfeits_a_failure_ends_everything():
    with pytest.raises(IllegalActionError, match="batched"):
        play([Batched(), make("random", GAME)], [0, 1, 1], forfeits=False)


def test_places_close_up():
    places = np.array([[1, 2, 3], [1, 1, 3], [2, 1, 2], [1, 2, 3], [1, 1, 1]], np.int8)
    truncated = np.array([False, False, False, False, True])
    faults = [Fault(game, seat, 0, "") for game, seat in [(0, 0), (1, 2), (2, 1), (2, 2)]]
    faults += [Fault(3, seat, 0, "") for seat in range(3)]
    found, nobody = without_forfeits(places, truncated, faults)
    assert found.tolist() == [[3, 1, 2], [1, 1, 3], [1, 2, 2], [1, 1, 1], [1, 1, 1]]
    assert found.dtype == np.int8
    assert nobody.tolist() == [False, False, False, True, True]
    assert without_forfeits(places, truncated, [])[0].tolist() == places.tolist()
