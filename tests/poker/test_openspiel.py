"""Kuhn and Leduc poker beside OpenSpiel's, move by move and to the last digit of NashConv."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gangland.arena.exact import PublicTree
from gangland.envs import load
from gangland.envs.poker.state import CALL, FOLD, RAISE

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import policy as spiel_policy  # noqa: E402
from open_spiel.python.algorithms import exploitability  # noqa: E402

SIZES = [("kuhn", 2), ("kuhn", 3), ("kuhn", 4), ("kuhn", 5), ("leduc", 2), ("leduc", 3)]


def theirs(name, players):
    return pyspiel.load_game(f"{name}_poker(players={players})")


def their_action(name, state, action):
    """OpenSpiel's number for an action: its Kuhn has ``pass`` and ``bet`` only."""
    if name == "leduc":
        return action
    facing = state.stakes[state.seat] < state.stakes.max()
    return {FOLD: 0, CALL: 1}[action] if facing else {CALL: 0, RAISE: 1}[action]


def deal(name, spiel, cards, public):
    """A state of OpenSpiel's with the same ranks; of equal ranks the first suit comes first."""
    state = spiel.new_initial_state()
    used = set()
    for card in cards:
        suits = 1 if name == "kuhn" else 2
        chosen = next(c for c in range(card * suits, (card + 1) * suits) if c not in used)
        used.add(chosen)
        state.apply_action(chosen)
    free = [c for c in (2 * public, 2 * public + 1) if c not in used]
    return state, free[0] if free else None


def assert_same(name, game, ours, spiel, public):
    """Two positions, and all that can follow."""
    if spiel.is_chance_node():
        spiel = spiel.clone()
        spiel.apply_action(public)
    assert bool(ours.over) == spiel.is_terminal()
    n = int(ours.num_seats)
    if ours.over:
        assert [score / 2 for score in ours.scores[:n]] == spiel.returns()
        return 1
    assert ours.seat == spiel.current_player()
    legal = game.legal_actions(ours)
    assert sorted(their_action(name, ours, a) for a in legal) == spiel.legal_actions()
    count = 1
    for action in legal:
        after = game.clone(ours)
        game.apply(after, action)
        count += assert_same(
            name, game, after, spiel.child(their_action(name, ours, action)), public
        )
    return count


@pytest.mark.parametrize(("name", "players"), SIZES)
def test_every_move_of_every_deal(name, players):
    game, spiel = load(name), theirs(name, players)
    states, _ = game.deals({"players": players})
    rng = np.random.default_rng(0)
    total = sum(1 for _ in states)
    for k in rng.permutation(total)[: total if players == 2 else 12 if name == "kuhn" else 2]:
        state = states[int(k)]
        cards = state.cards[:players].tolist()
        start, public = deal(name, spiel, cards, int(state.public))
        assert assert_same(name, game, state, start, public) > 5


class Scripted(spiel_policy.Policy):
    """A strategy of OpenSpiel's by ours: found by walking our tree beside theirs."""

    def __init__(self, spiel, name, tree, strategies):
        super().__init__(spiel, list(range(tree.seats)))
        self.table = {}
        game = tree.game
        keys = {
            (int(seat), row.tobytes()): k
            for k, (seat, row) in enumerate(zip(tree.deciders, tree.observations, strict=True))
        }

        def walk(ours, theirs, public):
            if theirs.is_chance_node():
                theirs = theirs.clone()
                theirs.apply_action(public)
            if ours.over:
                return
            seat = int(ours.seat)
            row = strategies[keys[seat, game.observe(ours, seat).tobytes()]]
            legal = game.legal_actions(ours)
            self.table[theirs.information_state_string()] = {
                their_action(name, ours, a): float(row[a]) for a in legal
            }
            for action in legal:
                after = game.clone(ours)
                game.apply(after, action)
                walk(after, theirs.child(their_action(name, ours, action)), public)

        players, suits = tree.seats, 1 if name == "kuhn" else 2
        for cards in itertools.permutations(range((players + 1) * suits), players + (suits == 2)):
            ours = game.new_state(0, players=players)
            ours.cards[:players] = [card // suits for card in cards[:players]]
            start = spiel.new_initial_state()
            for card in cards[:players]:
                start.apply_action(card)
            if suits == 2:
                ours.public = cards[-1] // suits
            walk(ours, start, cards[-1])

    def action_probabilities(self, state, player_id=None):
        return self.table[state.information_state_string(state.current_player())]


@pytest.mark.parametrize(("name", "players"), [("kuhn", 2), ("kuhn", 3), ("leduc", 2)])
@pytest.mark.parametrize("seed", [None, 1])
def test_nash_conv_of_the_same_strategy(name, players, seed):
    game, spiel = load(name), theirs(name, players)
    tree = PublicTree(game, players=players)
    strategies = tree.masks / tree.masks.sum(1, keepdims=True)
    if seed is not None:
        draws = np.random.default_rng(seed).exponential(size=strategies.shape) * tree.masks
        strategies = draws / draws.sum(1, keepdims=True)
    found = tree.evaluate(strategies)
    wanted = exploitability.nash_conv(
        spiel, Scripted(spiel, name, tree, strategies), return_only_nash_conv=False
    )
    assert found.nash_conv == pytest.approx(wanted.nash_conv, abs=1e-9)
    gains = np.subtract(found.best_responses, found.values)
    assert gains == pytest.approx(wanted.player_improvements, abs=1e-9)
    assert found.exploitability == pytest.approx(wanted.nash_conv / players, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "players", "nash_conv"),
    [("kuhn", 3, 2.0625), ("kuhn", 4, None), ("leduc", 2, 4.747222222222222)],
)
def test_nash_conv_of_uniform_play(name, players, nash_conv):
    """Beside OpenSpiel's own figure for its own uniform policy."""
    spiel = theirs(name, players)
    wanted = exploitability.nash_conv(spiel, spiel_policy.UniformRandomPolicy(spiel))
    tree = PublicTree(load(name), players=players)
    found = tree.evaluate(tree.masks / tree.masks.sum(1, keepdims=True)).nash_conv
    assert found == pytest.approx(wanted, abs=1e-9)
    assert nash_conv is None or found == pytest.approx(nash_conv, abs=1e-9)
