"""The data file is checked when it is read."""

from __future__ import annotations

import copy
import json

import pytest

from gangland.envs.five_points.data.tables import DATA_FILE, DataError, read_tables

DATA = json.loads(DATA_FILE.read_text())


def edit(path, value):
    """The data with one entry changed."""
    data = copy.deepcopy(DATA)
    target = data
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return data


def test_the_file_as_it_is():
    tables = read_tables(DATA)
    assert len(tables.marker_names) == 16
    assert tables.tiles[3:].tolist() == [11, 14, 17]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("grid", "rows"), 8, "grid=(8, 9): must be (9, 9)"),
        (("colours", 0, "code"), "x", "colours='xgro'"),
        (("per_seat", "rabble"), 21, "per_seat.rabble=21: must be 20"),
        (("per_seat", "hq_after_setup"), 7, "per_seat.hq_after_setup"),
        (("buildings", 2, "code"), "XX", "buildings="),
        (("marker_kinds", 0, "code"), "V9", "marker_kinds="),
        (("marker_kinds", 0, "coloured"), True, "marker_kinds.V1.coloured=True"),
        (("marker_sets", "full24", 3), "V5", "marker_sets.full24[3]='V5': must be one of V1"),
        (("marker_sets", "demo18"), ["V1"], "marker_sets.demo18: 1 markers"),
        (("layouts", "3", "tiles"), 12, "layouts.3.tiles=12: must be 11"),
        (("layouts", "4", "cells_by_tile_id", 2), [2, 9], "layouts.4: cell [2, 9]"),
        (("layouts", "4", "cells_by_tile_id", 2), [2, 2], "layouts.4: cell [2, 2] is given twice"),
        (("layouts", "5", "cells_by_tile_id", 0), [1, 3], "layouts.5: smallest row"),
        (("pass_income", "4"), [6, 5, 4], "pass_income.4=[6, 5, 4]: must be 4 numbers"),
        (("pass_income", "3", 0), 40, "pass_income.3"),
        (("markers_in_row",), 5, "markers_in_row=5: must be 4"),
    ],
)
def test_errors_name_the_entry(path, value, message):
    with pytest.raises(DataError) as error:
        read_tables(edit(path, value))
    assert message in str(error.value)
