"""The rematch of a finished match."""

from __future__ import annotations

import pytest

from gangland.serving.matches.match import Match
from gangland.serving.matches.rematch import ask, begin, rematch_of, sit_down
from gangland.serving.storage.journal import Entry, token_hash
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, OPEN, human
from tests.serving.made import new_match

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
