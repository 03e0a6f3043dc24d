"""The loop that plays tables: the same games one by one and in batches, legal actions only."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.base import Agent, NotADecisionError
from gangland.agents.decision import Decision
from gangland.agents.registry import make
from gangland.agents.seat_env import SeatEnv
from gangland.agents.seeds import decision_seed, players_key
from gangland.agents.table import NotPlayedError, TableBatch, deal, deciding_view, decisions
from gangland.arena import play_table
from gangland.envs import load
from gangland.envs.api.aec import GameEnv
from gangland.envs.core.errors import IllegalActionError
from gangland.envs.core.rng import stream
from tests.games import GAMES, TOY, bot_of


class Answers(Agent):
    """Gives one answer, after writing into its view, and keeps the seeds that it is given."""

    spec = "answers"

    def __init__(self, answer=None):
        self.answer = answer
        self.seeds = []

    def decide(self, view):
        self.seeds.append(int(view.seed))
        legal = view.legal_actions
        view.action_mask[:] = True
        view.known["cards"][:] = 9
        return Decision(legal[0] if self.answer is None else self.answer)


def start(count=12, seed=4):
    seeds = np.array([stream(np.uint64(seed), np.uint64(k)) for k in range(count)], np.uint64)
    keys = np.array([players_key(seed, number) for number in range(count)])
    return seeds, keys


@pytest.mark.parametrize("name", GAMES)
def test_one_by_one_and_in_batches_the_same_games_are_played(name):
    game = load(name)
    options = game.options.resolve({})
    seats = game.num_players(options)
    agents = [make(spec, game) for spec in ("random", bot_of(name))]
    count = 12 if name in (TOY, "chicago") else 4
    seeds, keys = start(count)
    line_ups = (np.arange(count)[:, None] + np.arange(seats)) % 2
    batch = TableBatch(game, deal(game, options, seeds), agents, line_ups, keys)
    played = [[] for _ in range(count)]
    for rows, actions in batch.steps():
        for row, action in zip(rows, actions, strict=True):
            played[row].append(int(action))
    for k in range(count):
        state = game.new_state(int(stream(seeds[k], np.uint64(0))))
        alone = []
        for seat, action in decisions(game, state, [agents[a] for a in line_ups[k]], keys[k]):
            assert seat == game.seat_to_act(state)
            alone.append(action)
            game.apply(state, action)
        assert alone == played[k]
        assert state.tobytes() == batch.states[k].tobytes()
        assert game.is_over(state)
    assert batch.decisions.sum() == batch.states["ply"].sum()
    assert (batch.seconds > 0).all()


def test_the_loop_stops_at_a_seat_that_somebody_else_plays():
    game, key = load(TOY), players_key(1)
    state = game.new_state(1)
    agents = [None, Answers(), Answers()]
    assert list(decisions(game, state, agents, key)) == []
    game.apply(state, 0)
    seats = []
    for seat, action in decisions(game, state, agents, key):
        seats.append(seat)
        game.apply(state, action)
    assert seats == [1, 2]
    assert game.is_over(state)


def test_a_decision_that_is_not_played_is_not_asked_for_again():
    game = load(TOY)
    state = game.new_state(1)
    asked = decisions(game, state, [Answers()] * 3, players_key(1))
    next(asked)
    with pytest.raises(NotPlayedError, match="highcard: decision 0 was not played"):
        next(asked)


@pytest.mark.parametrize("answer", [2, 4, -1, 10**9])
def test_an_illegal_answer_names_the_agent_and_what_is_legal(answer):
    game = load(TOY)
    asked = decisions(game, game.new_state(1), [Answers(answer)] * 3, players_key(1))
    with pytest.raises(IllegalActionError, match=rf"agent answers chose action {answer}, .*\[0, 1"):
        next(asked)


@pytest.mark.parametrize("answer", [0.0, "0", True, None.__class__])
def test_an_answer_is_an_integer(answer):
    game = load(TOY)
    asked = decisions(game, game.new_state(1), [Answers(answer)] * 3, players_key(1))
    message = r"agent answers chose action .*must be an integer"
    with pytest.raises(IllegalActionError, match=message):
        next(asked)
    with pytest.raises(IllegalActionError, match=message):
        play_table(game, [Answers(answer)] * 3, 3)


def test_a_decision_has_the_seed_of_its_number_and_seat():
    game, key, agent = load(TOY), players_key(8), Answers()
    state = game.new_state(2)
    expected = []
    for seat, action in decisions(game, state, [agent] * 3, key):
        expected.append(int(decision_seed(key, len(expected), seat)))
        assert deciding_view(game, state, key).seed == expected[-1]
        game.apply(state, action)
    assert agent.seeds == expected
    assert len(set(expected)) == len(expected) >= 3


def test_who_stops_asking_stops_the_games():
    game = load(TOY)
    seeds, keys = start(5)
    batch = TableBatch(
        game, deal(game, game.options.resolve({}), seeds), [make("random", game)],
        np.zeros((5, 3), np.int64), keys,
    )  # fmt: skip
    next(batch.steps())
    assert batch.states["ply"].tolist() == [1] * 5
    assert batch.decisions.tolist() == [5]


def test_the_single_seat_environment_seeds_its_bots_apart_from_the_game(monkeypatch):
    """Who knows the game's seed does not know what its bots will draw, nor the other way round."""
    games, bot = [], Answers()
    reset = GameEnv.reset

    def noted(env, seed=None, options=None):
        games.append(seed)
        reset(env, seed, options)

    monkeypatch.setattr(GameEnv, "reset", noted)
    env = SeatEnv(TOY, seat=2, opponents="random")
    env._bots = [bot] * 2
    for seed in (3, None, None, 3):
        env.reset(seed=seed)
    assert len(games) == 4
    assert games[0] == games[3]
    assert len(set(games)) == 3
    assert bot.seeds[:2] == bot.seeds[-2:]
    plies, seats = range(20), range(3)
    for seed in games:
        assert seed is not None
        for number in range(4):
            key = players_key(seed, number)
            derived = {int(decision_seed(key, ply, seat)) for ply in plies for seat in seats}
            assert derived.isdisjoint(bot.seeds)


@pytest.mark.parametrize("answer", [0, None, "0"])
def test_an_answer_that_is_no_decision_names_the_agent(answer):
    class Number(Agent):
        spec = "number"

        def decide(self, view):
            return answer

    game = load(TOY)
    message = rf"number: decide returned {answer!r}: must be a Decision"
    with pytest.raises(NotADecisionError, match=message):
        next(decisions(game, game.new_state(1), [Number()] * 3, players_key(1)))
    with pytest.raises(NotADecisionError, match=message):
        play_table(game, [Number()] * 3, 3)


@pytest.mark.parametrize("part", ["probabilities", "chances"])
def test_numbers_of_another_shape_name_the_agent(part):
    class Short(Agent):
        spec = "short"

        def decide(self, view):
            return Decision(view.legal_actions[0], **{part: np.ones(2)})

    game = load(TOY)
    size = {"probabilities": game.num_actions, "chances": game.max_seats}[part]
    message = rf"short: decide returned {part} of shape \(2,\): must be \({size},\)"
    with pytest.raises(NotADecisionError, match=message):
        play_table(game, [Short()] * 3, 3)
