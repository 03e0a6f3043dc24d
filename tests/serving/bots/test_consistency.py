"""Positions of unknown origin: true ones pass, impossible ones are refused by name, none hurts."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.errors import NotationError
from gangland.serving.bots.sandbox import NONSENSE, Job, Sandbox, read_state
from gangland.serving.errors import ServingError
from tests.games import CASES, GAMES, TOY, random_positions

REGISTERED = [name for name in GAMES if name != TOY]
POSITIONS = 200


def views(game, every, seed=2, **options):
    for ply, (_, before, _, _) in enumerate(random_positions(game, seed, every=every, **options)):
        yield game.view(before, int(before.seat), seed=ply)


def fuzzed(game, count=POSITIONS):
    """Redacted positions with fields that are nearly right, wild in one place, or all wild."""
    rng = np.random.default_rng(7)
    found = [view.to_dict() for view in views(game, every=7)]
    names = [name for name in found[0]["fields"] if game.dtype[name].base.kind in "iu"]
    names.remove("rng")
    for k in range(count):
        data = found[k % len(found)]
        fields = dict(data["fields"])
        for name in rng.choice(names, 1 + k % 3, replace=False):
            kind = game.dtype[name]
            info, value = np.iinfo(kind.base), np.array(fields[name])
            flat = value.reshape(-1)
            if k % 4 == 3:
                flat[:] = rng.integers(max(info.min, -128), min(info.max, 127) + 1, flat.size)
            else:
                near = flat[at := rng.integers(flat.size)] + rng.integers(-3, 4)
                wild = rng.integers(max(info.min, -128), min(info.max, 127) + 1)
                flat[at] = np.clip(near, info.min, info.max) if k % 4 == 0 else wild
            fields[name] = value.tolist()
        yield {**data, "fields": fields}


@pytest.mark.parametrize(("name", "options"), CASES)
def test_every_position_of_a_game_is_consistent(name, options):
    game = load(name)
    for view in views(game, every=11, **options):
        state, viewer = read_state(game, view.to_dict())
        assert state.tobytes() == view.known.tobytes()
        assert viewer == view.seat
    for *_, after in random_positions(game, 3, every=11, **options):
        assert game.from_dict(game.to_dict(after)).tobytes() == after.tobytes()


@pytest.mark.parametrize("name", REGISTERED)
def test_indices_out_of_range_are_refused_with_their_names(name):
    game = load(name)
    view = next(iter(views(game, every=7)))
    for field, (low, high) in game.bounds.items():
        for value in (low - 1, high + 1):
            data = view.to_dict()
            kind = game.dtype[field]
            if not np.iinfo(kind.base).min <= value <= np.iinfo(kind.base).max:
                continue
            data["fields"][field] = np.full(kind.shape, value).tolist()
            with pytest.raises(NotationError, match=f"^{field}: must be {low}..{high}, not"):
                game.from_dict({key: data[key] for key in data if key != "viewer"})


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("chicago", lambda f: f["hand_size"].__setitem__(f["seat"], 9), "hand_size: seat"),
        ("chicago", lambda f: f["owner"].__setitem__(3, 5), "owner: must be seats 0..4"),
        ("five_points", lambda f: f["cell"].__setitem__(1, f["cell"][0]), "cell: each of the"),
        ("five_points", lambda f: f["grid"].__setitem__(0, 4), "grid: must hold"),
        ("five_points", lambda f: f["total"].__setitem__(0, 9), "total: must be the rabble"),
        ("gangsters", lambda f: f["order"].__setitem__(0, f["order"][1]), "order: must hold"),
        ("gangsters", lambda f: f.__setitem__("legal", [0] * 291), "legal: the decision"),
        ("crime_lords", lambda f: f["superior"].__setitem__(4, 4), "superior: nobody"),
        ("crime_lords", lambda f: f["crook_loc"].__setitem__(4, 7), "crook_loc: must be"),
    ],
)
def test_contradictory_positions_are_refused_with_the_reason(name, change, words):
    game = load(name)
    data = next(iter(views(game, every=7))).to_dict()
    change(data["fields"])
    with pytest.raises(ServingError, match=words):
        read_state(game, data)


@pytest.mark.parametrize("name", REGISTERED)
def test_fuzzed_positions_do_not_crash_the_server(name):
    """Each is answered with a legal action or a sentence, by one and the same process."""
    game = load(name)
    sandbox = Sandbox(20.0)
    try:
        jobs = [Job(name, "heuristic", data, 1, False) for data in fuzzed(game)]
        sandbox.run(jobs[:1])
        process = sandbox._child
        answers = sandbox.run(jobs)
        assert sandbox._child is process
        assert process.poll() is None
    finally:
        sandbox.close()
    said = [str(answer) for answer in answers if isinstance(answer, ServingError)]
    assert len(answers) == POSITIONS
    assert len(said) > POSITIONS / 4
    assert all(isinstance(a, ServingError) or 0 <= a["action"] < game.num_actions for a in answers)
    # Nearly all refusals name what is wrong.
    assert sum(text == NONSENSE for text in said) < len(said) / 4
