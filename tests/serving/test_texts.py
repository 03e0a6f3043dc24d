"""Texts of games in both languages: sentences that hold nothing raw, and their translations."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from gangland.agents.baseline.heuristic import make_heuristic, specs_of
from gangland.agents.registry import make
from gangland.agents.seeds import players_key
from gangland.agents.table import deciding_view
from gangland.envs import load
from gangland.envs.core.history import known_to
from gangland.envs.core.state import NO_SEAT
from gangland.serving.errors import ServingError
from gangland.serving.texts import (
    HOLE,
    Translator,
    all_sentences,
    catalogue_of,
    fixed_sentences,
    read_catalogue,
    sentences_in_play,
    translator,
)
from tests.games import GAMES, long_ones_slow

# --- what games say: no raw names, verbs that agree, and nothing twice ----------------------------

RAW = {
    "a phase or a field": re.compile(r"\b\w+_\w+\b"),
    "the spec of an agent": re.compile(r"\b(ppo|search|heuristic|ismcts|random|llm):\S"),
    "a code": re.compile(r"\b([A-Z]{3,}|[CSJG]\d\d|x\d[ab]?|x[A-M])\b"),
    "an amount without a comma": re.compile(r"\$\d{4}"),
    "an empty place": re.compile(r"\(\)|  |\{|\}| [.,:?]|\.\.|None|\bnan\b"),
}


def raw(text):
    """What in a text is not for people."""
    return [what for what, pattern in RAW.items() if pattern.search(text)]


def seen(game, state, viewer):
    """A copy of a record as a viewer knows it; all of it for ``None``."""
    return game.clone(state) if viewer is None else known_to(game, state, viewer)


def decisions(game, seed):
    """The sentences of each decision of a game, and of the end, to each of four viewers."""
    options = dict(game.about.presets[0].options) if game.about else {}
    state = game.new_state(seed, **options)
    agents = [make("random", game), *(make_heuristic(spec, game) for spec in specs_of(game))]
    key, rng = players_key(seed), np.random.default_rng(seed)
    while not state.over and state.ply < 3000:
        seat = game.seat_to_act(state)
        view = deciding_view(game, state, key)
        action = agents[int(rng.integers(len(agents)))].decide(view).action
        viewers = (None, seat, (seat + 1) % game.num_seats(state), NO_SEAT)
        before = [seen(game, state, viewer) for viewer in viewers]
        game.apply(state, action)
        for viewer, known in zip(viewers, before, strict=True):
            yield game.narrate(known, action, seen(game, state, viewer), viewer)


@pytest.fixture(scope="module", params=long_ones_slow(GAMES))
def whole(request):
    """A game and its sentences of all decisions of one of its matches."""
    game = load(request.param)
    state = game.new_state(1)
    names = {game.seat_name(state, seat) for seat in range(game.num_seats(state))}
    events = [lines for seed in (1, 2) for lines in decisions(game, seed) if lines]
    assert len(events) > 20
    return game, names, events


def test_nothing_raw_is_said(whole):
    game, _, events = whole
    texts = {line for lines in events for line in lines} | set(sentences_in_play(game, 3))
    texts |= {text for text in fixed_sentences(game) if " " in text}
    pieces = sorted({piece.name for piece in game.pieces().values()}, key=len, reverse=True)
    name = re.compile("|".join(map(re.escape, pieces)) or "$.")
    wrong = {text: found for text in texts if (found := raw(name.sub("Name", text)))}
    assert wrong == {}


@pytest.mark.parametrize("name", GAMES)
def test_the_table_as_text_names_no_phase(name):
    game, rng = load(name), np.random.default_rng(4)
    state = game.new_state(4)
    for _ in range(300):
        if state.over:
            break
        for viewer in (None, game.seat_to_act(state), NO_SEAT):
            shown = game.text(seen(game, state, viewer), viewer)
            assert not RAW["a phase or a field"].search(shown)
            assert not re.search(r"decides: [A-Z]", shown)
        game.apply(state, int(rng.choice(game.legal_actions(state))))


def test_deeds_are_sentences(whole):
    """A name, then a verb: not a name, a colon and what the button said."""
    _, names, events = whole
    labels = re.compile(
        rf"(The )?({'|'.join(map(re.escape, names))}|The police|Police)( decide)?: "
    )
    assert {line for lines in events for line in lines if labels.match(line)} == set()
    assert {line for lines in events for line in lines if line[-1] not in ".!?"} == set()


SINGULAR = re.compile(r"(is|has|was|does|[a-z]*[^s]s|[a-z]+sses)$")
OTHER = re.compile(r"(and|to|of|for|with|from|in|at|on|the|a|[A-Z\d(].*)$")


def subjects(game, names):
    """Names that sentences begin with, and whether each takes plural verbs."""
    many = re.compile(r"(men|[^s]s)$")
    teams = {name for name in names if game.name in ("crime_lords", "five_points")}
    cards = {p.name for p in game.pieces().values() if p.kind.startswith("Racket")}
    found = {piece.name: False for piece in game.pieces().values()}
    found |= {name: bool(name in teams | cards and many.search(name)) for name in names | cards}
    return found | {f"The {name}": many for name, many in found.items()} | {"The police": True}


def test_verbs_agree_with_their_subjects(whole):
    game, names, events = whole
    wrong, checked = set(), 0
    for subject, many in subjects(game, names).items():
        for line in {line for lines in events for line in lines if line.startswith(f"{subject} ")}:
            verb = line.removeprefix(f"{subject} ").split()[0].rstrip(".,:")
            if not OTHER.match(verb):
                checked += 1
                wrong |= {line} if bool(SINGULAR.match(verb)) == many else set()
    assert checked > 5
    assert wrong == set()


def gist(line):
    """The words of a sentence without endings, articles and marks; and its numbers in order."""
    words = re.findall(r"[^\W_]+", line.lower())
    numbers = [word for word in words if word.isdecimal()]
    return Counter(word.rstrip("s") for word in words if word not in ("the", "an", "of")), numbers


def says_all(one, other):
    """Whether a sentence says all that another does."""
    (words, numbers), (others, other_numbers) = one, other
    return others <= words and numbers[: len(other_numbers)] == other_numbers


def test_nothing_is_said_twice(whole):
    _, _, events = whole
    wrong = set()
    for lines in events:
        for one, other in permutations(lines, 2):
            if says_all(gist(one), gist(other)):
                wrong.add((one, other))
    assert wrong == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Roach Guards decides: AUC_BID", ["a phase or a field"]),
        ("ppo:five_points/v4 plays on.", ["a phase or a field", "the spec of an agent"]),
        ("Red offers $1000.", ["an amount without a comma"]),
        ("The C10 is sold.", ["a code"]),
        ("Red offers $1,000 for 4 VP.", []),
    ],
)
def test_what_is_raw_is_found(text, found):
    assert raw(text) == found


# --- patterns of a catalogue, what fits them, and what is left as it is ---------------------------

TEXTS = {
    "{who} hires {what}.": "{who} wirbt {what} an.",
    "{who} hires {what} for ${n}.": "{who} wirbt {what} für {n} $ an.",
    "{who} draws {n} cards.": "{who} zieht {n} Karten.",
    "a henchman": "einen Handlanger",
    "a {colour} car": "ein Auto ({colour})",
    "blue": "blau",
    "The end.": "Ende.",
    " and ": " und ",
    "{who} waits for {who}.": "{who} wartet auf sich.",
}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The end.", "Ende."),
        ("Capone hires a henchman.", "Capone wirbt einen Handlanger an."),
        # The pattern with more words of its own counts.
        ("Capone hires a henchman for $1,000.", "Capone wirbt einen Handlanger für 1,000 $ an."),
        # What stands in a hole may be a pattern, or a list.
        ("Capone hires a blue car.", "Capone wirbt ein Auto (blau) an."),
        (
            "O and C hires a henchman, blue, and X.",
            "O und C wirbt einen Handlanger, blau und X an.",
        ),
        # One sentence after another.
        ("The end. Capone draws 3 cards.", "Ende. Capone zieht 3 Karten."),
        # A company's name ends no sentence.
        ("SMC Cartage Co. hires what.", "SMC Cartage Co. wirbt what an."),
        # A name that comes twice stands for the same both times.
        ("Capone waits for Capone.", "Capone wartet auf sich."),
    ],
)
def test_what_fits_is_translated(text, said):
    translator = Translator(TEXTS)
    assert translator.knows(text)
    assert translator.translate(text) == said


@pytest.mark.parametrize(
    "text",
    ["Capone fires.", "The end. Capone fires.", "Capone draws no cards.", "A waits for B.", "ab"],
)
def test_the_rest_stays_in_english(text):
    assert not Translator(TEXTS).knows(text)
    assert Translator(TEXTS).translate(text) == text


@pytest.mark.parametrize("text", ["$10", "3:1", "+5 %", "A"])
def test_amounts_need_no_translation(text):
    assert Translator(TEXTS).knows(text)


def test_texts_without_a_translation_stay():
    source = 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgstr "c"\n'
    found = read_catalogue(source)
    assert found == {"": ["Language: de\n"], "a": [""], "b": ["c"]}
    translator = Translator({text: said[0] for text, said in found.items()})
    assert (translator.translate("a"), translator.translate("b")) == ("a", "c")


# --- catalogues: everything that is said in some games is translated ------------------------------

GAMES_PLAYED = 1
SPEAKING = [name for name in GAMES if load(name).languages()]
"""Games with translations."""
ENGLISH_MONEY = re.compile(r"\$[\d{]|\d,\d{3}")
"""German has 1.200 $."""
CATALOGUES = [(name, code) for name in SPEAKING for code in load(name).languages()]


def repr_of(text):
    return json.dumps(text, ensure_ascii=False)


def test_every_game_that_speaks_another_language_speaks_german():
    assert SPEAKING
    assert [name for name in SPEAKING if "de" not in load(name).languages()] == []


@pytest.mark.parametrize("name", long_ones_slow(SPEAKING))
def test_everything_that_is_said_in_a_game_is_translated(name):
    game = load(name)
    known = translator(game, "de")
    texts = all_sentences(game, GAMES_PLAYED)
    assert len(texts) > 100
    assert sorted(text for text in texts if not known.knows(text)) == []
    told = map(known.translate, sorted(texts))
    assert [said for said in told if ENGLISH_MONEY.search(said)] == []


@pytest.mark.parametrize("name", SPEAKING)
def test_money_is_written_as_in_german(name):
    game = load(name)
    told = [said for forms in read_catalogue(game.texts("de")).values() for said in forms]
    told += (game.handbook("de") or "").splitlines()
    assert [said for said in told if ENGLISH_MONEY.search(said)] == []


@pytest.mark.parametrize(("name", "code"), CATALOGUES)
def test_patterns_have_words_of_their_own_and_translations_no_other_holes(name, code):
    source = load(name).texts(code)
    found = {text: said[0] for text, said in read_catalogue(source).items() if text}
    twice = Counter(re.findall(r"^msgid (.+)$", source, re.M)) - Counter(map(repr_of, ["", *found]))
    assert not twice, "the same text twice"
    for text, said in found.items():
        assert said, f"{text!r} has no translation"
        if any(not hole.startswith("n") for hole in HOLE.findall(text)):
            own = HOLE.sub(" ", text)
            # An arrow between two holes is a mark that nothing else has.
            assert re.search(r"[^\W\d_]|→", own), f"{text!r} fits everything"
        assert set(HOLE.findall(said)) <= set(HOLE.findall(text)), text


def test_a_catalogue_that_is_not_there_is_refused():
    with pytest.raises(ServingError, match="no texts in 'xx': it speaks en, de"):
        catalogue_of(load("chicago"), "xx")
