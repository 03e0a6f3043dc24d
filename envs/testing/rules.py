"""Properties of the rules, along random play."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .. import load, make_vec
from ..core.batch import sample_legal
from ..core.errors import GameOverError, IllegalActionError
from ..core.game import Game
from ..core.rng import stream
from ..core.state import State
from .cases import Case, Suite, random_positions, violations


def position(name: str, seed: int, plies: int) -> tuple[Game, State]:
    """The position after up to ``plies`` random decisions, never a finished one."""
    game = load(name)
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    for _ in range(plies):
        before = game.clone(state)
        game.apply(state, int(rng.choice(game.legal_actions(state))))
        if game.is_over(state):
            return game, before
    return game, state


def assert_no_dead_end(name: str, games: int) -> None:
    """Every one of many random games ends, and no seat is asked without a legal action."""
    tables = make_vec(name, 500, seed=17)
    tables.reset()
    seeds = np.arange(500, dtype=np.uint64)
    actions = np.zeros(500, np.int64)
    finished = np.zeros(500, np.int64)
    steps = 0
    while finished.min() < games // 500:
        assert tables.action_masks.any(axis=1).all()
        sample_legal(tables.action_masks, seeds, actions, 0, 500)
        tables.step(actions)
        if tables.dones.any():
            done = np.flatnonzero(tables.dones)
            finished[done] += 1
            np.testing.assert_allclose(tables.rewards[done].sum(axis=1), 0, atol=1e-6)
            assert (tables.places[done, : tables.num_seats] == 1).any(axis=1).all()
        steps += 1
        assert steps < 1_000_000
    assert finished.sum() >= games


class RulesSuite(Suite):
    """What rules, views, notations and pictures have to keep, along random play.

    Attributes:
        random_games: How many games are played to look for a dead end.
        stride: Tests that look at many seats of many positions leave out all but every so many of
            these positions; 1 takes several times as long.
    """

    random_games = 1000
    stride = 2

    def test_a_random_game_keeps_every_law(self, case: Case) -> None:
        name, options = case
        game = load(name)
        low, high = game.observation_range
        for seed in range(2):
            last = None
            every = 5 * self.stride
            for state, before, action, after in random_positions(game, seed, every, **options):
                assert not violations(game, after), violations(game, after)
                assert after.ply == before.ply + 1
                mask = game.action_mask(before)
                assert mask[action]
                assert mask.sum() >= 1
                for seat in range(game.num_seats(after)):
                    observation = game.observe(after, seat)
                    assert np.isfinite(observation).all()
                    assert observation.min() >= low
                    assert observation.max() <= high
                    if game.observation_layout is not None:
                        outside = game.observation_layout.outside(observation)
                        assert not outside, outside
                        codes = game.observation_codes
                        again = codes.decode(codes.encode(observation[None]))[0]
                        np.testing.assert_array_equal(again, observation)
                last = state
            result = game.result(last)
            assert sum(result.rewards) == pytest.approx(0, abs=1e-6)
            shared = 0 if game.is_truncated(last) else 1  # nobody wins a game that was cut off
            assert sum(result.win_shares) == pytest.approx(shared)
            assert game.seat_to_act(last) == -1
            assert not game.action_mask(last).any()
            winners = [seat for seat, share in enumerate(result.win_shares) if share > 0]
            first = [seat for seat, place in enumerate(result.places) if place == 1]
            assert winners == ([] if game.is_truncated(last) else first)
            with pytest.raises(GameOverError):
                game.apply(last, 0)

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(seed=st.integers(0, 2**32), plies=st.integers(0, 400))
    def test_the_mask_is_the_set_of_accepted_actions(
        self, name: str, seed: int, plies: int
    ) -> None:
        game, state = position(name, seed, plies)
        mask = game.action_mask(state)
        before = state.tobytes()
        for action in range(-1, game.num_actions + 1):
            if 0 <= action < game.num_actions and mask[action]:
                branch = game.clone(state)
                game.apply(branch, action)
                assert branch.tobytes() != before
                assert not violations(game, branch)
            else:
                with pytest.raises(IllegalActionError, match=str(action)):
                    game.apply(state, action)
                assert state.tobytes() == before

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(seed=st.integers(0, 2**32), plies=st.integers(0, 400))
    def test_notations_and_dictionaries_round_trip(self, name: str, seed: int, plies: int) -> None:
        game, state = position(name, seed, plies)
        legal = game.legal_actions(state)
        texts = [game.action_text(state, action) for action in legal]
        assert len(set(texts)) == len(texts)
        assert [game.parse_action(state, text) for text in texts] == legal
        assert all(game.describe(state, action) for action in legal)
        again = game.from_dict(json.loads(json.dumps(game.to_dict(state))))
        assert again.tobytes() == state.tobytes()
        assert pickle.loads(pickle.dumps(game)) is game

    def test_position_texts_round_trip_with_their_options(self, case: Case) -> None:
        """A text that is read without its options is another game."""
        name, options = case
        game = load(name)
        every = (37 if options else 7) * self.stride
        for _, _, _, after in random_positions(game, 21, every, **options):
            written = game.position_text(after)
            parsed = game.parse_position(written)
            assert game.position_text(parsed) == written
            assert game.read_options(parsed) == game.read_options(after)

    def test_same_seed_and_actions_give_the_same_game_whatever_happens_beside_it(
        self, case: Case
    ) -> None:
        name, options = case
        game = load(name)
        # What differs once differs ever after, in the chance at least.
        every = 1 if not options else 9 * self.stride
        first = [after.tobytes() for *_, after in random_positions(game, 5, every, **options)]
        other = random_positions(game, 6, every, **options)
        second = []
        for state, *_, after in random_positions(game, 5, every, **options):
            next(other, None)
            for seat in range(game.num_seats(after)):
                game.observe(state, seat)
            game.text(state, None)
            second.append(after.tobytes())
        assert first == second

    def test_views_hold_nothing_that_the_seat_cannot_know(self, case: Case) -> None:
        """Redrawing what a seat can't know changes nothing it is shown."""
        name, options = case
        game = load(name)
        start: State | None = None
        for step, (_, before, action, after) in enumerate(
            random_positions(game, 11, every=(29 if options else 9) * self.stride, **options)
        ):
            start = before if start is None else start
            for seat in range(game.num_seats(after)):
                known = game.redact(after, seat)
                sample = game.resample_hidden(after, seat, step)
                assert game.resample_hidden(known, seat, step).tobytes() == sample.tobytes()
                assert game.redact(sample, seat).tobytes() == known.tobytes()
                assert not violations(game, sample), violations(game, sample)
                expected = game.observe(after, seat).tobytes()
                assert game.observe(known, seat).tobytes() == expected
                assert game.observe(sample, seat).tobytes() == expected
                if after.seat == seat:
                    mask = game.action_mask(after).tobytes()
                    assert game.action_mask(known).tobytes() == mask
                    assert game.action_mask(sample).tobytes() == mask
                    for legal in game.legal_actions(after):
                        assert game.describe(known, legal) == game.describe(after, legal)
                        assert game.action_text(sample, legal) == game.action_text(after, legal)
                assert game.text(known, seat) == game.text(after, seat)
                lines = game.narrate(before, action, after, seat)
                earlier = game.redact(before, seat)
                assert game.narrate(earlier, action, known, seat) == lines
                recap = game.recap(start, after, seat)
                assert game.recap(game.redact(start, seat), known, seat) == recap
            if game.recap(start, after, None):
                start = after

    def test_pictures_hold_nothing_that_the_seat_cannot_know(self, name: str) -> None:
        game = load(name)
        for _, _, _, after in random_positions(game, 3, every=60):
            for seat in range(game.num_seats(after)):
                assert game.svg(game.redact(after, seat), seat) == game.svg(after, seat)

    def test_a_sample_has_chance_of_its_own(self, name: str) -> None:
        """The real chance would reveal the dice."""
        game = load(name)
        state = game.new_state(4)
        seat = game.seat_to_act(state)
        assert game.redact(state, seat).rng == 0
        # Seeds far from the game's own, as both may be kept as they are.
        seeds = [int(stream(np.uint64(99), np.uint64(k))) for k in range(8)]
        samples = [game.resample_hidden(state, seat, seed) for seed in seeds]
        assert len({int(sample.rng) for sample in samples}) == 8
        assert int(state.rng) not in {int(sample.rng) for sample in samples}
        other = game.clone(state)
        other.rng = np.uint64(12345)
        assert game.resample_hidden(other, seat, seeds[0]).tobytes() == samples[0].tobytes()

    def test_a_turned_table_looks_the_same_from_turned_seats(self, symmetric_case: Case) -> None:
        """Tables whose seats have different roles are for the game's own tests."""
        name, options = symmetric_case
        game = load(name)
        for _, _, _, after in random_positions(game, 13, every=11 * self.stride, **options):
            n = game.num_seats(after)
            for shift in range(1, n):
                turned = game.rotate(after, shift)
                for seat in range(n):
                    own = game.observe(after, seat)
                    assert game.observe(turned, (seat + shift) % n).tobytes() == own.tobytes()
                assert game.action_mask(turned).tobytes() == game.action_mask(after).tobytes()

    def test_no_dead_end_in_random_games(self, name: str) -> None:
        """Every game ends, and no seat is ever asked without a legal action."""
        assert_no_dead_end(name, self.random_games)

    def test_batched_tables_play_the_same_games_as_single_records(self, name: str) -> None:
        game = load(name)
        tables = make_vec(name, 3, seed=2, threads=2)
        tables.reset()
        singles = [game.clone(tables.states[i]) for i in range(3)]
        rng = np.random.default_rng(0)
        for _ in range(200):
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in tables.action_masks])
            for i, state in enumerate(singles):
                np.testing.assert_array_equal(tables.action_masks[i], game.action_mask(state))
                np.testing.assert_array_equal(
                    tables.observations[i], game.observe(state, int(state.seat))
                )
                game.apply(state, int(actions[i]))
            tables.step(actions)
            for i, state in enumerate(singles):
                assert tables.dones[i] == bool(state.over)
                if state.over:
                    n = tables.num_seats
                    assert tuple(tables.rewards[i, :n]) == pytest.approx(game.result(state).rewards)
                    singles[i] = game.clone(tables.states[i])
                assert tables.states[i].tobytes() == singles[i].tobytes()
        tables.close()
