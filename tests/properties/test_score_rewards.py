"""``reward="score"`` pays in a unit of each game's own, about -1 to 1."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import load, make_vec
from gangland.envs.core.aec import GameEnv
from gangland.envs.core.batch import sample_legal
from tests.games import GAMES, TOY

SCALES = {"chicago": 180, "crime_lords": 16, "five_points": 60, "gangsters": 12600, TOY: 36}
over_games = pytest.mark.parametrize("name", GAMES)


@over_games
def test_the_unit_is_as_documented(name):
    assert load(name).score_scale == SCALES[name]


@over_games
def test_a_whole_game_pays_differences_in_that_unit(name):
    env = GameEnv(load(name), reward="score")
    for seed in range(4):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        collected = dict.fromkeys(env.possible_agents, 0.0)
        while env.agents:
            observation, reward, termination, truncation, _ = env.last()
            collected[env.agent_selection] += reward
            over = termination or truncation
            mask = observation["action_mask"]
            env.step(None if over else int(rng.choice(np.flatnonzero(mask))))
        scores = env.game.result(env.record).scores
        others = len(scores) - 1
        paid = not env.game.is_truncated(env.record)
        for agent, own in zip(env.possible_agents, scores, strict=True):
            wanted = (own - (sum(scores) - own) / others) / SCALES[name]
            assert collected[agent] == pytest.approx(wanted * paid, abs=1e-9)


@over_games
@pytest.mark.parametrize("fewest", [False, True])
def test_random_games_pay_about_minus_one_to_one(name, fewest):
    """Measured over random games, at the default table and at the smallest one."""
    game = load(name)
    seats = game.options.options[0]
    options = {seats.name: seats.low} if fewest else {}
    tables = make_vec(name, 32, seed=9, **options)
    tables.reset()
    n = tables.num_seats
    seeds, actions = np.arange(32, dtype=np.uint64), np.zeros(32, np.int64)
    seen = []
    while len(seen) < 64:
        sample_legal(tables.action_masks, seeds, actions, 0, 32)
        tables.step(actions)
        scores = tables.scores[tables.dones, :n].astype(float)
        others = (scores.sum(1, keepdims=True) - scores) / (n - 1)
        seen += list((scores - others) / game.score_scale)
    assert np.abs(seen).max() <= 1.0
    assert np.abs(seen).max() >= 0.25
