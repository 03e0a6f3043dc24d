"""Workers: results in any order, what is raised, and games and agents in other processes."""

from __future__ import annotations

import pickle
import shutil
import sys
import threading
from contextlib import closing

import numpy as np
import pytest

from gangland.agents.registry import make
from gangland.arena import play_pool, play_table
from gangland.arena.play import play_schedules
from gangland.arena.schedule import table_schedule
from gangland.arena.workers import Players, Threads, workers_of
from gangland.arena.workers.players import PlayersError
from gangland.envs import load
from gangland.envs.core.errors import GanglandError
from gangland.envs.registry import ENTRIES
from tests.cli.runner import assert_refused, run
from tests.games import TOY


def tenfold(shared, piece, watch):
    watch.report(piece)
    return [shared] * (10 * piece)


@pytest.mark.parametrize("count", [1, 3])
def test_every_piece_gives_its_result_once(count):
    reported = []
    pieces = [3, 0, 2, 5]
    found = dict(Threads(count).results(tenfold, "x", pieces, reported.append))
    assert {number: len(result) for number, result in found.items()} == {0: 30, 1: 0, 2: 20, 3: 50}
    assert sorted(reported) == [0, 2, 3, 5]


def test_what_still_runs_is_stopped_when_nobody_asks_any_more():
    ended = threading.Event()

    def work(shared, piece, watch):
        if piece:
            while not watch.stopped:
                pass
            ended.set()
        return []

    with closing(Threads(2).results(work, None, [1, 0])) as results:
        assert next(results)[0] == 1
    assert ended.is_set()


def test_games_of_several_schedules_are_those_of_each_alone():
    game = load(TOY)
    agents = [make(spec, game) for spec in ("random", "heuristic")]
    options = game.options.resolve({})
    schedules = [(table_schedule([0, 1, 1], (0, 0, 0), games), seed) for games, seed in
                 ((600, 4), (30, 5), (300, 4))]  # fmt: skip
    players = Players(game, options, agents)
    found = dict(play_schedules(players, schedules, workers=3))
    for number, (schedule, seed) in enumerate(schedules):
        ((_, alone),) = play_schedules(players, [(schedule, seed)])
        np.testing.assert_array_equal(found[number].scores, alone.scores)
        np.testing.assert_array_equal(found[number].deals, schedule.deals)


def test_too_few_workers_are_refused():
    with pytest.raises(GanglandError, match="workers=0: must be an integer"):
        workers_of(0)


def test_players_are_made_again_without_their_files(tmp_path):
    """As on a machine that has the package but not the checkpoint."""
    game = load("chicago")
    bots = tmp_path / "mine"
    shutil.copytree(make("ppo:chicago/bot", game).folder, bots)
    specs = ["random", f"ppo:{bots}?temperature=0.5", "ppo:chicago/bot"]
    agents = [make(spec, game) for spec in specs]
    packed = pickle.dumps(Players(game, game.options.resolve({}), agents))
    shutil.rmtree(bots)
    again = pickle.loads(packed)
    assert [agent.spec for agent in again.agents] == specs
    assert again.agents[1].temperature == 0.5
    view = game.view(game.new_state(3), 0, seed=9)
    assert again.agents[1].decide(view) == agents[1].decide(view)


def test_a_bot_in_one_file_is_made_again_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def act(view):\n    return view.legal_actions[-1]\n")
    game = load(TOY)
    packed = pickle.dumps(Players(game, game.options.resolve({}), [make("mine.py", game)]))
    (tmp_path / "mine.py").unlink()
    (agent,) = pickle.loads(packed).agents
    assert agent.spec == "mine.py"
    view = game.view(game.new_state(3), 0, seed=9)
    assert agent.decide(view).action == view.legal_actions[-1]


def test_games_that_this_process_registered_are_known_to_others(monkeypatch):
    game = load(TOY)
    packed = pickle.dumps(Players(game, game.options.resolve({}), [make("random", game)]))
    monkeypatch.delitem(ENTRIES, TOY)
    again = pickle.loads(packed)
    assert type(again.game) is type(game)
    monkeypatch.setattr(type(game), "rules_version", 99)
    with pytest.raises(PlayersError, match="rules version 99 here, 1 where"):
        pickle.loads(packed)


def test_without_ray_it_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    words = ["arena", "--game", TOY, "--agents", "random", "--games", 6, "--ray"]
    assert_refused(run(capsys, monkeypatch, *words), "pip install 'gangland[ray]'")
    words = ["ladder", TOY, "--pool", "random,heuristic", "--ray", "auto"]
    assert_refused(run(capsys, monkeypatch, *words), "pip install 'gangland[ray]'")


def test_the_table_and_the_pool_are_the_same_by_other_workers():
    class Backwards(Threads):
        def results(self, work, shared, pieces, report=lambda ended: None):
            for number in reversed(range(len(pieces))):
                # What crosses to another process is what is pickled.
                again = pickle.loads(pickle.dumps((shared, pieces[number])))
                yield from ((number, one) for _, one in super().results(work, *again_of(again)))

    def again_of(pair):
        return pair[0], [pair[1]]

    for play, agents in ((play_table, ["heuristic", "random", "random"]), (play_pool, ["random"])):
        assert play(TOY, agents, 600, seed=8, workers=Backwards()) == play(TOY, agents, 600, seed=8)
