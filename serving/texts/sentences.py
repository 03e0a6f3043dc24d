"""Everything that a game says to people, as far as some games show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...agents.baseline.heuristic import make_heuristic, specs_of
from ...agents.registry import make
from ...agents.seeds import players_key
from ...agents.table import deciding_view
from ...envs.core.game import Game
from ...envs.core.history import known_to
from ...envs.core.state import NO_SEAT, State

GAMES = 4
"""Games played with each of a game's presets."""
MOST = 3000
"""Decisions played of each."""


def all_sentences(game: Game, games: int = GAMES) -> set[str]:
    """All sentences of some games with the game's presets and with its defaults."""
    presets = game.about.presets if game.about is not None else ()
    kinds = [{}, *(dict(preset.options) for preset in presets)]
    found = fixed_sentences(game)
    for options in kinds:
        for seed in range(games):
            found.update(sentences_in_play(game, seed, **options))
    return found - {""}


def fixed_sentences(game: Game) -> set[str]:
    """Sentences that need no position: the game, its options, its pieces, its lesson."""
    found = {game.title}
    if game.about is not None:
        found.add(game.about.pitch)
        found |= {words for one in game.about.presets for words in (one.name, one.doc)}
    for option in game.options:
        words = (option.name, *option.words)
        found |= {option.doc, *(word.replace("_", " ") for word in words)}
    found |= set(game.roles)
    for piece in game.pieces().values():
        found |= {piece.name, piece.kind, *piece.text}
        found |= {words for fact in piece.facts for words in fact}
    lesson = game.lesson()
    if lesson is not None:
        for scene in (*lesson.steps, lesson.goal, lesson.turn, lesson.win):
            found |= {scene.title, scene.text}
        found |= {step.why for step in lesson.steps} | {thing.text for thing in lesson.things}
    return found - {""}


def sentences_in_play(game: Game, seed: int, **options: Any) -> Iterator[str]:
    """Sentences of a game among heuristics and random players, with repetitions."""
    state = game.new_state(seed, **options)
    agents = [make("random", game), *(make_heuristic(spec, game) for spec in specs_of(game))]
    key = players_key(seed)
    rng = np.random.default_rng(seed)
    for seat in range(game.num_seats(state)):
        yield game.seat_name(state, seat)
    starts: dict[int, State] = {}
    while not state.over and state.ply < MOST:
        seat = game.seat_to_act(state)
        view = deciding_view(game, state, key)
        yield from _asked(game, view.known)
        action = agents[int(rng.integers(len(agents)))].decide(view).action
        viewers = (seat, (seat + 1) % game.num_seats(state), NO_SEAT)
        before = [known_to(game, state, viewer) for viewer in viewers]
        game.apply(state, action)
        for viewer, known in zip(viewers, before, strict=True):
            now = known_to(game, state, viewer)
            yield from game.narrate(known, action, now, viewer)
            start = starts.setdefault(viewer, known)
            if recap := game.recap(start, now, viewer):
                starts[viewer] = now
                yield from recap
            yield game.turn(now).name
    for score in state.scores[: game.num_seats(state)]:
        yield game.score_text(int(score))


def _asked(game: Game, known: State) -> Iterator[str]:
    """Sentences about a decision for the deciding seat."""
    yield game.question(known)
    for action in game.legal_actions(known):
        yield game.describe(known, action)
        yield game.reason(known, action)
        yield game.choice(known, action).group
