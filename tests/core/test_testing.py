"""The conformance suite finds what is wrong with a game, and skips nothing in silence."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from gangland.envs.testing import ConformanceError, GameSuite, check_game
from gangland.envs.testing.cases import Suite
from tests.core.kernels import ROOT
from tests.games import TOY

GAME = """
import sys, types
import numpy as np
from gangland.envs import register
from gangland.envs.core.game import Rules
from gangland.envs.core.kernel import kernel
from gangland.envs.testing import ConformanceError, check_game
from tests.toy.game import HighCard, apply, legal_actions, observe, redact, reset, resample_hidden

{games}
"""
ODD = """
class Odd(HighCard):
    name = "odd{number}"
    conformance = "facts{number}"

facts = types.ModuleType(Odd.conformance)
facts.__spec__ = types.SimpleNamespace(loader=None)
sys.modules[Odd.conformance] = facts
Odd{number} = Odd
register(Odd.name, "__main__:Odd{number}")

{change}
try:
    print("passed", check_game(Odd.name, keyword={keyword!r}))
except ConformanceError as error:
    print(error)
print({end!r})
"""
END = "-- the end of one game --"
LAWS = "facts.violations = lambda game, state: []\n"
EXEMPT = LAWS + "facts.EXEMPTIONS = {'rulebook': 'It is a test of the suite.'}\n"
LAYOUT = """
from typing import Annotated, NamedTuple
from gangland.envs.core.layout import Field, Layout

class Blocks(NamedTuple):
    numbers: Annotated[int, Field("all the numbers", width=24, low=-4, high={high})]

Odd.observation_layout = Layout(Blocks)
"""
CAPPED = """
@kernel
def capped(state, action):
    apply(state, action)
    if state.over:
        state.capped = 2

