"""Lessons: real matches, with every word about them resting on a picture and a rule."""

from __future__ import annotations

import json
import re

import pytest

from gangland.envs import load
from gangland.serving import lessons
from gangland.serving.rulebook import rulebook
from tests.games import GAMES

TAUGHT = [name for name in GAMES if load(name).lesson() is not None]
LONGEST = 420
"""Letters of a text that people read beside a picture."""


def scenes(name):
    lesson = lessons.lesson_of(name)
    return [*lesson.steps, lesson.goal, lesson.turn, lesson.win]


def test_our_games_are_taught():
    assert {"chicago", "crime_lords", "five_points", "gangsters"} <= set(TAUGHT)


@pytest.mark.parametrize("name", TAUGHT)
def test_every_step_is_a_position_in_which_the_learner_decides(name):
    lesson = lessons.lesson_of(name)
    game = load(name)
    plies = [step.ply for step in lesson.steps]
    assert plies == sorted(plies)
    state = game.new_state(lesson.seed, **lesson.options)
    deciding = {}
    for ply, text in enumerate(lesson.actions):
        deciding[ply] = game.seat_to_act(state)
        game.apply(state, game.parse_action(state, text))
    for n, step in enumerate(lesson.steps):
        shown = lessons.step(name, n)
        assert shown.scene.title == step.title
        assert bool(shown.why) == step.play
        assert (shown.play is not None) == step.play
        if step.play:
            assert deciding[step.ply] == lesson.seat
            assert shown.play.notation == lesson.actions[step.ply]
            assert shown.question
            assert shown.reason
            # What one does leads on: the next step is a later position.
            assert lesson.steps[n + 1].ply > step.ply
    assert sum(step.play for step in lesson.steps) >= 6
    assert not lesson.steps[-1].play


@pytest.mark.parametrize("name", TAUGHT)
def test_what_is_pointed_out_is_in_the_picture_and_rules_are_in_the_rulebook(name):
    known = {rule.id for section in rulebook(name).sections for rule in section.rules}
    lesson = lessons.lesson_of(name)
    for scene in scenes(name):
        picture = load(name).svg(lessons._known(name, scene.ply), lesson.seat, [])
        for mark in (*scene.marks, *scene.show):
            for word in mark.split("/"):
                found = (f'data-piece="{word}"', f'data-region="{word}"')
                assert any(one in picture for one in found), (scene.title, mark)
        assert set(scene.rules) <= known, scene.title
        assert len(scene.text) <= LONGEST, scene.title
    for thing in lesson.things:
        assert thing.rules
        assert set(thing.rules) <= known, thing.text
    assert any(scene.marks for scene in scenes(name))


@pytest.mark.parametrize("name", TAUGHT)
def test_texts_are_for_people(name):
    """No ids, no code, no states of a machine."""
    lesson = lessons.lesson_of(name)
    texts = [text for scene in scenes(name) for text in (scene.title, scene.text)]
    texts += [thing.text for thing in lesson.things]
    texts += [step.why for step in lesson.steps if step.why]
    for text in texts:
        assert not re.search(r"[`_{}\[\]]|\b[A-Z]{2,3}-\d|\bmod\b|\bply\b|\bseat\b|[A-Z]{3,}", text)
    for text in texts[1::2]:
        assert text.endswith((".", "!", "?")), text


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_shows_what_the_learner_may_know(name):
    """Its positions are redacted: what others hold may be anything else."""
    game, lesson = load(name), lessons.lesson_of(name)
    for step in lesson.steps[::3]:
        true = lessons._match(name)[0][step.ply]
        other = game.resample_hidden(true, lesson.seat, 3)
        assert game.redact(other, lesson.seat).tobytes() == lessons._known(name, step.ply).tobytes()


def test_lessons_over_http(client):
    info = client.get("/games/chicago")
    assert info["lesson"] is True
    first = client.get("/games/chicago/lesson/0")
    assert first["type"] == "lesson"
    assert first["play"] is None
    assert client.get(f"/games/chicago/lesson/{first['steps']}", status=404)["code"] == "not_found"
    found = client.get("/games/chicago/summary")
    assert len(found["things"]) == 5
    assert found["goal"]["svg"].startswith("<svg")
    assert len(json.dumps(found)) < 400_000
    toy = next(name for name in GAMES if name not in TAUGHT)
    assert client.get(f"/games/{toy}")["lesson"] is False
    client.get(f"/games/{toy}/lesson/0", status=404)
    client.get(f"/games/{toy}/summary", status=404)
