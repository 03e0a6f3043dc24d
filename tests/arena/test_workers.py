"""Who plays what and by which process: line-ups, and workers that give the same results."""

from __future__ import annotations

import pickle
import shutil
import sys
import threading
from collections import Counter
from contextlib import closing

import numpy as np
import pytest

from gangland.agents.registry import make
from gangland.arena import play_pool, play_table
from gangland.arena.play import play_schedules
from gangland.arena.schedule import pool_schedule, rotations, table_schedule
from gangland.arena.workers import Players, Threads, workers_of
from gangland.arena.workers.players import PlayersError
from gangland.envs import load
from gangland.envs.core.errors import GanglandError
from gangland.envs.registry import ENTRIES
from tests.cli.runner import assert_refused, run
from tests.games import TOY

# --- line-ups: even, rotated, the same deals for everyone -----------------------------------------

FIVE = (0,) * 5
COPS = (0, 0, 0, 0, 1)
TEAMS = (0, 1, 0, 1, 0)


def counts(schedule, agent):
    """Games of an agent in each seat."""
    return (schedule.line_ups == agent).sum(axis=0)


def test_a_table_is_played_in_each_different_rotation_on_each_deal():
    schedule = table_schedule([0, 1, 1, 1, 1], FIVE, 20)
    assert schedule.deals.tolist() == [d for d in range(4) for _ in range(5)]
    for deal in range(4):
        rows = schedule.line_ups[schedule.deals == deal]
        assert sorted(map(tuple, rows)) == sorted(
            tuple(0 if s == k else 1 for s in range(5)) for k in range(5)
        )


def test_spread_games_have_a_deal_each():
    schedule = table_schedule([0, 1, 1], [0, 0, 0], 6)
    spread = schedule.spread()
    assert spread.line_ups.tolist() == schedule.line_ups.tolist()
    assert spread.deals.tolist() == list(range(6))


def test_equal_seatings_are_played_once():
    assert rotations([3] * 5, FIVE) == [(3,) * 5]
    assert rotations([0, 1, 0, 1], (0,) * 4) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert len(table_schedule([0] * 5, FIVE, 7)) == 7


def test_roles_keep_their_agents():
    turned = rotations([0, 1, 2, 3, 9], COPS)
    assert len(turned) == 4
    assert all(line_up[4] == 9 for line_up in turned)
    assert all({line_up[s] for line_up in turned} == {0, 1, 2, 3} for s in range(4))
    both = rotations([0, 5, 1, 6, 2], TEAMS)
    assert len(both) == 6
    for seat, role in enumerate(TEAMS):
        here = Counter(line_up[seat] for line_up in both)
        assert here == (dict.fromkeys((0, 1, 2), 2) if role == 0 else dict.fromkeys((5, 6), 3))


@pytest.mark.parametrize("roles", [FIVE, (0,) * 2, (0,) * 4, COPS, TEAMS])
@pytest.mark.parametrize("agents", [1, 2, 3, 4, 5, 6, 7, 11])
def test_everyone_plays_as_often_in_every_seat(agents, roles):
    schedule = pool_schedule(agents, roles, 300, seed=4)
    assert len(schedule) >= 300
    per_seat = np.array([counts(schedule, agent) for agent in range(agents)])
    assert (per_seat == per_seat[0]).all(), per_seat
    assert per_seat.sum() == schedule.line_ups.size
    per_deal = Counter(schedule.deals.tolist())
    assert sorted(per_deal) == list(range(len(per_deal)))
    for deal in per_deal:
        rows = schedule.line_ups[schedule.deals == deal]
        inside = np.array([(rows == agent).sum(axis=0) for agent in range(agents)])
        assert (inside == inside[0]).all(), "on this deal somebody plays a seat more often"


@pytest.mark.parametrize(("agents", "seats"), [(3, 5), (2, 5), (7, 5), (4, 3), (10, 4)])
def test_line_ups_mix_the_agents_as_evenly_as_the_seats_allow(agents, seats):
    schedule = pool_schedule(agents, (0,) * seats, 4000, seed=1)
    met = np.zeros((agents, agents))
    for line_up in schedule.line_ups:
        places = np.bincount(line_up, minlength=agents)
        assert set(places) <= {seats // agents, seats // agents + 1}
        met += np.outer(places, places)
    apart = met[~np.eye(agents, dtype=bool)]
    assert apart.min() > 0.95 * apart.max(), "some pairs meet more often than others"


def test_the_draw_follows_the_seed():
    first, same, other = (pool_schedule(7, FIVE, 500, seed) for seed in (1, 1, 2))
    assert (first.line_ups == same.line_ups).all()
    assert first.line_ups.shape != other.line_ups.shape or (first.line_ups != other.line_ups).any()


# --- workers: any order, what is raised, games and agents in other processes ----------------------


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
