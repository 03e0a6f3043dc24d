"""The table in ``games/index.md``, and the reference of each game: ``python -m docs.make_games``.

The reference (facts, options, observation, actions) takes the place of the part ``reference`` of a
game's page when the site is built. ``python -m docs.make_games chicago`` prints it.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gangland.agents.baseline.heuristic import HeuristicAgent
from gangland.arena import play_table
from gangland.envs import load
from gangland.envs.core.game import Game

from .parts import fill, table

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "games"
INDEX = PAGES / "index.md"
NAMES = ("gangsters", "five_points", "crime_lords", "chicago")

GAMES_PLAYED = 100
"""Games among heuristics from which lengths are taken."""

EXAMPLE_GAMES = 50
"""Games from which examples of actions are taken."""

MORE_ACTIONS: dict[str, dict[str, Any]] = {
    "gangsters": {"heaters": True, "wheels": True, "dress": True},
    "crime_lords": {"allow_quit": True, "players": 3},
}
"""Options with which actions are legal that are never legal by default."""

FROM_ONE = {("crime_lords", name) for name in ("PLAYER_AT", "FOR_AT", "AGAINST_AT")}
"""Blocks of actions whose constant names the number before their first one."""


def facts(game: Game) -> str:
    """Seats, sizes and length."""
    defaults = game.options.resolve({})
    seats = game.options.options[0]
    version = importlib.import_module(game.package).VERSION
    played = play_table(game.name, ["heuristic"] * 5, games=GAMES_PLAYED, seed=1)
    length, capped = played.stats.length, played.stats.capped
    roles = " and ".join(game.roles) if len(game.roles) > 1 else "one for all seats"
    rows = [
        ("seats", f"{game.num_players(defaults)} by default; `{seats.name}`: {_allowed(game, 0)}"),
        ("agents", ", ".join(f"`{name}`" for name in game.agent_names(defaults))),
        ("roles", roles),
        (
            "length",
            f"{length['mean']:.0f} decisions a game on average, {length['min']:.0f} to "
            f"{length['max']:.0f} in {GAMES_PLAYED} games of five heuristics",
        ),
        ("choices", _choices(game)),
        ("ended by a cap", f"{capped:.0%} of the games of five heuristics"),
        ("actions", f"`Discrete({game.num_actions})`, masked"),
        ("observation", f"float32 of shape `({game.observation_size},)`"),
        ("environment", f"`gangland.envs.{game.name}_v{version}`"),
        ("rules version", str(game.rules_version)),
    ]
    return table(("", ""), rows)


def _choices(game: Game) -> str:
    counts = [len(legal) for _, legal in _decisions(game, 5)]
    return f"{np.mean(counts):.0f} legal actions at a decision on average, at most {max(counts)}, \
in games of which every other decision is random"


def options(game: Game) -> str:
    """All options with defaults and allowed values."""
    rows = [
        (f"`{option.name}`", f"`{_word(option.default)}`", _allowed(game, place), option.doc)
        for place, option in enumerate(game.options)
    ]
    return table(("option", "default", "allowed", "meaning"), rows)


def _allowed(game: Game, place: int) -> str:
    return game.options.options[place].allowed(game.options.resolve({})).replace("..", " to ")


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def observation(game: Game) -> str:
    """The blocks of the observation."""
    layout = game.observation_layout
    assert layout is not None, f"{game.name} names no observation"
    rows = [
        (f"`{block.name}`", str(block.start), " × ".join(map(str, block.shape)), block.meaning)
        for block in layout
    ]
    return table(("block", "from", "shape", "meaning"), rows)


def actions(game: Game) -> str:
    """The blocks of the action space, each with an example."""
    examples = _examples(game)
    rows = []
    for name, first, last in action_blocks(game):
        seen = [examples[action] for action in range(first, last + 1) if action in examples]
        notation, sentence = seen[0] if seen else ("–", "rare: no example in the games played")
        numbers = str(first) if first == last else f"{first} to {last}"
        rows.append((numbers, f"`{name}`", f"`{notation}`" if seen else notation, sentence))
    return table(("numbers", "name", "notation, for example", "meaning of the example"), rows)


def action_blocks(game: Game) -> Iterator[tuple[str, int, int]]:
    """Name, first and last number of each block, from the constants in ``actions.py``."""
    module = importlib.import_module(f"{game.package}.actions")
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    names = [name for node in tree.body for name in _assigned(node)]
    names = names[next(at for at, name in enumerate(names) if getattr(module, name) == 0) :]
    starts = [
        (name, getattr(module, name) + ((game.name, name) in FROM_ONE))
        for name in names
        if name != "NUM_ACTIONS" and isinstance(getattr(module, name), int)
    ]
    ends = [start for _, start in starts[1:]] + [game.num_actions]
    for (name, start), end in zip(starts, ends, strict=True):
        yield name.removesuffix("_AT").removesuffix("_ACTION"), start, end - 1


def _assigned(node: ast.stmt) -> list[str]:
    targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _examples(game: Game) -> dict[int, tuple[str, str]]:
    found: dict[int, tuple[str, str]] = {}
    for state, legal in _decisions(game, EXAMPLE_GAMES):
        for action in legal:
            if action not in found:
                said = game.describe(state, action)
                found[action] = (game.action_text(state, action), said)
    return found


def _decisions(game: Game, games: int) -> Iterator[tuple[Any, list[int]]]:
    """Positions of games and their legal actions; every other decision is a heuristic's.

    Half of the games are played with the options that bring actions of their own.
    """
    rng = np.random.default_rng(0)
    heuristic = HeuristicAgent(game)
    for seed in range(games):
        state = game.new_state(seed, **(MORE_ACTIONS.get(game.name, {}) if seed % 2 else {}))
        while not game.is_over(state):
            legal = game.legal_actions(state)
            yield state, legal
            action = int(rng.choice(legal))
            if rng.random() < 0.5:
                view = game.view(state, game.seat_to_act(state), int(state.ply))
                action = heuristic.decide(view).action
            game.apply(state, action)


HEAD = """\
Options are keyword arguments of `env`, `gymnasium.make`, `make_vec` and `new_state`, and
`--option NAME=VALUE` on the command line.
"""


def reference(game: Game) -> str:
    """All tables of a game."""
    parts = {
        "": facts(game),
        "Options": f"{HEAD}\n{options(game)}",
        "Observation": observation(game),
        "Actions": actions(game),
    }
    return "\n".join(f"### {head}\n\n{text}" if head else text for head, text in parts.items())


def games() -> str:
    """The games side by side."""
    rows = []
    for name in NAMES:
        game = load(name)
        seats = " and ".join((game.options.options[0].name, *game.roles[1:]))
        rows.append(
            (
                f"[{_title(name)}]({name}.md)",
                f"{_allowed(game, 0)} {seats}",
                game.about.weight,
                str(game.num_actions),
                str(game.observation_size),
                " and ".join(game.roles) if len(game.roles) > 1 else "one",
            )
        )
    return table(("game", "seats", "weight", "actions", "observation", "roles"), rows)


def _title(name: str) -> str:
    return name.replace("_", " ").title()


def index() -> str:
    """The page of all games with its table as it should be."""
    return fill(INDEX.read_text(encoding="utf-8"), "make_games", {"games": games})


def page(name: str) -> str:
    """The page of a game as the site has it, with its reference."""
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    return fill(text, "make_games", {"reference": partial(reference, load(name))})


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(reference(load(name)))
    if not sys.argv[1:]:
        INDEX.write_text(index(), encoding="utf-8")
