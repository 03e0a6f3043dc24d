"""Pages that are made of today's games and of committed files are up to date."""

from __future__ import annotations

import importlib
import json
import re
import shutil
from itertools import pairwise

import pytest

from gangland import __version__
from gangland.agents.trained.policy import load_checkpoint
from gangland.arena.benchmark import SubmissionError
from gangland.arena.benchmark.tasks import newest
from gangland.arena.ladder import rate_matrix, read, role_seats
from gangland.envs import load

# --- the games ------------------------------------------------------------------------------------

pages = importlib.import_module("docs.make_games")
parts = importlib.import_module("docs.parts")


def test_the_table_of_the_games_is_up_to_date():
    assert pages.index() == pages.INDEX.read_text(encoding="utf-8"), (
        "run: python -m docs.make_games"
    )


@pytest.mark.parametrize("name", pages.NAMES)
def test_the_sites_page_of_a_game_has_its_options_observation_and_actions(name):
    game = pages.load(name)
    text = pages.page(name)
    assert "python -m docs.make_games" not in text
    for option in game.options:
        assert f"| `{option.name}` | " in text
    for block in game.observation_layout:
        assert f"| `{block.name}` | {block.start} | " in text
    for block, first, last in pages.action_blocks(game):
        numbers = str(first) if first == last else f"{first} to {last}"
        assert f"| {numbers} | `{block}` | " in text
    for fact in (f"Discrete({game.num_actions})", f"({game.observation_size},)"):
        assert f"`{fact}`" in text


@pytest.mark.parametrize("name", pages.NAMES)
def test_the_page_in_the_repository_says_what_prints_the_tables(name):
    text = (pages.PAGES / f"{name}.md").read_text(encoding="utf-8")
    for command in (f"gangland games {name}", f"python -m docs.make_games {name}"):
        assert f"`{command}`" in text.replace("\n", " ")


@pytest.mark.parametrize("name", pages.NAMES)
def test_blocks_of_actions_cover_the_action_space(name):
    game = pages.load(name)
    blocks = list(pages.action_blocks(game))
    assert blocks[0][1] == 0
    assert blocks[-1][2] == game.num_actions - 1
    for (_, _, last), (_, first, _) in pairwise(blocks):
        assert first == last + 1
    assert all(first <= last for _, first, last in blocks)


@pytest.mark.parametrize("name", pages.NAMES)
def test_every_page_has_a_picture_and_its_own_words(name):
    text = (pages.PAGES / f"{name}.md").read_text(encoding="utf-8")
    by_hand = parts.fill(text, "make_games", {"reference": str})
    assert re.search(rf"!\[.+\]\(\.\./images/{name}\.png\)", text)
    assert len(by_hand.split()) > 250


# --- the ladder -----------------------------------------------------------------------------------

make_ladder = importlib.import_module("docs.make_ladder")


def test_the_page_of_the_ladder_is_up_to_date():
    assert make_ladder.page() == make_ladder.PAGE.read_text(encoding="utf-8"), (
        "run: python -m docs.make_ladder"
    )


def test_every_exploiter_that_was_kept_has_a_row_for_each_role():
    rows = make_ladder.exploits().splitlines()[2:]
    kept = [
        one for file in make_ladder.LADDER.glob("exploit/*.json") for one in make_ladder.read(file)
    ]
    # Of each game's bot, in each of its roles.
    assert len(rows) == len(kept) == 5
    for one in kept:
        found = [
            row
            for row in rows
            if f"`{one['bot']}`" in row and make_ladder.GAMES[one["game"]] in row
        ]
        assert sum(f"| {one['role']} |" in row for row in found) == 1
        for curve in one["curves"]:
            named = "" if curve["start"] in make_ladder.STARTS else f" (`{curve['start']}`)"
            assert any(f"| {make_ladder.interval(curve)}{named} |" in row for row in found)


