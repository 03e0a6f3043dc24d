"""Matches over HTTP, from creation to the leaderboard."""

from __future__ import annotations

import json
import threading
import time

import pytest

from gangland.envs import load
from gangland.envs.core.replay import Replay
from gangland.serving.matches import hub
from gangland.serving.protocol import View
from tests.games import GAMES, TOY, long_ones_slow
from tests.serving.client import BOT, HUMAN, OPEN, human

REGISTERED = [name for name in GAMES if name != TOY]


def bot(spec):
    return {"kind": "bot", "bot": spec}


def table(game, people):
    """Seats of the default table: people first, then bots."""
    loaded = load(game)
    count = loaded.num_players(loaded.options.resolve({}))
    return [*people, *[BOT] * (count - len(people))]


def test_games_describe_their_options(client):
    games = {info["game"]: info for info in client.get("/games")["games"]}
    assert set(GAMES) <= set(games)
    toy = games[TOY]
    assert toy == client.get(f"/games/{TOY}")
    assert [option["name"] for option in toy["options"]] == ["players", "highest"]
    assert toy["options"][0] == {
        "name": "players",
        "doc": "seats at the table",
        "default": 3,
        "flag": False,
        "low": 2,
        "high": 4,
        "words": [],
    }
    assert (toy["min_players"], toy["max_players"], toy["num_actions"]) == (2, 4, 4)
    assert "random" in [bot["spec"] for bot in toy["bots"]]
    assert toy["default_bot"] == "random"
    assert client.get("/games/chess", status=404)["code"] == "not_found"


SHORT = {"gangsters": {"max_rounds": 2}, "crime_lords": {"max_rounds": 3}}
"""Options with which a match soon ends."""


@pytest.mark.parametrize("game", long_ones_slow(GAMES))
def test_a_person_plays_a_whole_match_against_bots(client, game):
    options = {} if game == "gangsters" else SHORT.get(game, {})  # a drawn match has no winner
    match, tokens = client.create(game, table(game, [human("Ann")]), options=options)
    first = client.view(match, tokens[0], svg=True)
    assert first["svg"].startswith("<svg")
    final = client.play_out(match, tokens)[0]
    View.model_validate(final)
    standings = final["result"]["standings"]
    assert sorted(row["seat"] for row in standings) == list(range(len(final["seats"])))
    assert [row["place"] for row in standings] == sorted(row["place"] for row in standings)
    assert sum(row["win_share"] for row in standings) == pytest.approx(1)
    assert final["events"][-1]["kind"] == "end"
    assert [event["n"] for event in final["events"]] == list(range(final["next_event"]))
    assert client.get(f"/matches/{match}")["result"] == final["result"]
    rows = client.get("/leaderboard", game=game)["rows"]
    assert {(row["player"], row["bot"]) for row in rows} == {("Ann", False), ("random", True)}
    assert sum(row["wins"] for row in rows) == pytest.approx(1)
    ratings = [row["rating"] for row in rows]
    assert ratings == sorted(ratings, reverse=True)


