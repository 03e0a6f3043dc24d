"""What the games say, in other languages.

A game says everything in English: what happened, what can be done, what is asked, what a piece is.
Its translations are gettext catalogues in its own folder, ``envs/<game>/texts/de.po`` for German,
which its authors write without touching a line of code; ``RULEBOOK.de.md`` beside them is the
rulebook.

    python -m gangland.serving.texts chicago de

prints what a catalogue does not translate.

A catalogue's text is a sentence, or a pattern with names in braces for what differs: ``{who} hires
a henchman.`` What stands in their places is translated by itself, so that "a blue car" in "{who}
steals {what}." is found under "a blue car" or "a {colour} car". Names that begin with ``n`` stand
for numbers, with sign, dollar, comma, point or percent; the others for any words of one sentence.
The pattern with the most letters of its own counts.

A text that no pattern fits is taken apart: into sentences, and into the parts of a list ("a, b and
c"). What then is not found stays in English. The page does the same (``page/web/spoken.js``).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ..agents.baseline.heuristic import make_heuristic, specs_of
from ..agents.registry import make
from ..agents.seeds import players_key
from ..agents.table import deciding_view
from ..envs import load
from ..envs.core.game import Game
from ..envs.core.history import known_to
from ..envs.core.state import NO_SEAT, State
from .errors import ServingError
from .protocol import GameTexts

STRING = r'"(?:[^"\\]|\\.)*"'


def read_catalogue(source: str) -> dict[str, list[str]]:
    """Translations by text, several where they depend on a number; under ``""`` the header."""
    return dict(_entries(source))


@cache
def catalogue_of(game: Game, language: str) -> GameTexts:
    """What a game says in a language, without what has no translation yet.

    Raises:
        ServingError: ``not_found`` if there is none, naming those that there are.
    """
    source = game.texts(language)
    if source is None:
        known = ", ".join(("en", *game.languages()))
        raise ServingError(
            "not_found", f"{game.name} has no texts in {language!r}: it speaks {known}"
        )
    found = {text: said[0] for text, said in read_catalogue(source).items()}
    texts = {text: said for text, said in found.items() if text and said}
    return GameTexts(game=game.name, language=language, texts=texts)


def _entries(source: str) -> Iterator[tuple[str, list[str]]]:
    for block in re.split(r"\n\s*\n", source):
        parts: dict[str, str] = {}
        keyword = ""
        for line in block.splitlines():
            if found := re.match(rf"(msgid|msgid_plural|msgstr(?:\[\d+\])?) +({STRING})$", line):
                keyword = found[1]
                parts[keyword] = json.loads(found[2])
            elif keyword and re.match(rf"{STRING}$", line):
                parts[keyword] += json.loads(line)
        if "msgid" in parts:
            yield parts["msgid"], [parts[key] for key in sorted(parts) if key.startswith("msgstr")]


# --- translating ----------------------------------------------------------------------------------

HOLE = re.compile(r"\{(\w+)\}")
NUMBER = r"[-+−]?\$?\d[\d,.]*%?"
WORDS = r"(?:(?!(?<!\bCo)[.!?] ).)+?"
SENTENCES = re.compile(r"(?<=[.!?])(?<!\bCo\.) (?=\S)")
"""A company's name ends no sentence."""
LIST = re.compile(r"(, and |, or |, | and | or |; )")
LETTERS = re.compile(r"[^\W\d_]{2}")
AND: Mapping[str, str] = {", and ": " and ", ", or ": " or "}
"""The serial comma is English; catalogues translate " and " and " or "."""


class Translator:
    """Translates the texts of one catalogue.

    Args:
        texts: Translations by text or pattern, as in a catalogue.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._exact = {text: said for text, said in texts.items() if text and said}
        patterns = [text for text in self._exact if HOLE.search(text)]
        patterns.sort(key=lambda text: (-len(HOLE.sub("", text)), text))
        self._patterns = [(re.compile(_expression(text)), self._exact[text]) for text in patterns]
        self._found = lru_cache(10_000)(self._find)

    def translate(self, text: str) -> str:
        """The text in the catalogue's language, as far as it knows it."""
        return self._found(text) or text

    def knows(self, text: str) -> bool:
        """Whether nothing of it stays in English but what stands in a pattern's holes.

        A text without words, such as an amount, needs no translation.
        """
        return self._found(text) is not None or not LETTERS.search(text)

    def _find(self, text: str) -> str | None:
        """The translation, ``None`` if there is none."""
        if text in self._exact:
            return self._exact[text]
        for expression, pattern in self._patterns:
            if found := expression.fullmatch(text):
                values = {key: self._value(value) for key, value in found.groupdict().items()}
                return filled(pattern, values)
        parts = SENTENCES.split(text)
        if len(parts) == 1:
            return None
        said = [self._found(part) for part in parts]
        return None if None in said else " ".join(part for part in said if part is not None)

    def _value(self, text: str) -> str:
        """What stands in a hole: a text of its own, a list of them, or a name."""
        if (found := self._found(text)) is not None:
            return found
        parts = LIST.split(text)
        if len(parts) == 1:
            return text
        words, links = parts[::2], [AND.get(link, link) for link in parts[1::2]]
        links = [self._exact.get(link, link) for link in links]
        return "".join(
            piece
            for pair in zip(map(self._value, words), [*links, ""], strict=True)
            for piece in pair
        )


@cache
def translator(game: Game, language: str) -> Translator:
    """The translator of a game; one without a catalogue leaves everything in English."""
    known = language in game.languages()
    return Translator(catalogue_of(game, language).texts if known else {})


def filled(pattern: str, values: Mapping[str, str]) -> str:
    """The pattern with values in its holes."""
    return HOLE.sub(lambda hole: values.get(hole[1], hole[0]), pattern)


def _expression(pattern: str) -> str:
    """The regular expression of a pattern; a name that comes again stands for the same."""
    parts, seen = HOLE.split(pattern), set()
    built = [re.escape(parts[0])]
    for name, literal in zip(parts[1::2], parts[2::2], strict=True):
        kind = NUMBER if name.startswith("n") else WORDS
        built.append(f"(?P={name})" if name in seen else f"(?P<{name}>{kind})")
        built.append(re.escape(literal))
        seen.add(name)
    return "".join(built)


# --- what a game says -----------------------------------------------------------------------------

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


def main() -> None:
    """Print what a catalogue does not translate; arguments are GAME LANGUAGE [GAMES]."""
    game = load(sys.argv[1])
    known = translator(game, sys.argv[2])
    games = int(sys.argv[3]) if len(sys.argv) > 3 else GAMES
    for text in sorted(text for text in all_sentences(game, games) if not known.knows(text)):
        print(text)


if __name__ == "__main__":
    main()