Odd.rules = Rules(reset, legal_actions, capped, observe, redact, resample_hidden)
"""

WRONG = {
    "nothing declared": (
        "pass",
        "laws or rulebook",
        ["odd has no violations", "odd has no rulebook: no RULES.md"],
    ),
    "no reason": (
        LAWS + "facts.EXEMPTIONS = {'rulebook': 'none'}",
        "exemptions",
        ["rulebook: the reason is missing"],
    ),
    "observations without names": (
        EXEMPT,
        "observation_is_named",
        ["odd has no layout: no Game.observation_layout, and no exemption"],
    ),
    "a layout of another size": (
        EXEMPT + LAYOUT.format(high=4) + "Odd.observation_size = 25",
        "observation_is_named",
        ["24 numbers are named, there are 25"],
    ),
    "a layout beyond the range of observations": (
        EXEMPT + LAYOUT.format(high=9),
        "observation_is_named",
        ["test_the_observation_is_named[odd]: "],
    ),
    "a number outside its range": (
        EXEMPT + LAYOUT.format(high=0.5),
        "every_law",
        ["test_a_random_game_keeps_every_law[odd]: ", "is 1.0: must be -4 to 0.5"],
    ),
    "exempt from what is there": (
        EXEMPT + "facts.EXEMPTIONS['violations'] = 'There are none at all.'",
        "laws",
        ["odd has violations, but is exempt"],
    ),
    "a cap that is not shown": (
        EXEMPT + "Odd.truncating_caps = (1,)",
        "caps",
        ["truncating_caps=(1,), but TRUNCATED=()"],
    ),
    "a scored cap that is not shown": (
        EXEMPT + CAPPED,
        "caps",
        ["random games with {} end with capped=[2], which is scored: no SCORED in", "1 passed"],
    ),
    "exempt from a scored cap that is shown": (
        EXEMPT + CAPPED + "facts.SCORED = ({},)\nfacts.EXEMPTIONS['scored'] = 'It is a test.'",
        "random_games_meet",
        ["odd has SCORED, but is exempt: It is a test."],
    ),
    "a keyword that no test has": (EXEMPT, "nonsense", ["no test has a name with 'nonsense'"]),
    "a broken law": (
        EXEMPT + "facts.violations = lambda game, state: ['odd'] if state.ply > 2 else []",
        "every_law",
        ["test_a_random_game_keeps_every_law[odd]: ", "['odd']"],
    ),
    "a view that tells": (
        EXEMPT + "Odd.text = lambda self, state, viewer: str(state.cards)",
        "views_hold",
        ["test_views_hold_nothing_that_the_seat_cannot_know[odd]: "],
    ),
    "notations that are the same": (
        EXEMPT + "Odd.action_text = lambda self, state, action: 'act'",
        "notations",
        ["test_notations_and_dictionaries_round_trip[odd]: "],
    ),
    "the chance of the game": (
        EXEMPT
        + "@kernel\ndef own(state, seat, seed):\n    resample_hidden(state, seat, state.rng)\n"
        + "Odd.rules = Rules(reset, legal_actions, apply, observe, redact, own)",
        "chance_of_its_own",
        ["test_a_sample_has_chance_of_its_own[odd]: "],
    ),
}


PASSING = "without a fault"


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """What the suite says of the game with each change, in one process."""
    cases = {what: case[:2] for what, case in WRONG.items()}
    cases[PASSING] = (EXEMPT, "laws or caps or every_law or chance_of_its_own")
    games = [
        ODD.format(number=number, change=change, keyword=keyword, end=END)
        for number, (change, keyword) in enumerate(cases.values())
    ]
    file = tmp_path_factory.mktemp("odd") / "odd.py"
    file.write_text(GAME.format(games="".join(games)))
    done = subprocess.run(
        [sys.executable, file],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    parts = done.stdout.split(END)[:-1]
    assert len(parts) == len(cases)
    return {
        what: re.sub(rf"\bodd{number}\b", "odd", part.strip())
        for number, (what, part) in enumerate(zip(cases, parts, strict=True))
    }


@pytest.mark.parametrize("what", WRONG)
def test_a_fault_is_found_and_named(what, reports):
    assert reports[what].startswith("odd: "), reports[what]
    for word in WRONG[what][2]:
        assert word in reports[what]


def test_without_the_fault_it_passes(reports):
    assert reports[PASSING].startswith("passed "), reports[PASSING]


def test_unknown_games_and_suites_without_games_are_refused():
    with pytest.raises(KeyError, match="no game 'typo': there are chicago"):
        check_game("typo")
    with pytest.raises(pytest.UsageError, match=r"Suite\.games: must name the games to test"):
        Suite().pytest_generate_tests(None)
    assert issubclass(ConformanceError, AssertionError)


def test_missing_packages_are_named():
    code = (
        "import sys\nsys.modules['hypothesis'] = None\n"
        "from gangland.envs.core.errors import MissingDependencyError\n"
        "try:\n    import gangland.envs.testing\n"
        "except MissingDependencyError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "needs hypothesis: pip install 'gangland[testing]'" in done.stdout


def test_what_is_skipped_is_named(capsys):
    assert check_game(TOY, keyword="rulebook", quiet=False) == 0
    output = capsys.readouterr().out
    assert "skipped test_the_game_has_a_rulebook[highcard]: highcard has no rulebook: The" in output


def test_what_the_game_does_not_have_is_not_collected():
    """The toy has no caps; a class of other games finds the tests that the one above hides."""

    class Toy(GameSuite):
        games = (TOY,)

    class Capped(Toy):
        games = ("crime_lords",)

    class Both(GameSuite):
        games = (TOY, "crime_lords")

    for test in ("test_aec_truncates", "test_aec_terminates_at_a_cap_that_scores"):
        original = getattr(GameSuite, test)
        assert not callable(getattr(Toy, test))
        assert getattr(Capped, test) is original
        assert getattr(Both, test) is original
    assert Toy.test_caps_are_shown is GameSuite.test_caps_are_shown


def pytest_in(folder, *arguments):
    """Run pytest over a project of one test, ``test_own.py``."""
    (folder / "test_own.py").write_text(
        "import sys\n"
        "def test_own():\n"
        "    loaded = {name for name in sys.modules if name.startswith('gangland.')}\n"
        "    assert loaded == {'gangland.pytest_plugin'} or '--gangland-game' in sys.argv\n"
    )
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "gangland.pytest_plugin", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_plugin_imports_nothing_until_a_game_is_named(tmp_path):
    done = pytest_in(tmp_path)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_the_plugin_runs_the_suite_of_games_from_any_project(tmp_path):
    games = ["--gangland-game", "kuhn", "--gangland-game", "leduc"]
    few = ["-v", "-k", "caps_are or test_own"]
    suite = [f"TestConformance::test_caps_are_shown[{name}] PASSED" for name in ("kuhn", "leduc")]
    alone = pytest_in(tmp_path, *games, *few)
    beside = pytest_in(tmp_path, *games, *few, "test_own.py")
    for test in suite:
        assert test in alone.stdout, alone.stdout + alone.stderr
        assert test in beside.stdout
    assert "test_own" not in alone.stdout
    assert "test_own PASSED" in beside.stdout
    wrong = pytest_in(tmp_path, "--gangland-game", "typo")
    assert wrong.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--gangland-game: no game 'typo': there are chicago" in wrong.stderr


def test_the_toy_is_exempt_by_name_from_what_it_lacks():
    kept = "laws or rulebook or observation_is_named or exemptions or caps_are_shown"
    assert check_game(TOY, keyword=kept) == 3
