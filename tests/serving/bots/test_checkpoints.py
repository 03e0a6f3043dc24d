"""Checkpoints in the operator's folder: they run nothing, what is damaged is not offered."""

from __future__ import annotations

import json
import sqlite3

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from gangland.envs import load
from gangland.serving.bots.registry import Bots
from gangland.serving.doors.http.app import create_app
from gangland.serving.errors import ServingError
from gangland.serving.settings import Limits, Settings
from tests.agents.checkpoints import (
    ARRAYS,
    change_model,
    damage_arrays,
    write_checkpoint,
)
from tests.serving.client import Client, default_seats
from tests.serving.servers import serving

GAME = load("chicago")
EVIL = {
    "command": "unknown key 'command'",
    "network__advisor": "unknown key 'network.advisor'",
    "format_version": "format_version is 'cmd:touch",
    "code_version": "code_version=",
}
"""Where a bad checkpoint has a command, with what the log says of it."""


@pytest.fixture
def folder(tmp_path):
    """A good bot beside one of every bad kind; what they would run touches ``touched``."""
    command = f"cmd:touch {tmp_path / 'touched'}"
    good = write_checkpoint(tmp_path / "bots" / "good", GAME)
    rating = {"baseline": command, "players": 3, "win_share": 0.5, "par": 0.5}
    named = {"imitation": {"until": command}, "league": {"baselines": [command]}}
    change_model(good, config=named, ratings=[rating], options=[{"players": command}])
    for number, key in enumerate(EVIL):
        bad = write_checkpoint(tmp_path / "bots" / f"evil{number}", GAME)
        # A line break is what a version, which may be any other text, must not have.
        change_model(bad, **{key: command + "\n" * (key == "code_version")})
    narrow = write_checkpoint(tmp_path / "bots" / "narrow", GAME)
    damage_arrays(narrow, ARRAYS["too narrow"][0])
    (tmp_path / "bots" / "broken").mkdir()
    (tmp_path / "bots" / "broken" / "model.json").write_text("{")
    return tmp_path / "bots"


def position():
    view = GAME.view(GAME.new_state(1), int(GAME.new_state(1).seat), seed=5)
    arrays = {"observation": view.observation.tolist(), "legal": view.legal_actions}
    return {"state": view.to_dict()}, arrays


def check(client, tmp_path):
    """What a client can ask for; nothing of it may run a command or end the server."""
    offered = [bot["spec"] for bot in client.get("/games/chicago")["bots"]]
    assert [spec for spec in offered if "/" not in spec and spec.startswith("ppo:")] == [
        "ppo:good",
        "ppo:narrow",
    ]
    state, arrays = position()
    assert client.post("/bots/chicago", {"bot": "ppo:good", **state})["action"] >= 0
    for spec in (f"ppo:evil{number}" for number in range(len(EVIL))):
        for body in (state, arrays):
            answer = client.post("/bots/chicago", {"bot": spec, **body}, status=422)
            assert f"no bot '{spec}'" in answer["message"]
        seats = [{"kind": "bot", "bot": spec}] * len(default_seats(client, "chicago", []))
        assert "no bot" in client.create("chicago", seats, status=422)["message"]
    for body in (state, arrays):
        answer = client.post("/bots/chicago", {"bot": "ppo:narrow", **body}, status=503)
        assert "cannot be loaded" in answer["message"]
        assert str(tmp_path) not in answer["message"]
    assert client.post("/bots/chicago", {"bot": "heuristic", **state})["action"] >= 0
    assert not (tmp_path / "touched").exists()


def test_hostile_checkpoints_are_harmless_in_this_process(tmp_path, folder, caplog):
    settings = Settings(f"sqlite:///{tmp_path / 'db'}", checkpoints=folder, limits=Limits(rate=0.0))
    with TestClient(create_app(settings), base_url="http://testserver") as http:
        check(Client(http), tmp_path)
    said = [record.getMessage() for record in caplog.records if "not offered" in record.message]
    assert len(said) == len(EVIL) + 1
    for number, words in enumerate(EVIL.values()):
        assert sum(f"evil{number}/" in line and words in line for line in said) == 1