@pytest.mark.parametrize("game", long_ones_slow(GAMES))
def test_a_finished_match_is_a_replay_that_verifies(client, game):
    match, tokens = client.create(game, table(game, [HUMAN]), options=SHORT.get(game, {}))
    running = client.get(f"/matches/{match}/replay", status=409)
    assert running["code"] == "conflict"
    final = client.play_out(match, tokens)[0]
    line = client.get(f"/matches/{match}/replay")["replay"]
    replay = Replay.read(json.dumps(line))
    result = replay.verify(load(game))
    assert [row["place"] for row in sorted(final["result"]["standings"], key=lambda r: r["seat"])] \
        == list(result.places)  # fmt: skip
    frames = final["frames"]
    assert frames == len(replay.actions) + 1
    steps = list(replay.steps(load(game)))
    for n in (1, frames // 2, frames - 1):
        frame = client.get(f"/matches/{match}/frames/{n}")
        before, action, after = steps[n - 1]
        assert frame["open"]
        assert (frame["action"]["id"], frame["actor"]) == (action, int(before.seat))
        lines = load(game).narrate(before, action, after, None)
        assert frame["events"] == lines
        assert frame["svg"] == load(game).svg(after, None, [], lines[-1] if lines else "")
        seen = client.get(f"/matches/{match}/frames/{n}", viewer=0)
        known = load(game).redact(after, 0)
        assert seen["svg"] == load(game).svg(known, 0, [], (seen["events"] or [""])[-1])
    assert client.get(f"/matches/{match}/frames/{frames}", status=404)["code"] == "not_found"


def test_pieces_and_the_lobbys_words_are_sent(client):
    assert client.get(f"/games/{TOY}/pieces")["pieces"] == {}
    assert client.get(f"/games/{TOY}")["about"] is None
    pieces = client.get("/games/chicago/pieces")["pieces"]
    assert pieces["JS"]["name"] == "Loop"
    assert ["Price", "$10"] in pieces["JS"]["facts"]
    assert client.get("/games/chicago")["about"]["weight"] == "light"


def test_events_belong_to_turns(client):
    match, tokens = client.create("chicago", [HUMAN, *[BOT] * 4])
    view = client.view(match, tokens[0])
    assert view["question"].startswith("Your turn") or view["decision"] is None
    while view["status"] == "playing" and view["next_event"] < 30:
        if view["decision"] is None:
            view = client.get(f"/matches/{match}/view?wait=20", token=tokens[0])
            continue
        act = {"decision": view["decision"], "action": view["legal"][0]["id"]}
        view = client.post(f"/matches/{match}/actions?wait=20", act, token=tokens[0])
    numbers = [int(event["turn"].split(":")[0].split()[1]) for event in view["events"]]
    assert numbers == sorted(numbers)
    for event in view["events"]:
        name = event["turn"].split(": ")[1]
        assert view["seats"][event["turn_seat"]]["name"] == name
    steps = [event["step"] for event in view["events"]]
    assert steps == sorted(steps)


def test_actions_by_notation_and_sentences(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, BOT])
    view = client.view(match, tokens[0])
    assert view["legal"] == [
        {"id": 0, "notation": "keep", "sentence": "Keep.", "group": "", "amount": None},
        {"id": 1, "notation": "swap", "sentence": "Swap.", "group": "", "amount": None},
    ]
    after = client.act(match, tokens[0], 0, "keep")
    assert after["decision"] is None
    assert after["to_act"] == 1


