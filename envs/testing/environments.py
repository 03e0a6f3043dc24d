"""Properties of the PettingZoo environment."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.api_test import test_observation as check_observation

from .. import load
from ..api.aec import GameEnv, SaveError
from ..core.errors import IllegalActionError, OptionError
from ..registration import entry_points
from .cases import Case, Suite, variants


def make(name: str, **options: Any) -> Any:
    """The environment with all wrappers."""
    return entry_points(name)[0](**options)


def play(env: Any, rng: np.random.Generator, steps: int) -> None:
    """Random decisions; stops early at the end of the game."""
    for _ in range(steps):
        if not env.agents:
            return
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))


def play_on(env: Any, seed: int, steps: int) -> int:
    """Begin a game, and play so many random decisions that are not its last, or as many as it has.

    Returns:
        Seed of the random decisions.
    """
    for wanted in range(steps, 0, -1):
        for chosen in range(20):
            env.reset(seed=seed)
            play(env, np.random.default_rng(chosen), wanted)
            if env.agents and not any(env.terminations.values()):
                return chosen
    raise AssertionError("random games last for a single decision")


def go_to_an_illegal_action(env: Any) -> int | None:
    """Play to a position with an illegal action; ``None`` if random games show none."""
    for seed in range(5):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents:
            observation, _, termination, truncation, _ = env.last()
            mask = observation["action_mask"]
            if not (termination or truncation) and not mask.all():
                return int(np.flatnonzero(mask == 0)[0])
            play(env, rng, 1)
    env.reset(seed=1)
    return None


class EnvironmentSuite(Suite):
    """PettingZoo's own suite, and what it leaves out: masks, rewards, copies, bad input."""

    def test_pettingzoo_suite(self, case: Case) -> None:
        name, options = case
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Both are about the interface, which options change little.
            api_test(make(name, **options), num_cycles=60 if options else 300)
            seed_test(lambda: make(name, **options), num_cycles=20 if options else 100)

    def test_bombardment(self, name: str) -> None:
        """Many games in a row through all wrappers.

        PettingZoo's own ``bombardment_test`` keeps what ``step`` returns as the next observation,
        which is ``None``, so it fails for every environment; this is what it means to check.
        """
        env = make(name)
        rng = np.random.default_rng(0)
        for _ in range(10):
            env.reset()
            first = env.last()[0]["observation"]
            for agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                assert env.observation_space(agent).contains(observation)
                check_observation(observation["observation"], first)
                ended = termination or truncation
                mask = observation["action_mask"]
                env.step(None if ended else int(rng.choice(np.flatnonzero(mask))))

    def test_max_cycles_truncate(self, name: str) -> None:
        """As PettingZoo's ``max_cycles_test``, which needs a parallel API and unmasked actions."""
        free = make(name)
        free.reset()
        n = free.num_agents
        # A random game of more than one cycle; a hand of poker may be over before.
        seed = play_on(free, 1, n)
        env = make(name, max_cycles=1)
        env.reset(seed=1)
        rng = np.random.default_rng(seed)
        play(env, rng, n - 1)
        assert not any(env.truncations.values())
        play(env, rng, 1)
        assert all(env.truncations.values())
        assert not any(env.terminations.values())
        assert not any(env.rewards.values())
        dead = 0
        for _ in env.agent_iter():
            assert env.last()[3]
            env.step(None)
            dead += 1
        assert dead == n
        with pytest.raises(ValueError, match="max_cycles"):
            make(name, max_cycles=0)

    def test_render_modes(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
        render_test(
            lambda **kwargs: make(name, **kwargs),
            custom_tests={"svg": lambda picture: picture.startswith("<svg")},
        )

    def test_pictures_are_of_their_own_size(self, name: str) -> None:
        env = make(name, render_mode="rgb_array")
        env.reset(seed=1)
        own = dict(re.findall(r'\b(height|width)="(\d+)"', env.svg().partition(">")[0]))
        assert env.render().shape == (int(own["height"]), int(own["width"]), 3)

    def test_masks_are_int8_and_only_for_the_seat_to_decide(self, name: str) -> None:
        env = make(name)
        env.reset(seed=3)
        for agent in env.possible_agents:
            observation = env.observe(agent)
            assert observation["action_mask"].dtype == np.int8
            assert env.observation_space(agent).contains(observation)
            assert (env.infos[agent]["action_mask"] == observation["action_mask"]).all()
            assert observation["action_mask"].any() == (agent == env.agent_selection)
            env.action_space(agent).sample(observation["action_mask"])

    def test_masks_that_were_handed_out_decide_nothing(self, name: str) -> None:
        """Whoever writes into them makes no action legal, and none illegal."""
        env = make(name)
        illegal = go_to_an_illegal_action(env)
        legal = int(np.flatnonzero(env.last()[0]["action_mask"])[0])
        other, before = env.unwrapped.clone(), env.save()
        agents = env.possible_agents
        for fill in (1, 0):
            for mask in (
                *(env.observe(agent)["action_mask"] for agent in agents),
                *(env.infos[agent]["action_mask"] for agent in agents),
                env.last()[0]["action_mask"],
                env.last()[4]["action_mask"],
            ):
                mask[:] = fill
            if illegal is not None:
                with pytest.raises(IllegalActionError):
                    env.step(illegal)
            assert env.save() == before
        assert env.observe(env.agent_selection)["action_mask"][legal] == 1
        assert other.infos[other.agent_selection]["action_mask"][legal] == 1
        env.step(legal)
        assert env.save() != before

    def test_rewards_of_a_game_sum_to_every_seats_return(self, name: str) -> None:
        """Also for the seats that do not make the last decision."""
        for seed in range(5):
            env = make(name)
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            collected = dict.fromkeys(env.possible_agents, 0.0)
            final: dict[str, float] = {}
            for agent in env.agent_iter():
                observation, reward, termination, truncation, _ = env.last()
                collected[agent] += reward
                if env.unwrapped.record.over and not final:
                    final = dict(
                        zip(
                            env.possible_agents,
                            env.unwrapped.game.result(env.unwrapped.record).rewards,
                            strict=True,
                        )
                    )
                if termination or truncation:
                    env.step(None)
                else:
                    env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            assert collected == pytest.approx(final)
            assert any(final.values()) or len(set(final.values())) == 1
            assert env.agents == []

    @pytest.mark.parametrize(
        "twin",
        [
            copy.deepcopy,
            lambda env: pickle.loads(pickle.dumps(env)),
            lambda env: env.unwrapped.clone(),
        ],
        ids=["deepcopy", "pickle", "clone"],
    )
    def test_copies_go_on_exactly_where_they_were(
        self, name: str, twin: Callable[[Any], Any]
    ) -> None:
        env = make(name)
        play_on(env, 8, 4)
        other = twin(env)
        assert other.unwrapped.save() == env.unwrapped.save()
        chains = []
        for each in (env, other):
            rng = np.random.default_rng(1)
            chain = []
            while each.agents:
                chain.append((each.unwrapped.save(), each.agent_selection, each.last()[1]))
                play(each, rng, 1)
            chains.append(chain)
        assert chains[0] == chains[1]
        assert len(chains[0]) > 1

    def test_save_restore_and_dictionaries_in_mid_game(self, name: str) -> None:
        env = make(name)
        play_on(env, 9, 3)
        raw = env.unwrapped
        saved, fields, mover = raw.save(), raw.state_to_dict(), env.agent_selection
        play(env, np.random.default_rng(3), 10**6)
        assert not env.agents
        for restore, kept in ((raw.restore, saved), (raw.state_from_dict, fields)):
            restore(kept)
            assert (raw.save(), env.agent_selection) == (saved, mover)
            assert env.last()[0]["action_mask"].any()
            play(env, np.random.default_rng(3), 10**6)
            assert not env.agents

    def test_bad_input_is_named_and_changes_nothing(self, name: str) -> None:
        with pytest.raises(OptionError, match="no_such_option"):
            make(name, no_such_option=1)
        with pytest.raises(ValueError, match="render_mode"):
            make(name, render_mode="hologram")
        with pytest.raises(ValueError, match="reward"):
            make(name, reward="candy")
        env = make(name)
        illegal = go_to_an_illegal_action(env)
        raw = env.unwrapped
        before = raw.save()
        for action in (*([] if illegal is None else [illegal]), -1, raw.game.num_actions, None):
            with pytest.raises(IllegalActionError):
                raw.step(action)
            assert raw.save() == before
        with pytest.raises(SaveError, match="bytes"):
            raw.restore(before[:-1])
        assert raw.save() == before

    def test_a_position_with_other_options_is_refused(self, name: str) -> None:
        game = load(name)
        if len(variants(name)) == 1:
            pytest.skip(f"{name} has no options that differ from its defaults")
        other = GameEnv(game, **variants(name)[1])
        other.reset(seed=0)
        env = GameEnv(game)
        env.reset(seed=0)
        with pytest.raises(SaveError, match="options"):
            env.restore(other.save())

    def test_reset_without_a_seed_follows_from_the_last_one(self, name: str) -> None:
        def starts(env: Any) -> list[bytes]:
            env.reset(seed=5)
            found = [env.unwrapped.save()]
            for _ in range(3):
                env.reset()
                found.append(env.unwrapped.save())
            return found

        first = starts(make(name))
        assert first == starts(make(name))
        assert len(set(first)) == 4