def test_hostile_checkpoints_are_harmless_in_a_server_process(tmp_path, folder):
    arguments = ("--game", "chicago", "--db", str(tmp_path / "db"), "--rate", "0")
    with serving(*arguments, "--checkpoints", str(folder)) as (server, client):
        check(client, tmp_path)
        assert server.stop() == 0
    for number, words in enumerate(EVIL.values()):
        assert any(f"evil{number}/" in line and words in line for line in server.errors)


def test_a_changed_file_is_checked_again(tmp_path, folder):
    """Between the list and the first game, the good bot turns bad."""
    bots = Bots(folder)
    assert "ppo:good" in bots.offers("chicago")
    change_model(folder / "good", command=f"touch {tmp_path / 'touched'}")
    with pytest.raises(ServingError, match="cannot be loaded"):
        bots.bot("chicago", "ppo:good")
    assert not (tmp_path / "touched").exists()
    bots.close()


def test_a_run_is_offered_by_its_folder_as_its_newest_checkpoint(tmp_path):
    names = ["checkpoints/step-000000000008", "checkpoints/step-000000000016", "best/step-8"]
    for run in ("cont", "more/chicago", "chicago"):
        for name in (*names, "checkpoints/.step-000000000032"):
            write_checkpoint(tmp_path / run / name, GAME)
    damaged = write_checkpoint(tmp_path / "cont" / "checkpoints" / "step-000000000024", GAME)
    (damaged / "model.json").write_text("{")
    shipped = set(Bots().offers("chicago"))
    bots = Bots(tmp_path)
    assert {bot for bot in bots.offers("chicago") if bot not in shipped} == {
        *("ppo:cont", "ppo:cont/best", "ppo:more/chicago", "ppo:more/chicago/best"),
        # As on the command line, the name of a shipped bot alone is the shipped bot.
        *("ppo:./chicago", "ppo:chicago/best"),
    }
    assert bots.check("chicago", "ppo:cont") == "ppo:cont"
    made_from = bots.offers("chicago")["ppo:cont"].made_from
    assert made_from == f"ppo:{tmp_path}/cont/checkpoints/step-000000000016"
    assert bots.bot("chicago", "ppo:cont").agent
    bots.close()
    alone = Bots(tmp_path / "cont")
    assert set(alone.offers("chicago")) - shipped == {"ppo:checkpoints", "ppo:best"}
    alone.close()


def test_a_checkpoint_with_a_question_mark_in_its_name_is_not_offered(tmp_path):
    write_checkpoint(tmp_path / "bots" / "bot?temperature=1", GAME)
    bots = Bots(tmp_path / "bots")
    assert not [spec for spec in bots.offers("chicago") if "temperature" in spec]
    bots.close()


def test_a_stored_bot_that_is_not_offered_is_replaced(tmp_path):
    """As if somebody else had written the database."""
    settings = Settings(f"sqlite:///{tmp_path / 'db'}", limits=Limits(rate=0.0))
    with TestClient(create_app(settings), base_url="http://testserver") as http:
        client = Client(http)
        seats = default_seats(client, "chicago", [{"kind": "human", "name": "Ann"}])
        match, tokens = client.create("chicago", seats)
    with sqlite3.connect(tmp_path / "db") as db:
        (setup,) = db.execute("select setup from matches").fetchone()
        changed = json.loads(setup)
        for seat in changed["seats"][1:]:
            assert seat["bot"] == "random"
            seat["bot"] = f"cmd:touch {tmp_path / 'x'}"
        text = json.dumps(changed)
        db.execute("update matches set setup = ?", (text,))
    with TestClient(create_app(settings), base_url="http://testserver") as http:
        client = Client(http)
        view = client.asked(match, tokens[0])
        client.act(match, tokens[0], view["decision"], view["legal"][0]["id"])
        client.asked(match, tokens[0])
    assert not (tmp_path / "x").exists()