def test_late_repeated_illegal_and_invalid_actions_are_refused(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    turn = client.view(match, tokens[0])
    assert turn["decision"] == 0
    for wrong, status, code in [
        (3, 409, "illegal_action"),
        (999, 409, "illegal_action"),
        ("jump", 409, "illegal_action"),
        (-1, 422, "bad_request"),
        (None, 422, "bad_request"),
        (1.5, 422, "bad_request"),
        ("x" * 500, 422, "bad_request"),
        (True, 422, "bad_request"),
    ]:
        assert client.act(match, tokens[0], 0, wrong, status=status)["code"] == code
    for number in (True, "0", 0.0):
        assert client.act(match, tokens[0], number, 0, status=422)["code"] == "bad_request"
    assert client.act(match, tokens[1], 0, 0, status=409)["code"] == "not_your_turn"
    assert client.act(match, tokens[0], 1, 0, status=409)["code"] == "stale_decision"
    assert client.act(match, None, 0, 0, status=401)["code"] == "unauthorized"
    assert client.act(match, "nonsense", 0, 0, status=401)["code"] == "unauthorized"
    assert client.view(match, tokens[0])["version"] == turn["version"]
    client.act(match, tokens[0], 0, 0)
    assert client.act(match, tokens[0], 0, 0, status=409)["code"] == "stale_decision"
    assert client.view(match, tokens[1])["decision"] == 0
    other, _ = client.create(TOY, [HUMAN, BOT, BOT])
    assert client.view(other, tokens[0], status=401)["code"] == "unauthorized"


def test_malformed_authorization_is_refused(client):
    match, _ = client.create(TOY, [HUMAN, BOT, BOT])
    answer = client.http.get(
        f"/api/v1/matches/{match}/view", headers={"authorization": "Basic YTpi"}
    )
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_open_seats_are_joined_before_the_match_begins(client):
    match, tokens = client.create(TOY, [human("Ann"), OPEN, OPEN])
    assert client.view(match, tokens[0])["status"] == "waiting"
    assert client.view(match, tokens[0])["decision"] is None
    assert client.act(match, tokens[0], 0, 0, status=409)["code"] == "conflict"
    bob = client.post(f"/matches/{match}/join", {"name": "Bob", "seat": 2})
    assert bob["seat"] == 2
    taken = client.post(f"/matches/{match}/join", {"name": "Eve", "seat": 2}, status=409)
    assert taken["code"] == "conflict"
    cid = client.post(f"/matches/{match}/join", {"name": "Cid"})
    assert client.post(f"/matches/{match}/join", {"name": "Eve"}, status=409)["code"] == "conflict"
    view = client.view(match, tokens[0])
    assert view["status"] == "playing"
    assert [seat["player"] for seat in view["seats"]] == ["Ann", "Cid", "Bob"]
    assert [event["text"] for event in view["events"]] == [
        "Bob sits down as Player 2.",
        "Cid sits down as Player 1.",
    ]
    client.play_out(match, {**tokens, 1: cid["token"], 2: bob["token"]})
    names = {row["player"] for row in client.get("/leaderboard", game=TOY)["rows"]}
    assert names == {"Ann", "Bob", "Cid"}


def test_a_bot_takes_over_and_the_person_returns(client):
    match, tokens = client.create(TOY, [human("Ann"), human("Bob"), BOT])
    away = client.post(f"/matches/{match}/leave", None, tokens[0])
    assert away["away"]
    assert away["decision"] is None
    assert away["seats"][0] == {
        "seat": 0,
        "name": "Player 0",
        "player": "Ann",
        "kind": "bot",
        "bot": "random",
        "role": "player",
        "conceded": False,
        "agrees": False,
    }
    asked = client.asked(match, tokens[1])
    assert asked["events"][0]["text"] == "Ann leaves; a bot plays on for Player 0."
    refused = client.act(match, tokens[0], 0, 0, status=409)
    assert refused["code"] == "not_your_turn"
    assert client.post(f"/matches/{match}/leave", {}, tokens[0], status=409)["code"] == "conflict"
    back = client.post(f"/matches/{match}/return", None, tokens[0])
    assert not back["away"]
    again = client.post(f"/matches/{match}/return", None, tokens[0], status=409)
    assert again["code"] == "conflict"
    client.play_out(match, tokens)
    people = {r["player"] for r in client.get("/leaderboard", game=TOY)["rows"] if not r["bot"]}
    assert people == {"Ann", "Bob"}


def test_undo_goes_back_to_the_own_decision_before(client):
    match, tokens = client.create("chicago", table("chicago", [HUMAN]))
    none = client.post(f"/matches/{match}/undo", None, tokens[0], status=409)
    assert none["code"] == "conflict"
    before = client.asked(match, tokens[0], state=True)
    client.act(match, tokens[0], before["decision"], before["legal"][0]["id"])
    later = client.asked(match, tokens[0])
    assert later["can_undo"]
    undone = client.post(f"/matches/{match}/undo", None, tokens[0], state=True, svg=False)
    assert undone["state"] == before["state"]
    assert undone["legal"] == before["legal"]
    assert undone["decision"] > later["decision"]
    assert undone["version"] > later["version"]
    stale = client.act(match, tokens[0], before["decision"], 0, status=409)
    assert stale["code"] == "stale_decision"
    assert not client.get(f"/matches/{match}")["rated"]
    client.play_out(match, tokens)
    assert client.get("/leaderboard", game="chicago")["rows"] == []


def test_there_is_no_undo_with_several_people(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, BOT])
    after = client.act(match, tokens[0], 0, 0)
    assert not after["can_undo"]
    assert client.post(f"/matches/{match}/undo", None, tokens[0], status=409)["code"] == "conflict"