@pytest.mark.parametrize("game", make_ladder.GAMES)
def test_the_page_of_each_ladder_shows_its_file(game):
    """Every standing with what limits it, and every cell; see :func:`as_page`."""
    text = (make_ladder.LADDER / f"{game}.md").read_text(encoding="utf-8")
    assert make_ladder.page_of(game) == text, "run: python -m docs.make_ladder"
    assert f"({game}.md)" in make_ladder.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", make_ladder.GAMES)
def test_the_ratings_from_the_matrix_are_those_of_the_cells(game):
    """As far as shares of four digits determine them."""
    ladder = read(make_ladder.read(make_ladder.LADDER / f"{game}.json"))
    found = rate_matrix(ladder.cells, role_seats(load(game), ladder.options))
    assert [each.spec for each in found] == [each.spec for each in ladder.matrix_ratings]
    assert len(found) >= 4
    for ours, theirs in zip(found, ladder.matrix_ratings, strict=True):
        for one, other in zip(ours.estimates, theirs.estimates, strict=True):
            assert one.value == pytest.approx(other.value, abs=2e-4)


def test_every_kept_search_has_a_row_and_is_named_by_its_bot():
    rows = make_ladder.searches().splitlines()[2:]
    files = sorted(make_ladder.LADDER.glob("search/*.json"))
    assert len(rows) == len(files) > 1
    checked = 0
    for file in files:
        found = make_ladder.read(file)
        one, other = found["agents"]
        win, (_, _, bot) = one["win"], other["spec"].partition(":")
        assert any(f"| `{one['spec']}` | `{other['spec']}` |" in row for row in rows)
        path, _, budget = one["spec"].removeprefix("search:").partition("?")
        if path == bot:
            checked += 1
            assert load_checkpoint(bot).model["search"] == {
                "budget": budget,
                "win_share": round(win["share"], 4),
                "interval": [round(win["low"], 4), round(win["high"], 4)],
                "par": found["par"],
                "games": found["games"],
            }
    assert checked


# --- the benchmark --------------------------------------------------------------------------------

make_benchmark = importlib.import_module("docs.make_benchmark")


def test_the_page_of_the_benchmark_is_up_to_date():
    assert make_benchmark.page() == make_benchmark.PAGE.read_text(encoding="utf-8"), (
        "run: python -m docs.make_benchmark"
    )


def test_parts_are_made_anew_and_a_wrong_name_is_an_error():
    page = "A\n<!-- one: docs/x.py -->\nold\n<!-- end -->\nB\n"
    assert parts.fill(page, "x", {"one": lambda: "new\n"}) == page.replace("old", "new")
    for wrong in ({}, {"two": str}, {"one": str, "two": str}):
        with pytest.raises(ValueError, match="expected"):
            parts.fill(page, "x", wrong)
    with pytest.raises(ValueError, match="'one', 'one'"):
        parts.fill(page + page, "x", {"one": str})


@pytest.mark.parametrize("game", make_benchmark.GAMES)
def test_baselines_have_met_the_opponents_of_the_newest_task(game):
    task = newest(f"{game.replace('_', '-')}-5")
    ladder = parts.read(make_benchmark.DOCS / "ladder" / f"{game}.json")
    assert (ladder["rules_version"], ladder["options"]) == (task.rules_version, task.options)
    assert ladder["pool"] == task.pool
    assert ladder["seed"] == task.seed
    assert {cell["games"] for cell in ladder["cells"]} >= {task.games}


def test_the_examples_of_the_page_name_the_newest_version(tmp_path, monkeypatch):
    page = tmp_path / "benchmark.md"
    text = make_benchmark.PAGE.read_text(encoding="utf-8")
    page.write_text(text.replace("chicago-5@", "chicago-5@9").replace("-open@", "-open@9"))
    monkeypatch.setattr(make_benchmark, "PAGE", page)
    assert make_benchmark.page() == text


