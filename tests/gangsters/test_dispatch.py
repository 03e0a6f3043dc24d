"""Every phase and every step is named in the place that says which module it belongs to."""

from __future__ import annotations

import pytest

from gangland.envs.core.errors import NotationError
from gangland.envs.gangsters import state as record
from gangland.envs.gangsters.rules import phases, steps

from ..dispatch import named, phases_named
from .scenes import GAME, scene, settle_step


@pytest.mark.parametrize("function", [phases.fill, phases.decide])
def test_every_phase_has_one_place(function):
    assert sorted(phases_named(function, record)) == sorted(record.PHASES)


def test_both_kernels_name_the_phases_in_the_same_order():
    assert named(phases.fill) == named(phases.decide)


def test_every_step_has_one_place():
    every = [name for name in vars(record) if name.startswith("STEP_")]
    assert sorted(named(steps.advance)) == sorted({*every} - {"STEP_DECIDE"})
    numbers = [getattr(record, name) for name in every]
    assert len(set(numbers)) == len(numbers)


def test_a_step_of_an_offer_beyond_the_ladder_is_refused():
    data = GAME.to_dict(settle_step(scene()))
    data["fields"]["cash_step"] = 32
    assert GAME.from_dict(data).cash_step == 32
    data["fields"]["cash_step"] = 33
    with pytest.raises(NotationError, match="cash_step"):
        GAME.from_dict(data)
