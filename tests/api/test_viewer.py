"""A game to step through: what a page holds is what the game draws."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest

from gangland.envs import load
from gangland.envs.api.viewer import OPEN, ReplayViewer, in_parts, picture
from gangland.envs.core.replay import Recorder, Replay


def played(name="highcard", **options) -> Replay:
    game = load(name)
    recorder = Recorder(game, 5, **options)
    while not game.is_over(recorder.state):
        legal = game.legal_actions(recorder.state)
        recorder.apply(legal[recorder.state.ply % len(legal)])
    return recorder.replay()


def unpacked(page: str) -> dict:
    """What the page's script makes of what it holds: each view's pictures."""
    packed = re.search(r'atob\("([^"]+)"\)', page)[1]
    game = json.loads(gzip.decompress(base64.b64decode(packed)))
    shown = {}
    for name, changes in game["views"].items():
        parts, shown[name] = [], []
        for first, changed, last in changes:
            parts = [*parts[:first], *changed, *parts[len(parts) - last :]]
            shown[name].append("".join(game["elements"][at] for at in parts))
    return shown


@pytest.mark.parametrize("name", ["highcard", "chicago"])
def test_a_page_holds_every_position_as_every_seat_saw_it(name):
    replay = played(name)
    game = load(name)
    states = list(replay.states(game))
    viewer = ReplayViewer(replay)
    assert len(viewer) == len(states)
    names = [OPEN, *(game.seat_name(states[0], seat) for seat in range(viewer_seats(game, replay)))]
    shown = unpacked(viewer.html())
    assert list(shown) == names
    for view, (_, pictures) in zip([None, *range(9)], shown.items(), strict=False):
        drawn = [picture(replay, states, number, view) for number in range(len(states))]
        assert pictures == drawn


def viewer_seats(game, replay) -> int:
    return game.num_players(game.options.resolve(replay.options))


def test_elements_that_stay_are_held_once():
    first, second = "<svg><a>1</a><b/></svg>", "<svg><a>2</a><b/></svg>"
    parts = in_parts({"one": [first, second, first], "two": []})
    assert parts["views"]["two"] == []
    assert [len(changed) for _, changed, _ in parts["views"]["one"]][1:] == [1, 1]
    assert len(parts["elements"]) == len(set(parts["elements"]))


def test_only_what_was_asked_for_is_in_the_page():
    replay = played()
    game = load("highcard")
    shown = unpacked(ReplayViewer(replay, views=[1]).html())
    assert list(shown) == [game.seat_name(next(replay.states(game)), 1)]


@pytest.mark.parametrize("views", [[], [-1], [0, 17]])
def test_a_view_that_does_not_exist_is_refused(views):
    with pytest.raises(ValueError, match=r"views=.*: must be seats of 0\.\.\d, or None"):
        ReplayViewer(played(), views=views)


def test_a_notebook_shows_the_page_in_a_frame():
    viewer = ReplayViewer(played())
    frame = viewer._repr_html_()
    assert frame.startswith("<iframe srcdoc=")
    assert "<script>" not in frame


def test_the_page_is_written(tmp_path):
    viewer = ReplayViewer(played())
    viewer.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == viewer.html()