def test_the_page_cites_the_version_and_the_title():
    text = make_benchmark.PAGE.read_text(encoding="utf-8")
    assert f"(Gangland {__version__})" in text
    assert f"version = {{{__version__}}}" in text
    citation = (make_benchmark.ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'title: "{text.partition("title = {")[2].partition("}")[0]}"' in citation


ROW = {"role": "", "games": 1000, "low": 0.1, "high": 0.9}


def submission(**changes):
    """A result of a searching agent on Chicago's task; its numbers are made up."""
    task = newest("chicago-5")
    rows = [{**ROW, "table": spec, "share": 0.5, "games": 200} for spec in task.pool]
    rows[1]["share"] = 0.25
    agent = {"spec": "ismcts:7", "track": "open", "deliberate": True, "decisions": None}
    agent |= {"files": {}, "rows": rows, "worst": [rows[1]]}
    values = {
        "format": "gangland-benchmark/1",
        "task": task.model_dump(),
        "about": {"name": "Mine", "authors": "A. Author", "link": "https://example.org"},
        "official": True,
        "deviations": [],
        "agents": [agent],
        "summary": [{"role": "", "mean": 0.25, "low": None, "high": None, "best": 0.25}],
        "seconds": 1.0,
        "machine": dict.fromkeys(("processor", "system", "python", "numpy", "gangland"), "x"),
    }
    values["machine"] |= {"cores": 1, "torch": None}
    return values | changes


def three_trainings():
    """The same with three trainings, whose rows against the heuristic differ."""
    values = submission()
    values["agents"] = [json.loads(json.dumps(values["agents"][0])) for _ in range(3)]
    for agent, share in zip(values["agents"], (0.2, 0.25, 0.3), strict=True):
        agent["spec"], agent["decisions"] = f"cmd:bot-{share}", 6_000_000
        agent["rows"][1]["share"] = agent["worst"][0]["share"] = share
    values["summary"] = [{"role": "", "mean": 0.25, "low": 0.2, "high": 0.3, "best": 0.3}]
    values["about"]["training"] = "3 h on 8 cores"
    return values


def submit(docs, values):
    for folder in ("benchmark", "ladder"):
        (docs / folder).mkdir()
    for game in make_benchmark.GAMES:
        shutil.copy(make_benchmark.DOCS / "ladder" / f"{game}.json", docs / "ladder")
    (docs / "benchmark" / "mine.json").write_text(json.dumps(values))


def test_a_submission_stands_on_the_leaderboard(tmp_path):
    submit(tmp_path, submission())
    (row,) = [row for row in make_benchmark.leaderboard(tmp_path).splitlines() if "Mine" in row]
    assert row == (
        "| `chicago-5@1` | Mine | [A. Author](https://example.org) | open |  | "
        "25.0% (10.0% to 90.0%) against `heuristic` | – | – |"
    ).replace("chicago-5@1", newest("chicago-5").name)


def test_three_trainings_have_a_best_one_and_a_mean(tmp_path):
    submit(tmp_path, three_trainings())
    (row,) = [row for row in make_benchmark.leaderboard(tmp_path).splitlines() if "Mine" in row]
    assert row.startswith(f"| `{newest('chicago-5').division(6_000_000)}` | Mine |")
    assert "| 6.0 million (3 h on 8 cores) | 30.0% (10.0% to 90.0%) against `heuristic` |" in row
    assert "| 25.0% (20.0% to 30.0%) |" in row


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "x"}, "format must be"),
        ({"seconds": "x"}, "seconds='x'"),
        ({"official": False}, "official: must be True"),
        ({"summary": [{**submission()["summary"][0], "mean": 0.3}]}, "summary: must be"),
        (
            {
                "about": {},
                "official": False,
                "deviations": ["about: name, authors, link must be given"],
            },
            "about: name, authors, link must be given",
        ),
    ],
)
def test_what_is_no_official_result_is_refused(tmp_path, changes, said):
    submit(tmp_path, submission(**changes))
    with pytest.raises(SubmissionError, match=rf"mine\.json: .*{said}"):
        make_benchmark.leaderboard(tmp_path)
