"""The README's table of speed and memory is that of the committed run."""

from __future__ import annotations

import importlib

import pytest

made = importlib.import_module("docs.make_figures")


def test_the_table_is_up_to_date():
    text = made.README.read_text(encoding="utf-8")
    assert made.page() == text, "run: python -m docs.make_figures"


def test_every_figure_of_the_table_is_one_that_the_command_measures():
    from gangland.commands.bench import ROWS

    assert {name for _, name, _ in made.ROWS} <= {name for name, *_ in ROWS}


def test_a_run_that_lacks_a_figure_is_refused():
    run = made.read(made.RUN)
    del run["games"][0]["serve_p50_ms"]
    with pytest.raises(ValueError, match=f"{run['games'][0]['game']}: serve_p50_ms"):
        made.figures(run)
