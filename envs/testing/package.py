"""Properties of the game as a package: nothing that a game has to bring is missing in silence."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import numpy as np
import pytest

from .. import load, make_vec
from ..core.batch import sample_legal
from ..core.game import Game
from ..registration import gymnasium_id, pettingzoo_id
from .cases import (
    LAYOUT,
    RULEBOOK,
    SCORED,
    VIOLATIONS,
    Case,
    Suite,
    conformance_of,
    exemptions,
    scored,
    truncated,
    variants,
)


class PackageSuite(Suite):
    """What a game brings besides its rules."""

    def test_the_game_has_laws(self, name: str) -> None:
        """The game has invariants, or says why it has none."""
        found = callable(getattr(conformance_of(name), VIOLATIONS, None))
        game = load(name)
        _present_or_exempt(
            name, VIOLATIONS, found, f"{game.package}{game.conformance} with violations()"
        )

    def test_the_game_has_a_rulebook(self, name: str) -> None:
        """The game has a RULES.md, or says why it has none."""
        text = load(name).rulebook()
        _present_or_exempt(name, RULEBOOK, text is not None, f"RULES.md in {load(name).package}")
        assert text is None or text.strip(), "RULES.md is empty"

    def test_the_observation_is_named(self, name: str) -> None:
        """Every number of it, once; or the game says why it has no layout."""
        game = load(name)
        layout = game.observation_layout
        _present_or_exempt(name, LAYOUT, layout is not None, "Game.observation_layout")
        assert layout is not None
        size = game.observation_size
        assert layout.size == size, f"{layout.size} numbers are named, there are {size}"
        found = [field.indices.ravel() for block in layout for field in block.fields.values()]
        assert sorted(np.concatenate(found)) == list(range(layout.size))
        assert len(set(layout.names)) == layout.size
        low, high = game.observation_range
        assert low <= layout.low.min()
        assert layout.high.max() <= high
        assert json.loads(json.dumps(layout.to_dict())) == layout.to_dict()

    def test_actions_on_items_belong_to_rows_of_the_observation(self, name: str) -> None:
        """Each block that they name has as many rows, and no action is that of two items."""
        game = load(name)
        for block, actions in game.item_actions.items():
            assert game.observation_layout is not None
            placed = game.observation_layout[block]
            assert len(placed.shape) == 2, f"{block}: has no rows"
            rows = placed.shape[1] if placed.planes else placed.shape[0]
            assert len(actions) == rows, f"{block}: {len(actions)} rows of actions for {rows}"
            assert len({len(row) for row in actions}) == 1, f"{block}: rows of different lengths"
            named = [action for row in actions for action in row if action != -1]
            assert len(set(named)) == len(named), f"{block}: an action stands twice"
            assert all(0 <= action < game.num_actions for action in named), f"{block}: no action"

    def test_exemptions_are_known_and_give_reasons(self, name: str) -> None:
        """An exemption is a sentence about something that can be missing."""
        for what, reason in exemptions(name).items():
            assert what in (VIOLATIONS, RULEBOOK, LAYOUT, SCORED), f"no such exemption: {what}"
            assert len(reason.split()) > 2, f"{what}: the reason is missing"

    def test_caps_are_shown(self, name: str) -> None:
        """Where a cap pays nobody, the game names options that lead to it."""
        game = load(name)
        assert bool(game.truncating_caps) == bool(truncated(name)), (
            f"truncating_caps={game.truncating_caps}, but TRUNCATED={truncated(name)!r}"
        )
        for options in (*truncated(name), *scored(name)):
            game.options.resolve(options)

    def test_caps_that_random_games_meet_are_shown(self, case: Case) -> None:
        """A game that ends by a cap names options that lead to it, or why it does not."""
        name, options = case
        game = load(name)
        reason = exemptions(name).get(SCORED)
        assert not (reason and scored(name)), f"{name} has SCORED, but is exempt: {reason}"
        scoring = sorted(caps_met(game, options) - set(game.truncating_caps))
        assert not scoring or scored(name) or reason, (
            f"{name}: random games with {options} end with capped={scoring}, which is scored: "
            f"no SCORED in {game.package}{game.conformance}, and no exemption"
        )

    def test_it_is_in_the_registries(self, name: str) -> None:
        """Of Gymnasium, and of PettingZoo where its version has one."""
        assert gymnasium.spec(gymnasium_id(name)).kwargs == {"game": name}
        registration = pytest.importorskip("pettingzoo.env_registry.registration")
        game = load(name)
        options = variants(name)[-1]
        env = registration.make("aec", pettingzoo_id(name), **options)
        env.reset(seed=0)
        assert len(env.agents) == game.num_players(game.options.resolve(options))


def caps_met(game: Game, options: dict[str, Any], games: int = 8) -> set[int]:
    """Values of ``capped``, other than 0, with which random games end."""
    tables = make_vec(game.name, games, seed=21, **options)
    tables.reset()
    seeds, actions = np.arange(games, dtype=np.uint64), np.zeros(games, np.int64)
    playing = np.ones(games, np.bool_)
    found = set()
    while playing.any():
        sample_legal(tables.action_masks, seeds, actions, 0, games)
        before = tables.states.copy()
        tables.step(actions)
        for table in np.flatnonzero(tables.dones & playing):
            game.apply(before[table], int(actions[table]))
            found.add(int(before[table].capped))
        playing &= ~tables.dones
    tables.close()
    return found - {0}


def _present_or_exempt(name: str, what: str, present: bool, where: str) -> None:
    reason = exemptions(name).get(what)
    if present:
        assert reason is None, f"{name} has {what}, but is exempt: {reason}"
    else:
        assert reason is not None, f"{name} has no {what}: no {where}, and no exemption"
        pytest.skip(f"{name} has no {what}: {reason}")
