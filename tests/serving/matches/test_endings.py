"""What people do besides playing: they concede, agree to end the match, talk, play again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import get_args

import pytest

from gangland.envs.core.state import Result
from gangland.serving.errors import ServingError
from gangland.serving.matches.ending import agree, concede, foresee, outcomes
from gangland.serving.matches.match import Match, restore
from gangland.serving.matches.rematch import ask, begin, rematch_of, sit_down
from gangland.serving.matches.rooms import asked_at
from gangland.serving.matches.views import Wanted, view
from gangland.serving.protocol import PHRASES, Phrase
from gangland.serving.storage.journal import Entry, token_hash
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, OPEN, human
from tests.serving.servers import new_match, played

# --- conceding ------------------------------------------------------------------------------------


def test_who_concedes_is_replaced_at_once_and_cannot_return(client):
    match, tokens = client.create(TOY, [human("Ann"), human("Bob"), HUMAN])
    view = client.post(f"/matches/{match}/concede", token=tokens[0])
    assert next(event["text"] for event in view["events"]) == (
        "Ann concedes; a bot plays on for Player 0."
    )
    assert (view["seats"][0]["kind"], view["seats"][0]["conceded"], view["away"]) == (
        "bot",
        True,
        False,
    )
    for what in ("return", "concede", "end", "leave"):
        assert client.post(f"/matches/{match}/{what}", {}, tokens[0], status=409)
    assert client.asked(match, tokens[1])["status"] == "playing"  # the others play on


def test_who_has_left_can_concede(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    client.post(f"/matches/{match}/leave", {"bot": "random"}, tokens[2])
    view = client.post(f"/matches/{match}/concede", token=tokens[2])
    assert view["seats"][2]["conceded"]
    assert view["seats"][2]["bot"] == "random"


def test_a_waiting_match_cannot_be_conceded(client):
    match, tokens = client.create(TOY, [HUMAN, {"kind": "open"}, BOT])
    answer = client.post(f"/matches/{match}/concede", token=tokens[0], status=409)
    assert answer["message"] == "the match is waiting"


def test_no_decision_is_taken_back_after_conceding():
    match = new_match(TOY)
    for other in (1, 2):
        match.seats[other].token = ""
    match.apply(match.play(0, 0, "keep"))
    assert match.undo(0)
    match.apply(concede(match, 0, "random"))
    with pytest.raises(ServingError, match="seat 0 was conceded"):
        match.undo(0)


@pytest.mark.parametrize(
    ("conceded", "places", "shares", "ranked", "won"),
    [
        # The bot that plays on wins: the person is last, the best of the others has won.
        ({0}, (1, 2, 3), (1.0, 0.0, 0.0), [3, 1, 2], [0.0, 1.0, 0.0]),
        ({1}, (1, 3, 2), (1.0, 0.0, 0.0), [1, 3, 2], [1.0, 0.0, 0.0]),
        ({0}, (1, 2, 2), (1.0, 0.0, 0.0), [3, 1, 1], [0.0, 0.5, 0.5]),
        ({0, 2}, (1, 3, 2), (1.0, 0.0, 0.0), [2, 1, 2], [0.0, 1.0, 0.0]),
        ({0, 1, 2}, (1, 2, 3), (1.0, 0.0, 0.0), [1, 1, 1], [0.0, 0.0, 0.0]),
        (set(), (1, 1, 3), (0.5, 0.5, 0.0), [1, 1, 3], [0.5, 0.5, 0.0]),
        (set(), (1, 2, 3), (0.0, 0.0, 0.0), [1, 2, 3], [0.0, 0.0, 0.0]),
    ],
)
def test_on_the_leaderboard_who_conceded_is_last(conceded, places, shares, ranked, won):
    match = new_match(TOY)
    for seat in conceded:
        match.apply(concede(match, seat, "random"))
    found = outcomes(match, Result((0.0,) * 3, (0,) * 3, places, shares, False))
    assert [one.place for one in found] == ranked
    assert [one.win_share for one in found] == won
    assert [one.player for one in found] == ["Person 0", "Person 1", "Person 2"]
    assert not any(one.bot for one in found)


def test_a_conceded_match_is_rated_when_the_others_have_played_it_out(client):
    match, tokens = client.create(TOY, [human("Ann"), human("Bob"), human("Cid")])
    client.post(f"/matches/{match}/concede", token=tokens[0])
    views = client.play_out(match, {seat: tokens[seat] for seat in (1, 2)})
    assert views[1]["result"]["ending"] == "played"
    rows = {row["player"]: row for row in client.get("/leaderboard", game=TOY)["rows"]}
    assert rows["Ann"]["wins"] == 0.0
    assert rows["Ann"]["rating"] < min(rows["Bob"]["rating"], rows["Cid"]["rating"])
    assert rows["Bob"]["wins"] + rows["Cid"]["wins"] == 1.0


# --- agreeing -------------------------------------------------------------------------------------


def test_the_match_ends_without_a_winner_when_all_people_have_agreed(client):
    match, tokens = client.create(TOY, [human("Ann"), human("Bob"), BOT])
    end = f"/matches/{match}/end"
    view = client.post(end, token=tokens[0])
    assert view["status"] == "playing"
    assert [seat["agrees"] for seat in view["seats"]] == [True, False, False]
    again = client.post(end, {"agree": True}, tokens[0], status=409)
    assert again["message"] == "you have agreed already to end the match"
    view = client.post(end, {"agree": False}, tokens[0])
    assert not view["seats"][0]["agrees"]
    client.post(end, token=tokens[1])
    view = client.post(end, token=tokens[0])
    assert (view["status"], view["to_act"], view["decision"]) == ("finished", None, None)
    assert view["result"]["ending"] == "agreed"
    assert view["result"]["standings"] == []
    assert [event["text"] for event in view["events"] if event["kind"] in ("seat", "end")] == [
        "Ann agrees to end the match.",
        "Ann wants to play on after all.",
        "Bob agrees to end the match.",
        "Ann agrees to end the match.",
        "The match is over: everybody agreed to end it.",
    ]
    assert client.get("/leaderboard", game=TOY)["rows"] == []
    info = client.get(f"/matches/{match}")
    assert (info["result"]["ending"], info["rated"]) == ("agreed", False)
    assert client.get(f"/matches/{match}/frames/0")["open"]
    answer = client.get(f"/matches/{match}/replay", status=409)
    assert "ended by agreement" in answer["message"]
    for what in ("end", "concede", "leave"):
        client.post(f"/matches/{match}/{what}", {}, tokens[0], status=409)


def test_who_plays_against_bots_alone_agrees_with_nobody(client):
    match, tokens = client.create(TOY, [HUMAN, BOT, BOT])
    assert client.post(f"/matches/{match}/end", token=tokens[0])["status"] == "finished"


@pytest.mark.parametrize("how", ["leave", "concede"])
def test_people_who_have_gone_are_not_asked(client, how):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    client.post(f"/matches/{match}/{how}", {}, tokens[2])
    answer = client.post(f"/matches/{match}/end", token=tokens[2], status=409)
    assert "only who sits there can agree" in answer["message"] or "conceded" in answer["message"]
    client.post(f"/matches/{match}/end", token=tokens[0])
    # The last one who had not agreed goes, too.
    assert client.post(f"/matches/{match}/{how}", {}, tokens[1])["status"] == "finished"


def test_a_match_that_nobody_sits_at_any_more_goes_on():
    match = new_match(TOY)
    for seat in range(3):
        match.apply(match.leave(seat, "random"))
    assert match.status == "playing"


def test_who_comes_back_is_asked():
    match = new_match(TOY)
    match.apply(match.leave(2, "random"))
    match.apply(agree(match, 0, True))
    match.apply(match.come_back(2))
    match.apply(agree(match, 1, True))
    assert match.status == "playing"
    assert foresee(match, agree(match, 2, True)) == ("finished", [])


def test_an_agreed_end_is_restored(client):
    match = new_match(TOY)
    journal = [*played(match, 2), *(Entry("agree", seat) for seat in range(3))]
    for entry in journal[2:]:
        match.apply(entry)
    other = restore(match.setup, journal)
    assert other.status == "finished"
    for viewer in (0, None):
        assert view(other, viewer, Wanted()) == view(match, viewer, Wanted())


def test_an_end_during_a_secret_decision_is_shown():
    """Messages that were held back come out: nobody will decide any more."""
    match = new_match("crime_lords")
    while not match.watches[2].secret:
        played(match, 1)
        assert match.status == "playing"
    before = len(match.watches[2].events)
    for seat in range(len(match.seats)):
        assert len(match.watches[2].events) == before
        match.apply(Entry("agree", seat))
    shown = [event.text for event in match.watches[2].events[before:]]
    assert shown[-1] == "The match is over: everybody agreed to end it."
    assert view(match, 2, Wanted(svg=False)).result is not None


def test_a_finished_match_that_was_agreed_upon_has_a_review(client):
    match, tokens = client.create("chicago", [HUMAN, *[BOT] * 4])
    asked = client.asked(match, tokens[0])
    client.act(match, tokens[0], asked["decision"], asked["legal"][0]["id"])
    client.post(f"/matches/{match}/end", token=tokens[0])
    found = client.get(f"/matches/{match}/review", tokens[0])
    assert found["curve"][-1]["chances"] == [0.2] * 5


# --- talking --------------------------------------------------------------------------------------


def said(view):
    return [event["text"] for event in view["events"] if event["kind"] == "say"]


def test_people_say_phrases_to_each_other(client):
    match, tokens = client.create(TOY, [human("Ann"), human("Bob"), BOT])
    path, hello = f"/matches/{match}/say", {"phrase": "hello"}
    assert said(client.post(path, hello, tokens[0])) == ["Ann says: Hello!"]
    refused = client.post(path, {"phrase": "Hello!"}, tokens[0], status=422)
    assert "'hello', 'good_luck'" in refused["message"]
    client.post(path, hello, status=401)
    for token in tokens.values():
        client.post(f"/matches/{match}/end", token=token)
    client.post(path, {"phrase": "good_game"}, tokens[1])
    for token in (*tokens.values(), None):
        assert said(client.view(match, token)) == ["Ann says: Hello!", "Bob says: Good game!"]


def test_who_plays_with_bots_alone_has_nobody_to_talk_to(client):
    match, tokens = client.create(TOY, [HUMAN, BOT, BOT])
    refused = client.post(f"/matches/{match}/say", {"phrase": "hello"}, tokens[0], status=409)
    assert refused["message"] == "nobody else at the table is a person"


def test_what_was_said_is_restored_whatever_a_later_version_lets_people_say():
    match = new_match(TOY)
    journal = [*played(match, 2), match.say(1, "thanks"), Entry("say", 2, text="checkmate")]
    other = restore(match.setup, journal)
    shown = view(other, None, Wanted()).model_dump()
    assert said(shown) == ["Person 1 says: Thank you!", "Person 2 says: checkmate"]
    assert other.status == "playing"
    other.expired = True
    with pytest.raises(ServingError, match="expired"):
        other.say(0, "thanks")


def test_talking_gives_nobody_more_time():
    """The time of a decision began when it was asked for, not when somebody talked."""
    match = new_match(TOY)
    asked, *later = match.play(0, 0, "keep"), Entry("agree", 1), match.say(2, "hello")
    journal = [replace(entry, at=at) for at, entry in enumerate((asked, *later), 5)]
    for entry in journal:
        match.apply(entry)
    assert asked_at(match, journal) == 5


def test_all_phrases_have_words_and_the_page_has_the_same(client):
    assert {*PHRASES} == {*get_args(Phrase)}
    page = client.http.get("/speech.js").text
    listed = page.partition("export const PHRASES = {")[2].partition("}")[0]
    assert dict(re.findall(r'(\w+): N_\("(.*?)"\)', listed)) == PHRASES


# --- over the WebSocket ---------------------------------------------------------------------------


def test_all_work_over_the_websocket(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    with client.http.websocket_connect(f"/api/v1/matches/{match}/ws") as socket:
        socket.send_text(json.dumps({"type": "hello", "token": tokens[0], "svg": False}))
        assert socket.receive_json()["type"] == "view"

        def answer(ref, **message):
            socket.send_text(json.dumps({**message, "ref": ref}))
            while (found := socket.receive_json()).get("ref") != ref:
                pass
            return found

        assert answer(1, type="end")["seats"][0]["agrees"]
        assert not answer(2, type="end", agree=False)["seats"][0]["agrees"]
        assert answer(3, type="begin")["code"] == "conflict"
        assert said(answer(4, type="say", phrase="ouch"))
        assert answer(5, type="concede")["seats"][0]["conceded"]


# --- rematches ------------------------------------------------------------------------------------


OPTIONS = {"players": 3, "highest": 5}


@pytest.fixture
def ended(client):
    """A match of Ann, Bob and a bot that was ended; its tokens."""
    clock = {"per_decision": 600.0}
    match, tokens = client.create(
        TOY, [human("Ann"), BOT, human("Bob")], options=OPTIONS, clock=clock, seed=3
    )
    for token in tokens.values():
        client.post(f"/matches/{match}/end", token=token)
    return match, tokens


def rematch(client, match, token, status=200):
    return client.post(f"/matches/{match}/rematch", token=token, status=status)


def texts(view):
    return [event["text"] for event in view["events"]]


def test_everybody_sits_where_they_sat(client, ended):
    match, tokens = ended
    taken = rematch(client, match, tokens[0])
    new = taken["match"]
    assert taken == {
        "protocol": "gangland/1", "type": "seat", "match": new, "seat": 0, "token": tokens[0]
    }  # fmt: skip
    view = client.view(new, taken["token"])
    assert view["status"] == "waiting"
    assert [(s["kind"], s["player"]) for s in view["seats"]] == [
        ("human", "Ann"),
        ("bot", "random"),
        ("open", "Bob"),
    ]
    assert (view["options"], view["clock"]) == (OPTIONS, None)
    assert rematch(client, match, tokens[2])["match"] == new
    view = client.view(new, tokens[0])
    assert (view["status"], view["seats"][2]["kind"]) == ("playing", "human")
    assert texts(view) == ["Ann sits down as Player 0.", "Bob sits down as Player 2."]
    assert client.get(f"/matches/{new}")["rated"]  # its seed is not the one that was chosen
    asked = client.asked(new, tokens[0])
    assert asked["decision"] == 0
    assert asked["clock"]["left"] <= 600.0
    assert client.play_out(new, tokens)[0]["result"]["ending"] == "played"


def test_it_is_offered_at_once(client, ended):
    match, tokens = ended
    with client.http.websocket_connect(f"/api/v1/matches/{match}/ws") as socket:
        socket.send_json({"type": "hello", "token": tokens[2], "svg": False})
        assert socket.receive_json()["rematch"] is None
        new = rematch(client, match, tokens[0])["match"]
        offered = socket.receive_json()
    assert offered["rematch"] == {"match": new, "seat": 0}
    assert texts(offered) == ["Ann asks for a rematch."]
    assert client.view(match)["rematch"]["match"] == new


def test_asking_again_changes_nothing(client, ended):
    match, tokens = ended
    first = [rematch(client, match, tokens[seat]) for seat in (0, 0, 2, 2)]
    assert len({one["match"] for one in first}) == 1
    assert len(texts(client.view(first[0]["match"]))) == 2


def test_a_seat_is_kept_for_its_person_alone(client, ended):
    match, tokens = ended
    new = rematch(client, match, tokens[0])["match"]
    for body in ({"name": "Eve"}, {"name": "Eve", "seat": 2}):
        answer = client.post(f"/matches/{new}/join", body, status=409)
        assert "open" in answer["message"]
    client.post(f"/matches/{match}/rematch", status=401)
    rematch(client, match, "wrong", status=401)


def test_who_declines_is_replaced_by_a_bot(client, ended):
    match, tokens = ended
    new = rematch(client, match, tokens[0])["match"]
    client.post(f"/matches/{new}/leave", {}, tokens[2])
    view = client.view(new, tokens[0])
    assert (view["status"], view["seats"][2]["kind"]) == ("playing", "bot")
    assert texts(view)[1:3] == ["Bob declines the rematch.", "A bot sits down as Player 2."]
    client.view(new, tokens[2], status=401)
    answer = rematch(client, match, tokens[2], status=409)
    assert answer["message"] == "seat 2 of the rematch is not kept for you any more"


def test_it_can_begin_without_those_who_do_not_come(client, ended):
    match, tokens = ended
    new = rematch(client, match, tokens[0])["match"]
    answer = client.post(f"/matches/{new}/begin", token=tokens[2], status=409)
    assert answer["message"] == "sit down first"
    view = client.post(f"/matches/{new}/begin", token=tokens[0])
    assert (view["status"], view["seats"][2]["kind"]) == ("playing", "bot")
    client.post(f"/matches/{new}/begin", token=tokens[0], status=409)
    rematch(client, match, tokens[2], status=409)


def test_a_table_that_waits_for_strangers_does_not_begin_so(client):
    match, tokens = client.create(TOY, [HUMAN, OPEN, BOT])
    answer = client.post(f"/matches/{match}/begin", token=tokens[0], status=409)
    assert answer["message"] == "the match waits for whoever takes its open seats"


def test_only_a_finished_match_has_one(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    answer = rematch(client, match, tokens[0], status=409)
    assert answer["message"] == "the match is playing, not finished"
    assert client.view(match)["rematch"] is None


def test_against_bots_alone_it_begins_at_once(client):
    match, tokens = client.create(TOY, [BOT, HUMAN, BOT])
    client.play_out(match, tokens)
    new = rematch(client, match, tokens[1])["match"]
    assert client.asked(new, tokens[1])["status"] in ("playing", "finished")


def test_it_survives_a_restart(client, ended, settings):
    """The request is in the journal; a rematch that was not created any more is created then."""
    match, tokens = ended
    hub = client.http.app.state.hub

    async def lose():
        room = await hub.room(match)
        await hub._change(room, lambda: ask(room.match, 0, "abc123"))
        hub.rooms.drop(room)

    client.http.portal.call(lose)
    assert client.view(match)["rematch"] == {"match": "abc123", "seat": 0}
    assert rematch(client, match, tokens[2])["match"] == "abc123"
    assert client.view("abc123")["status"] == "waiting"


# --- who sits where -------------------------------------------------------------------------------


def test_bots_are_those_of_the_table_and_not_their_substitutes():
    match = new_match(TOY)
    match.apply(match.leave(0, "heuristic"))  # a person who left is asked again
    setup = rematch_of(match, "new", 7, "now")
    assert [seat.kind for seat in setup.seats] == ["open"] * 3
    match = new_match(TOY, kind="bot")
    match.apply(Entry("leave", 1, by="clock", text="heuristic"))
    assert [seat.bot for seat in rematch_of(match, "new", 7, "now").seats] == ["random"] * 3


def test_bots_that_took_seats_stay():
    first = new_match(TOY)
    match = Match(rematch_of(first, "new", 7, "now"))
    for seat in (0, 1):
        match.apply(sit_down(match, seat, token_hash(str(seat))))
    match.apply(begin(match, 0, "heuristic"))
    assert match.status == "playing"
    seats = rematch_of(match, "newer", 7, "now").seats
    assert [(seat.kind, seat.player or seat.bot) for seat in seats] == [
        ("open", "Person 0"),
        ("open", "Person 1"),
        ("bot", "heuristic"),
    ]
