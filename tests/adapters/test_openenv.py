"""OpenEnv: its own client plays whole games at a server; bad input, several sessions, secrets."""

from __future__ import annotations

import contextlib
import threading
import time

import numpy as np
import pytest

from gangland.agents.seat_env import SeatEnv
from gangland.envs.core.errors import GameOverError, OptionError, ResetNeededError
from gangland.envs.core.integers import IntegerError

pytest.importorskip("openenv.core", reason="needs gangland[openenv]; see docs/testing.md")
import uvicorn
from openenv.core.generic_client import GenericEnvClient

from gangland.adapters.openenv import SeatAction, SeatEnvironment, make_app

GAMES = {
    "chicago": {"players": 3},
    "crime_lords": {},
    "five_points": {},
    "gangsters": {"gangs": 2, "police": False},
    "kuhn": {},
    "leduc": {},
}


@contextlib.contextmanager
def serving(game, **settings):
    """The address of a server in a thread."""
    app = make_app(game, **settings)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@contextlib.contextmanager
def connected(url):
    """The package's client, without asyncio in old and new versions."""
    client = GenericEnvClient(base_url=url)
    with client.sync() if hasattr(client, "sync") else client as ready:
        yield ready


@pytest.mark.parametrize("game", GAMES)
def test_a_client_plays_a_whole_game_as_seat_env_does(game):
    options = {**GAMES[game], "opponents": "random"}
    local = SeatEnv(game, **options)
    features, info = local.reset(seed=5)
    rng = np.random.default_rng(5)
    with serving(game, **options) as url, connected(url) as client:
        got = client.reset(seed=5)
        paid, played = 0.0, 0
        while not got.done:
            seen = got.observation
            legal = seen["legal_actions"]
            np.testing.assert_array_equal(np.array(seen["features"], np.float32), features)
            assert seen["action_mask"] == info["action_mask"].tolist()
            assert [one["index"] for one in legal] == np.flatnonzero(info["action_mask"]).tolist()
            assert all(line in seen["text"] for line in seen["events"])
            one = legal[int(rng.integers(len(legal)))]
            assert f"{one['number']}. {one['notation']} - {one['sentence']}" in seen["text"]
            ways = (
                {"index": one["index"]},
                {"text": str(one["number"])},
                {"text": f"I think.\nACTION: {one['number']}"},
                {"text": one["notation"]},
            )
            # A notation that reads as a number is taken for one.
            got = client.step(ways[played % (3 if one["notation"].isdigit() else 4)])
            features, reward, terminated, truncated, info = local.step(one["index"])
            assert got.observation["error"] == ""
            assert (got.reward, got.done) == (reward, terminated or truncated)
            assert got.observation["truncated"] == truncated
            paid, played = paid + got.reward, played + 1
        assert got.observation["legal_actions"] == []
        assert "The game is over." in got.observation["text"]
        assert client.state()["step_count"] == played


def test_an_action_that_is_not_legal_plays_nothing_and_says_why():
    env = SeatEnvironment("chicago", players=3)
    with pytest.raises(ResetNeededError):
        env.step(SeatAction(text="1"))
    first = env.reset(seed=1)
    for action in ({"text": "fly"}, {"text": "0"}, {"text": "999"}, {}, {"index": -1}):
        again = env.step(SeatAction(**action))
        assert again.error
        assert (again.reward, again.done) == (0.0, False)
        assert again.model_dump(exclude={"error", "reward"}) == first.model_dump(
            exclude={"error", "reward"}
        )
    assert env.state.step_count == 0
    while not first.done:
        first = env.step(SeatAction(text="1"))
    for action in ({"text": "1"}, {"text": "fly"}, {"index": 0}):
        with pytest.raises(GameOverError):
            env.step(SeatAction(**action))
    with pytest.raises(IntegerError):
        env.reset(seed=-1)
    with pytest.raises(OptionError):
        make_app("chicago", players=77)


def test_bad_messages_are_errors_and_the_session_goes_on():
    with serving("kuhn") as url, connected(url) as client:
        with pytest.raises(Exception, match="reset"):
            client.step({"text": "1"})
        first = client.reset(seed=3).observation
        for bad in ({"index": True}, {"index": "0"}, {"text": 7}, {"seat": 1}):
            with pytest.raises(Exception, match=r"(?i)invalid message"):
                client.step(bad)
        with pytest.raises(Exception, match="seed"):
            client.reset(seed="three")
        assert client.step({"text": "?"}).observation["text"] == first["text"]
        assert client.step({"text": "1"}).observation["error"] == ""


def test_sessions_have_tables_of_their_own():
    with serving("chicago", players=3) as url, connected(url) as one, connected(url) as other:
        first = one.reset(seed=1)
        second = other.reset(seed=2)
        assert first.observation["text"] != second.observation["text"]
        one.step({"text": "1"})
        assert other.state()["step_count"] == 0
        assert other.reset(seed=1).observation == first.observation


def test_options_and_a_seat_that_is_drawn():
    env = SeatEnvironment("chicago", seat=None, players=4, opponents="random")
    assert {env.reset(seed=seed).seat for seed in range(20)} == {0, 1, 2, 3}


def put(env, record):
    """Make this record the true position, in place."""
    env._env._env._bytes[:] = np.frombuffer(record.tobytes(), np.uint8)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_sent_does_not_depend_on_what_the_seat_cannot_know(game):
    """Everything that is hidden is drawn again, chance to come included: nothing else is sent."""
    env = SeatEnvironment(game, **GAMES[game], opponents="random")
    env.reset(seed=7, episode_id="x")
    rng = np.random.default_rng(7)
    changed = 0
    for _ in range(12):
        record, view = env._env._env.record, env._env.view()
        sent, state = env._seen(None), env.state
        true = env._env.game.clone(record)
        for seed in (1, 2):
            put(env, view.sample_state(seed))
            changed += record.tobytes() != true.tobytes()
            assert env._seen(None) == sent
            assert set(state.model_dump()) == {"episode_id", "step_count"}
        put(env, true)
        again = env.step(SeatAction(index=int(rng.choice(view.legal_actions))))
        if again.done:
            break
    assert changed