def test_hints_give_probabilities_and_chances(client):
    match, tokens = client.create("chicago", table("chicago", [HUMAN]))
    view = client.asked(match, tokens[0])
    hint = client.post(f"/matches/{match}/hint", {"bot": "ppo:chicago/bot"}, tokens[0])
    assert hint["decision"] == view["decision"]
    shares = [thought["probability"] for thought in hint["thoughts"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    assert {t["id"] for t in hint["thoughts"]} == {a["id"] for a in view["legal"]}
    assert hint["action"]["id"] == hint["thoughts"][0]["id"]
    assert len(hint["chances"]) == len(view["seats"])
    assert min(hint["chances"]) >= 0
    assert sum(hint["chances"]) == pytest.approx(1)
    silent = client.post(f"/matches/{match}/hint", {"bot": "heuristic"}, tokens[0])
    assert silent["chances"] is None
    assert silent["thoughts"][0]["probability"] is None
    wrong = client.post(f"/matches/{match}/hint", {"bot": "oracle"}, tokens[0], status=422)
    assert "there are bot:easy" in wrong["message"]
    assert client.post(f"/matches/{match}/hint", {}, status=401)["code"] == "unauthorized"


def test_matches_between_bots_run_by_themselves(client):
    match, tokens = client.create(TOY, [BOT, BOT, BOT])
    assert tokens == {}
    view = client.view(match)
    for _ in range(100):
        if view["status"] == "finished":
            break
        view = client.view(match, after=view["version"], wait=1)
    assert view["result"]["standings"]


def test_listed_matches(client):
    first, _ = client.create(TOY, [HUMAN, BOT, BOT])
    hidden, _ = client.create(TOY, [HUMAN, BOT, BOT], listed=False)
    waiting, _ = client.create(TOY, [OPEN, BOT, BOT])
    found = client.get("/matches")["matches"]
    assert [row["match"] for row in found] == [waiting, first]
    assert [row["match"] for row in client.get("/matches", limit=1)["matches"]] == [waiting]
    (row,) = client.http.get("/api/v1/matches?status=waiting").json()["matches"]
    assert row["match"] == waiting
    assert client.get("/matches", game="chicago")["matches"] == []
    assert client.get(f"/matches/{hidden}")["status"] == "playing"


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"game": "chess", "seats": [HUMAN]}, 404, "no game 'chess'"),
        ({"game": TOY, "seats": [HUMAN]}, 422, "seats: 1 given, highcard needs 3"),
        ({"game": TOY, "seats": [HUMAN] * 3, "options": {"bet": 1}}, 422, "unknown option bet"),
        ({"game": TOY, "seats": [HUMAN] * 3, "options": {"highest": 99}}, 422, "highest=99"),
        ({"game": TOY, "seats": [HUMAN] * 3, "options": {"bet": 1.0}}, 422, "options.bet: Input"),
        ({"game": TOY, "seats": [HUMAN] * 3, "listed": 0.0}, 422, "listed: Input should be a"),
        ({"game": TOY, "seats": [HUMAN] * 3, "more": 1}, 422, "more: Extra inputs"),
        ({"game": TOY, "seats": [{"kind": "ghost"}] * 3}, 422, "kind: 'ghost' must be one of 'h"),
        ({"game": TOY, "seats": [{}] * 3}, 422, "seats.0.kind: must be given"),
        ({"game": TOY, "seats": [{"kind": "human", "name": "a\x00b"}] * 3}, 422, "name: "),
        ({"game": TOY, "seats": [human("Al\u202e")] * 3}, 422, "U+202E (RIGHT-TO-LEFT OVERRIDE)"),
        ({"game": TOY, "seats": [human("Al\u200b")] * 3}, 422, "U+200B (ZERO WIDTH SPACE)"),
        ({"game": TOY, "seats": [human("Al\x9b")] * 3}, 422, "U+009B (a control character)"),
        ({"game": TOY, "seats": [human("Al\ufe0f")] * 3}, 422, "U+FE0F (VARIATION SELECTOR-16)"),
        ({"game": TOY, "seats": [human(" \u3000")] * 3}, 422, "name: must hold more than"),
        ({"game": TOY, "seats": [bot("cmd:rm")] * 3}, 422, "no bot 'cmd:rm'"),
        ({"game": TOY, "seats": [bot("ppo:/etc")] * 3}, 422, "no bot 'ppo:/etc'"),
        ({"game": TOY, "seats": [bot("http://x")] * 3}, 422, "no bot"),
        ({"game": TOY, "seats": [HUMAN] * 3, "clock": {"bank": -1}}, 422, "bank"),
        ([], 422, "valid dictionary"),
    ],
)  # fmt: skip
def test_invalid_matches_are_refused_with_the_reason(client, body, status, words):
    answer = client.post("/matches", body, status=status)
    assert words in answer["message"]
    assert "Traceback" not in answer["message"]


