"""What agents are handed holds redacted records only: the true ones cannot be reached from it."""

from __future__ import annotations

import gc
import types
import weakref

import numpy as np
import pytest

from gangland.agents.base import BatchAgent
from gangland.agents.decision import Decisions
from gangland.agents.registry import make
from gangland.arena import play_games, table_schedule
from gangland.envs import load, make_vec
from gangland.envs.core.view import NoRecordsError, ViewBatch
from gangland.serving.bots.bot import Bot
from gangland.training.measure.evaluation import play_match
from gangland.training.selfplay import make_trainer
from tests.games import TOY, views_of
from tests.training.toy import toy_config


def reachable(root):
    """All objects that references lead to from here; modules and classes are not entered."""
    seen, waiting = {}, [root]
    while waiting:
        at = waiting.pop()
        if type(at) in weakref.ProxyTypes:  # It leads to an object only while others keep it.
            continue
        if id(at) in seen or isinstance(at, types.ModuleType | type):
            continue
        seen[id(at)] = at
        if isinstance(at, types.FunctionType):
            # Its global names are its module's; what it was made with is its own.
            waiting += [at.__closure__, at.__defaults__, at.__kwdefaults__, at.__dict__]
            continue
        waiting += gc.get_referents(at)
        # The collector does not know what arrays, their rows and memory views lean on.
        if isinstance(at, np.ndarray | np.void):
            waiting.append(at.base)
        elif isinstance(at, memoryview):
            waiting.append(at.obj)
        if isinstance(at, np.ndarray) and at.dtype.hasobject:
            waiting += at.ravel().tolist()
    return list(seen.values())


def records_within(root, dtype):
    """Arrays of a game's records, or single ones, that can be reached."""
    arrays = (at for at in reachable(root) if isinstance(at, np.ndarray | np.void))
    return [np.atleast_1d(at) for at in arrays if at.dtype == dtype]


class Spy(BatchAgent):
    """Plays the first legal action and looks through everything that it is handed.

    Args:
        game: The game.
        needs_records: As for any agent.
    """

    spec = "spy"

    values_actions = False  # as a heuristic may say when it teaches

    def __init__(self, game, needs_records=True):
        self.game = game
        self.needs_records = needs_records
        self.handed = 0

    def decide_batch(self, views):
        found = records_within(views, self.game.dtype)
        assert all((records["rng"] == 0).all() for records in found), "the chance can be reached"
        assert bool(found) == self.needs_records
        self.handed += 1
        return Decisions(views.masks.argmax(1))


def test_the_walk_finds_records_wherever_they_are_kept():
    """The walk is worth something: it sees attributes, closures, rows, views of bytes."""
    game = load(TOY)
    states = np.zeros(3, game.dtype)
    states["rng"] = 5

    class Holder:
        pass

    attribute = Holder()
    attribute.kept = [{"deep": states}]
    row = states[1]
    hiding = {
        "attribute": attribute,
        "closure": lambda: states,
        "default": lambda kept=states: kept,
        "row": row,
        "bytes": states.view(np.uint8),
        "memory": memoryview(states.view(np.uint8)),
        "method": attribute.kept.append,
        "objects": np.array([states, None], object),
    }
    for name, root in hiding.items():
        found = records_within(root, game.dtype)
        assert any((records["rng"] == 5).all() for records in found), name


@pytest.mark.parametrize("records", [True, False])
@pytest.mark.parametrize("name", [TOY, "chicago"])
def test_no_byte_of_the_chance_is_within_a_batch(name, records):
    game = load(name)
    tables = make_vec(name, 4, 3)
    tables.reset()
    views = ViewBatch(
        game,
        tables.states,
        np.arange(4),
        tables.seats.copy(),
        tables.observations.copy(),
        tables.action_masks.copy(),
        np.arange(4, dtype=np.uint64),
        records=records,
    )
    chance = [rng.tobytes() for rng in tables.states["rng"]]
    buffers = [at.tobytes() for at in reachable(views) if isinstance(at, np.ndarray)]
    assert len(buffers) >= 4
    assert not any(rng in buffer for rng in chance for buffer in buffers)


@pytest.mark.parametrize("records", [True, False])
@pytest.mark.parametrize("name", [TOY, "chicago"])
def test_a_batch_without_observations_makes_them(name, records):
    game = load(name)
    tables = make_vec(name, 5, 3)
    tables.reset()
    rng = np.random.default_rng(0)
    for _ in range(6):
        tables.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in tables.action_masks]))
    rows = np.array([3, 0, 4])
    wanted = tables.observations[rows].copy()
    assert len(np.unique(wanted, axis=0)) > 1
    views = ViewBatch(
        game,
        tables.states,
        rows,
        tables.seats[rows],
        None,
        tables.action_masks[rows],
        np.arange(3, dtype=np.uint64),
        records=records,
    )
    tables.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in tables.action_masks]))
    np.testing.assert_array_equal(views.observations, wanted)


@pytest.mark.parametrize("needs_records", [True, False])
def test_the_arena_hands_over_redacted_records_only(needs_records):
    game = load(TOY)
    options = game.options.resolve({})
    spy = Spy(game, needs_records)
    schedule = table_schedule([0, 1, 1], game.seat_roles(options), 6)
    play_games(game, options, [spy, make("random", game)], schedule, seed=1)
    assert spy.handed > 0


@pytest.mark.parametrize("needs_records", [True, False])
def test_matches_during_training_hand_over_redacted_records_only(needs_records):
    game = load(TOY)
    hero, rest = Spy(game, needs_records), Spy(game, needs_records)
    play_match(game, [{}], [hero], rest, 6, 1)
    assert hero.handed > 0
    assert rest.handed > 0


def test_training_hands_opponents_and_a_teacher_redacted_records_only():
    config = toy_config(league={"baselines": ["random"], "share": 1.0}, imitation={"until": 0.2})
    trainer = make_trainer(config, "cpu")
    collector = trainer.collector
    collector._begin()
    opponent, teacher = Spy(collector.game), Spy(collector.game)
    collector.bots = {slot: bot and opponent for slot, bot in collector.bots.items()}
    collector.teacher = teacher
    for learner in trainer.learners:
        learner.buffer.reset()
    for worker in collector.workers:
        worker.play(2)
    collector.close()
    assert opponent.handed > 0
    assert teacher.handed > 0


def test_served_bots_are_handed_redacted_records_only():
    game = load(TOY)
    spy = Spy(game)
    state = game.new_state(3)
    asked = [game.view(state, int(state.seat), seed) for seed in range(3)]
    Bot(game, "spy", spy).answer(asked)
    assert spy.handed == 1


def test_without_records_reading_one_is_an_error_that_says_what_to_do():
    views = views_of(TOY, tables=3, records=False)
    assert len(views) == 3
    with pytest.raises(NoRecordsError, match=r"highcard: .* must have needs_records = True"):
        _ = views.known
    with pytest.raises(NoRecordsError):
        _ = views[0]


@pytest.mark.parametrize("spec", ["random", "heuristic"])
def test_agents_say_rightly_whether_they_need_records(spec):
    """With what it says it needs, an agent decides as with everything."""
    agent = make(spec, load(TOY))
    assert agent.needs_records == (spec == "heuristic")
    views = views_of(TOY, tables=30, records=agent.needs_records)
    assert (
        agent.decide_batch(views).actions.tolist()
        == agent.decide_batch(views_of(TOY, tables=30)).actions.tolist()
    )
