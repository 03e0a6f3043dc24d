"""Search over a trained policy: exact where rollouts reach the end, fair to all actions before."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.registry import make
from gangland.agents.search.policy_search import (
    BATCH,
    LONGEST,
    PolicySearchAgent,
    SearchSpecError,
    parse,
)
from gangland.agents.search.rollouts import Rollouts
from gangland.agents.trained.policy import PolicyAgent
from gangland.envs import load
from gangland.envs.core.rng import stream
from gangland.envs.core.view import Detail, ViewBatch
from tests.agents.checkpoints import write_checkpoint
from tests.games import GAMES, TOY, views_of
from tests.toy.game import KEEP, SWAP, TURN

GAME = load(TOY)
HOW = {"depth": 1, "temperature": 1.0, "longest": LONGEST}


@pytest.fixture
def bot(tmp_path):
    """Random weights that give chances."""
    return write_checkpoint(tmp_path / "bot", GAME, chances=GAME.max_seats)


def rollouts_of(policy, view, seed, **how):
    """Rollouts from one view."""
    known, seats = ViewBatch.of([view]).known, np.array([view.seat])
    return Rollouts(
        GAME, policy.networks, known, seats, np.array([seed], np.uint64), **{**HOW, **how}
    )


def last_turn(card, players=2):
    """The last seat is to keep its card or to swap it; nobody has swapped."""
    state = GAME.new_state(1, players=players)
    for _ in range(players - 1):
        GAME.apply(state, KEEP)
    assert state.phase == TURN
    state.cards[players - 1] = card
    return state


@pytest.mark.parametrize("card", [0, 3, 6, 9])
def test_chances_of_a_last_decision_are_exact(bot, card):
    view = GAME.view(last_turn(card), 1, seed=5)
    found = make(f"search:{bot}?20000", GAME).search(view)
    at = list(found.actions).index(KEEP)
    wins = np.array([0.5 if other == card else float(other < card) for other in range(10)])
    error = wins.std() / np.sqrt(found.visits[at])
    assert found.visits[at] > 1000
    assert abs(found.chances[at, 1] - wins.mean()) < 4.5 * error + 1e-12
    assert found.chances[:, :2].sum(1) == pytest.approx(1.0)
    assert found.action == (KEEP if card > 5 else SWAP)
    assert found.probabilities.sum() == pytest.approx(1.0)


def test_a_search_ends_where_every_action_ends_the_game(bot):
    """No network reads a position then, so rollouts are what uses the budget up."""
    state = last_turn(4)
    GAME.apply(state, SWAP)
    found = make(f"search:{bot}?1000", GAME).search(GAME.view(state, 0, seed=5))
    assert len(found.actions) == 2
    assert found.visits.sum() == found.positions
    assert 1000 <= found.positions <= 1000 + BATCH


def test_all_actions_meet_the_same_samples(bot):
    """Equal actions in equal samples have equal chances, however many stand beside them."""
    view = GAME.view(GAME.new_state(3, players=4), 0, seed=1)
    policy = PolicyAgent(GAME, bot)

    def run(actions, samples):
        return rollouts_of(policy, view, 9).run(
            np.zeros(len(actions), np.int64), np.array(actions), np.array(samples)
        )[0]

    alone = [run([KEEP], [k])[0] for k in range(20)]
    together = run([KEEP] * 20 + [SWAP] * 20, [*range(20)] * 2)
    assert np.array_equal(together[:20], alone)
    assert np.array_equal(together[20:], run([SWAP] * 20, range(20)))
    assert len(np.unique(together[:, 0])) > 5


def test_rollouts_go_on_as_the_policy_plays(bot):
    """At temperature 0 a rollout to the end is what the bot does in the same position."""
    view = GAME.view(GAME.new_state(3, players=4), 0, seed=1)
    policy = PolicyAgent(GAME, bot, temperature=0.0)
    rollouts = rollouts_of(policy, view, 9, depth=LONGEST, temperature=0.0)
    found, _ = rollouts.run(np.zeros(20, np.int64), np.full(20, KEEP), np.arange(20))
    for sample, chances in enumerate(found):
        bits = int(stream(np.uint64(9), np.uint64(sample)))
        state = GAME.resample_hidden(view.known, 0, bits)
        GAME.apply(state, KEEP)
        while not GAME.is_over(state):
            seat = GAME.seat_to_act(state)
            GAME.apply(state, policy.decide(GAME.view(state, seat)).action)
        first = state.places[:4] == 1
        assert chances[:4] == pytest.approx(first / first.sum())


@pytest.mark.parametrize("game", GAMES)
def test_a_rollout_ends_where_the_seats_turn_has_come_again(game, tmp_path):
    loaded = load(game)
    path = write_checkpoint(tmp_path / "bot", loaded, chances=loaded.max_seats)
    policy = PolicyAgent(loaded, path, temperature=0.0)
    views = views_of(game, tables=4, plies=30)
    how = {"depth": 2, "temperature": 0.0, "longest": LONGEST}
    seeds = np.arange(len(views), dtype=np.uint64)
    rollouts = Rollouts(loaded, policy.networks, views.known, views.seats, seeds, **how)
    actions = views.masks.argmax(1)
    _, read = rollouts.run(np.arange(len(views)), actions, np.zeros(len(views), np.int64))
    for k, view in enumerate(views):
        state = loaded.resample_hidden(view.known, view.seat, int(stream(seeds[k], np.uint64(0))))
        loaded.apply(state, int(actions[k]))
        looked, turns, before = 1, 0, view.seat
        while not loaded.is_over(state) and looked < LONGEST:
            seat = loaded.seat_to_act(state)
            turns += seat == view.seat != before
            if turns == 2:
                break
            loaded.apply(state, policy.decide(loaded.view(state, seat)).action)
            before, looked = seat, looked + 1
        assert read[k] == looked


def test_rollouts_have_the_policys_temperature_by_default(bot):
    view = GAME.view(GAME.new_state(3, players=4), 0, seed=1)
    own, greedy, drawn = (
        make(f"search:{bot}?2000{more}", GAME).search(view).chances
        for more in ("", "&temperature=0", "&temperature=1")
    )
    assert np.array_equal(own, greedy)
    assert not np.array_equal(own, drawn)


def test_nothing_of_the_true_position_is_read(bot):
    state = GAME.new_state(3, players=4)
    other = GAME.clone(state)
    other.cards[1:4] = (state.cards[1:4] + 3) % 10
    agent = make(f"search:{bot}?500", GAME)
    first, second = (agent.decide(GAME.view(s, 0, 7, Detail.ALL)) for s in (state, other))
    assert first.action == second.action
    assert np.array_equal(first.chances, second.chances, equal_nan=True)


@pytest.mark.parametrize("budget", [1, 20, 300, 4000])
def test_the_budget_is_kept_but_for_the_last_batch(bot, budget):
    view = GAME.view(GAME.new_state(2, players=4), 0, seed=1)
    found = make(f"search:{bot}?{budget}", GAME).search(view)
    # A rollout of this table has no more than eight decisions, and how many is known by the mean.
    assert budget <= found.positions <= 1.1 * budget + 8 * len(found.actions)


def test_threads_share_the_work_and_change_only_how_it_is_cut(bot):
    view = GAME.view(GAME.new_state(2, players=4), 0, seed=1)
    alone, four = (make(f"search:{bot}?4000&threads={n}", GAME).search(view) for n in (1, 4))
    again = make(f"search:{bot}?4000&threads=4", GAME).search(view)
    assert np.array_equal(four.chances, again.chances)
    assert four.visits.sum() >= alone.visits.sum()
    assert np.abs(four.chances - alone.chances).max() < 0.1


def test_an_only_action_is_not_searched(bot, monkeypatch):
    agent = make(f"search:{bot}?50", GAME)
    view = GAME.view(last_turn(4), 1, seed=5)
    mask = np.zeros(GAME.num_actions, np.bool_)
    mask[KEEP] = True
    view.__dict__["action_mask"] = mask
    monkeypatch.setattr(agent, "search", lambda view: pytest.fail("searched"))
    assert agent.decide(view).action == KEEP


@pytest.mark.parametrize("game", GAMES)
def test_it_decides_legally_and_repeatably_in_every_game(game, tmp_path):
    loaded = load(game)
    path = write_checkpoint(tmp_path / "bot", loaded, chances=loaded.max_seats)
    agent = make(f"search:{path}?200&depth=1", loaded)
    views = views_of(game, tables=4, plies=30)
    decided = agent.decide_batch(views)
    assert views.masks[range(len(views)), decided.actions].all()
    assert np.array_equal(decided.actions, agent.decide_batch(views).actions)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("settings", ["300&depth=1", "40", "200&actions=5&threads=2"])
def test_searches_in_step_find_what_each_finds_alone(game, settings, tmp_path):
    loaded = load(game)
    path = write_checkpoint(tmp_path / "bot", loaded, chances=loaded.max_seats)
    agent = make(f"search:{path}?{settings}", loaded)
    views = views_of(game, tables=6, plies=25)
    together = agent.search_batch(views)
    assert len({found.positions for found in together}) > 1
    for k, found in enumerate(together):
        alone = agent.search(views[k])
        assert found.positions == alone.positions
        assert np.array_equal(found.actions, alone.actions)
        assert np.array_equal(found.visits, alone.visits)
        assert np.array_equal(found.chances, alone.chances)
        assert np.array_equal(found.probabilities, alone.probabilities)
    decided = agent.decide_batch(views).actions
    assert list(decided) == [agent.decide(views[k]).action for k in range(len(views))]


def test_more_seconds_are_more_positions(bot):
    view = GAME.view(GAME.new_state(2, players=4), 0, seed=1)
    agent = make(f"search:{bot}?100", GAME)
    assert isinstance(agent, PolicySearchAgent)
    longer = agent.within(0.2)
    assert longer.config.budget.seconds == 0.2
    assert longer.search(view).positions > agent.search(view).positions


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "needs a policy"),
        ("?100", "needs a policy"),
        ("x?0", "budget '0' must be a number of positions"),
        ("x?1.5", "must be a whole number"),
        ("x?long", "budget 'long' must be"),
        ("x?100&depth=0", "'depth=0' must be actions=N, depth=N or threads=N"),
        ("x?actions=2000", "'actions=2000' must be"),
        ("x?100&scale=-1", "'scale=-1' must be"),
        ("x?100&speed=1", "'speed=1' must be"),
    ],
)
def test_bad_specs(argument, message):
    with pytest.raises(SearchSpecError, match=message):
        make(f"search:{argument}", GAME)


def test_specs():
    assert parse("a/b").budget.count == 5000
    assert parse("a/b?1s&depth=3&actions=4&scale=0.5").budget.seconds == 1.0
    assert parse("a/b?depth=3").depth == 3
    assert parse("a/b?depth=3").temperature is None
    assert parse("a/b?temperature=0.5").temperature == 0.5


def test_networks_without_chances_are_refused(tmp_path):
    path = write_checkpoint(tmp_path / "bot", GAME)
    with pytest.raises(SearchSpecError, match="must be a network that learns chances"):
        make(f"search:{path}", GAME)