def test_a_chosen_seed_gives_the_same_match_unrated(client):
    firsts = []
    for _ in range(2):
        match, tokens = client.create("chicago", table("chicago", [HUMAN]), seed=11)
        assert not client.get(f"/matches/{match}")["rated"]
        firsts.append(client.asked(match, tokens[0], state=True)["state"])
    assert firsts[0] == firsts[1]


def test_the_replay_of_a_drawn_seed_survives_javascript(client, monkeypatch):
    """The page writes the file from numbers that it has read as doubles."""
    monkeypatch.setattr(hub, "draw_seed", lambda: 2**64 - 1)
    match, tokens = client.create(TOY, table(TOY, [HUMAN]))
    client.play_out(match, tokens)
    line = json.dumps(client.get(f"/matches/{match}/replay")["replay"])
    passed_on = json.dumps(json.loads(line, parse_int=lambda digits: int(float(digits))))
    replay = Replay.read(passed_on)
    assert replay.seed == 2**64 - 1
    assert replay.verify(load(TOY)).places


def test_long_polling_waits_until_something_changes(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, BOT])
    version = client.view(match, tokens[1])["version"]
    started = time.monotonic()
    assert client.view(match, tokens[1], after=version, wait=0.3)["version"] == version
    assert 0.25 < time.monotonic() - started < 5
    timer = threading.Timer(0.2, lambda: client.act(match, tokens[0], 0, 0))
    timer.start()
    started = time.monotonic()
    news = client.view(match, tokens[1], after=version, wait=20)
    timer.join()
    assert news["version"] > version
    assert time.monotonic() - started < 10


def test_views_contain_what_is_asked_for(client):
    match, tokens = client.create("chicago", table("chicago", [HUMAN]))
    view = client.asked(match, tokens[0], svg=True, text=True, observation=True, state=True)
    game = load("chicago")
    known = game.from_dict({k: v for k, v in view["state"].items() if k != "viewer"})
    assert view["text"] == game.text(known, 0)
    assert view["observation"] == pytest.approx(game.observe(known, 0).tolist())
    assert [a["id"] for a in view["legal"]] == game.legal_actions(known)
    marked = [a["id"] for a in view["legal"] if f'data-action="{a["id"]}"' in view["svg"]]
    assert marked
    bare = client.view(match, tokens[0])
    assert all(bare[key] is None for key in ("svg", "text", "observation", "state"))
    assert client.view(match, tokens[0], since=10**6)["events"] == []
    assert client.view(match, observation=True)["observation"] is None


def test_unknown_paths_and_methods_are_answered_with_problems(client):
    assert client.get("/nothing", status=404)["code"] == "not_found"
    assert client.call("DELETE", "/games", status=405)["type"] == "error"
    assert client.get("/matches/" + "0" * 16, status=404)["code"] == "not_found"
    answer = client.http.get("/api/v1/games")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers
