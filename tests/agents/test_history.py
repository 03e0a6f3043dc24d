"""Agents that remember: what they are shown of the game so far, everywhere that agents play."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from gangland.agents import Agent, Decision
from gangland.agents.outside.llm import question
from gangland.agents.registry import make
from gangland.agents.seat_env import SeatEnv
from gangland.arena import play_table
from gangland.envs import chicago_v0, load
from gangland.envs.api.aec import GameEnv
from gangland.envs.core.errors import ResetNeededError
from gangland.envs.core.history import History, Memory, known_to
from gangland.envs.core.state import NO_SEAT
from gangland.envs.core.view import NoHistoryError
from tests.games import GAMES

CHICAGO = load("chicago")


class Rememberer(Agent):
    """Plays by what it has noticed, and looks at that closely."""

    spec = "rememberer"
    needs_history = True

    def __init__(self):
        self.lengths = []

    def decide(self, view):
        history = view.history
        assert history.seat == view.seat
        assert history.known[-1].tobytes() == view.known.tobytes()
        assert len(history.actions) == len(history.sentences) == len(history) - 1
        self.lengths.append((view.seat, len(history)))
        told = sum(map(len, history.since_own()))
        own = sum(action is not None for action in history.actions)
        return Decision(view.legal_actions[(told + 7 * own) % len(view.legal_actions)])


def walk(game, seed, most=400):
    """Random decisions: state, actor, action, again and again; the state is the one after it."""
    state, rng = game.new_state(seed), np.random.default_rng(seed)
    yield state, NO_SEAT, -1
    for _ in range(most):
        if game.is_over(state):
            return
        actor = game.seat_to_act(state)
        action = int(rng.choice(game.legal_actions(state)))
        game.apply(state, action)
        yield state, actor, action


@pytest.mark.parametrize("name", GAMES)
def test_a_history_follows_from_what_the_seat_knows(name):
    game = load(name)
    steps = walk(game, 5)
    state, _, _ = next(steps)
    seats = range(game.num_seats(state))
    sighted = [Memory(game, seat, state) for seat in seats]
    blind = [Memory(game, seat, known_to(game, state, seat)) for seat in seats]
    own = [[] for _ in seats]
    for state, actor, action in steps:
        own[actor].append(action)
        for seat in seats:
            sighted[seat].see(actor, action, state)
            blind[seat].see(actor, action, known_to(game, state, seat))
    for seat in seats:
        first, second = sighted[seat].history, blind[seat].history
        assert [known.tobytes() for known in first.known] == [k.tobytes() for k in second.known]
        assert first.actions == second.actions
        assert first.sentences == second.sentences
        assert len(first) > 3
        for known in first.known:
            assert known_to(game, known, seat).tobytes() == known.tobytes()
        mine = [action for action in first.actions if action is not None]
        assert mine == own[seat][: len(mine)]
        assert len(own[seat]) - len(mine) <= 1  # the last one, if others decide in secret since


def test_it_tells_what_came_since_the_seats_own_decision():
    state = CHICAGO.new_state(3)
    played = []
    for actor, action in ((int(state.seat), CHICAGO.legal_actions(state)[0]) for _ in range(12)):
        played.append((actor, action))
        CHICAGO.apply(state, action)
    seat = played[2][0]
    history = History.of(CHICAGO, seat, CHICAGO.new_state(3), [action for _, action in played])
    last = max(k for k, action in enumerate(history.actions) if action is not None)
    assert history.since_own() == [line for lines in history.sentences[last:] for line in lines]
    assert history.since_own() != [line for lines in history.sentences for line in lines]
    nothing = History.of(CHICAGO, 0, CHICAGO.new_state(3), [])
    assert nothing.since_own() == []
    assert nothing.observations().tolist() == [CHICAGO.observe(nothing.known[0], 0).tolist()]
    assert nothing.observations(5).shape == (0, CHICAGO.observation_size)
    assert history.observations().shape == (len(history), CHICAGO.observation_size)


def test_a_history_stays_as_it_was_when_the_game_goes_on():
    steps = walk(CHICAGO, 1, 30)
    state, _, _ = next(steps)
    memory = Memory(CHICAGO, 0, state)
    kept = memory.history
    for state, actor, action in steps:
        memory.see(actor, action, state)
    assert len(kept) == 1
    assert len(memory.history) > 1


@pytest.mark.parametrize("name", ["chicago", "gangsters"])
def test_it_plays_in_the_arena_alike_on_any_number_of_threads(name):
    agents = [Rememberer(), Rememberer()]
    one, two = (
        play_table(name, [agent, *["random"] * 4], games=10, seed=2, workers=threads)
        for agent, threads in zip(agents, (1, 2), strict=True)
    )
    assert one.of("rememberer").win == two.of("rememberer").win
    assert sorted(agents[0].lengths) == sorted(agents[1].lengths)
    assert max(length for _, length in agents[0].lengths) > 20


def test_a_view_without_history_says_so():
    state = CHICAGO.new_state(1)
    view = CHICAGO.view(state, CHICAGO.seat_to_act(state))
    assert not view.has_history
    with pytest.raises(NoHistoryError, match=r"chicago: nobody took note .* needs_history = True"):
        _ = view.history

    class Forgetful(Rememberer):
        needs_history = False

    with pytest.raises(NoHistoryError):
        play_table("chicago", [Forgetful(), *["random"] * 4], games=1, seed=2)


def test_it_sits_opposite_in_a_gymnasium_environment():
    bot = Rememberer()
    env = SeatEnv("chicago", opponents=[bot, "random", "random", "random"], illegal="random")
    for seed in (1, 2):
        env.reset(seed=seed)
        for _ in range(40):
            _, _, terminated, truncated, _ = env.step(0)
            if terminated or truncated:
                break
    assert min(length for _, length in bot.lengths) < 10 < max(n for _, n in bot.lengths)
    assert {seat for seat, _ in bot.lengths} == {1}


def test_a_file_says_that_it_remembers(tmp_path):
    (tmp_path / "mine.py").write_text(
        "needs_history = True\n\ndef act(view):\n    assert len(view.history)\n"
        "    return view.legal_actions[0]\n"
    )
    agent = make(str(tmp_path / "mine.py"), CHICAGO)
    assert agent.needs_history
    play_table("chicago", [agent, *["random"] * 4], games=2, seed=1)
    (tmp_path / "other.py").write_text("def act(view):\n    return view.legal_actions[0]\n")
    assert not make(str(tmp_path / "other.py"), CHICAGO).needs_history


def test_a_language_model_is_told_what_has_happened():
    steps = walk(CHICAGO, 4, 60)
    state, _, _ = next(steps)
    memories = [Memory(CHICAGO, seat, state) for seat in range(5)]
    for state, actor, action in steps:
        for memory in memories:
            memory.see(actor, action, state)
    seat = CHICAGO.seat_to_act(state)
    history = memories[seat].history
    _, user = question(CHICAGO, CHICAGO.view(state, seat, history=history))
    news = "\n".join(["Since your last decision:", *history.since_own()])
    assert user["content"].startswith(f"{news}\n\nThe table:")
    _, user = question(CHICAGO, CHICAGO.view(state, seat))
    assert user["content"].startswith("The table:")


def test_the_pettingzoo_environment_keeps_histories_by_an_option():
    env = chicago_v0.env(history=True).unwrapped
    assert isinstance(env, GameEnv)
    with pytest.raises(ResetNeededError):
        env.history("player_0")
    env.reset(seed=3)
    names = env.possible_agents
    for _ in range(20):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(np.flatnonzero(mask)[-1]))
    before = {name: env.history(name) for name in names}
    assert {len(history) for history in before.values()} != {1}
    for other in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        for name in names:
            assert other.history(name).sentences == before[name].sentences
        mask = other.observe(other.agent_selection)["action_mask"]
        other.step(int(np.flatnonzero(mask)[0]))
        assert len(other.history(names[0])) >= len(before[names[0]])
        assert {name: len(env.history(name)) for name in names} == {
            name: len(history) for name, history in before.items()
        }
    saved = env.save()
    env.restore(saved)
    assert [len(env.history(name)) for name in names] == [1] * len(names)


def test_without_the_option_there_is_none():
    env = chicago_v0.env().unwrapped
    env.reset(seed=1)
    with pytest.raises(NoHistoryError, match="history=True"):
        env.history(env.possible_agents[0])
