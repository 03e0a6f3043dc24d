"""Files and folders are complete, or as they were."""

from __future__ import annotations

import pytest

from gangland.agents.trained.whole import whole_file, whole_folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def break_off(writer):
    """Begin to write, and fail."""
    with writer as draft:
        (draft / "second" if draft.is_dir() else draft).write_text("sec")
        raise RuntimeError("power")


def test_a_file_takes_the_place_of_an_earlier_one(tmp_path):
    path = tmp_path / "notes.json"
    for text in ("first", "second"):
        with whole_file(path) as draft:
            draft.write_text(text)
        assert path.read_text() == text
    assert names(tmp_path) == ["notes.json"]


def test_a_file_that_was_not_finished_leaves_the_earlier_one(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text("first")
    with pytest.raises(RuntimeError, match="power"):
        break_off(whole_file(path))
    assert path.read_text() == "first"
    assert names(tmp_path) == ["notes.json"]


def test_a_folder_takes_the_place_of_an_earlier_one(tmp_path):
    folder = tmp_path / "bot"
    for name in ("first", "second"):
        with whole_folder(folder) as draft:
            (draft / name).write_text(name)
        assert names(folder) == [name]
    assert names(tmp_path) == ["bot"]


def test_a_folder_that_was_not_finished_leaves_the_earlier_one(tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "first").write_text("first")
    with pytest.raises(RuntimeError, match="power"):
        break_off(whole_folder(folder))
    assert names(folder) == ["first"]
    assert names(tmp_path) == ["bot"]
