"""Every phase is named in one place of the table of what is legal, and of what follows."""

from __future__ import annotations

import pytest

from gangland.envs.crime_lords import state as record
from gangland.envs.crime_lords.rules import phases

from ..dispatch import phases_named


@pytest.mark.parametrize("function", [phases.legal_actions, phases.decide])
def test_every_phase_has_one_place(function):
    assert sorted(phases_named(function, record)) == sorted({*record.PHASES} - {"OVER"})


def test_both_kernels_name_the_phases_in_the_same_order():
    assert phases_named(phases.legal_actions, record) == phases_named(phases.decide, record)
