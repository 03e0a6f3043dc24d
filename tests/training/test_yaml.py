"""YAML files that would never end, are nested without end, or are no text: named and refused."""

from __future__ import annotations

import pytest

from gangland.training.config import ConfigError, load_config
from gangland.training.config.plain_yaml import DEEPEST, MOST, plain_yaml
from tests.cli.runner import assert_refused, run

DOUBLING = "".join(f"  a{k}: &a{k} [*a{k - 1}, *a{k - 1}]\n" for k in range(1, 28))
FILES = {
    "aliases": f"game: chicago\noptions:\n  a0: &a0 [1, 2]\n{DOUBLING}".encode(),
    "itself": b"game: chicago\noptions: &a {x: *a}\n",
    "lists": b"game: " + b"[" * 100_000,
    "closed": b"game: " + b"[" * 900 + b"]" * 900,
    "mappings": b"{a: " * 100_000,
    "lines": b"".join(b" " * k + b"a:\n" for k in range(2000)),
    "bytes": b"game: \xff\xfe\n",
    "utf-16": "game: chicago\n".encode("utf-16"),
    "digits": b"steps: " + b"9" * 5000,
    "date": b"steps: 2001-99-99\n",
    "zero": b"game: chi\x00cago\n",
    "tag": b"game: !!python/object/apply:os.system [echo]\n",
    "latin-1": "game: chicag\xf3\n".encode("latin-1"),
    "open": b"game: chicago\nsteps: [1, 2\nppo: }\n",
    "documents": b"game: chicago\n---\ngame: gangsters\n",
    "last day": b"steps: 9999-99-99\n",
    "truth": b"steps: !!bool maybe\n",
    "empty": b"steps: !!int ''\n",
    "sixties": b"steps: 1" + b":59" * 2000 + b".5\n",
    "minutes": b"steps: 1:30\n",
    "real date": b"steps: 2001-12-14\n",
    "twice": b"game: chicago\nppo:\n  epochs: 1\n  epochs: 2\n",
    "pairs": f"game: chicago\na0: &a0 1\n{DOUBLING}".replace("[", "!!pairs [x: ")
    .replace(", ", ", y: ")
    .encode(),
}
PLACES = {
    "open": "line 3, column 4: while parsing a flow sequence, expected ',' or ']'",
    "documents": "line 2, column 1: ",
    "minutes": "line 1, column 8: '1:30' is no number",
    "twice": "line 4, column 3: 'epochs' is given a second time",
    "date": "line 1, column 8: '2001-99-99' cannot be read as a value of type timestamp",
    "digits": "line 1, column 8: '9999",
    "tag": "line 1, column 7: could not determine a constructor",
}


@pytest.mark.parametrize("name", FILES)
def test_such_a_file_is_refused_by_name(tmp_path, name):
    path = tmp_path / "odd.yaml"
    path.write_bytes(FILES[name])
    with pytest.raises(ConfigError, match=r"odd\.yaml cannot be read: ") as refused:
        load_config(str(path))
    assert len(str(refused.value)) < 1000
    assert len(str(refused.value).splitlines()) == 1
    assert PLACES.get(name, "") in str(refused.value)


@pytest.mark.parametrize("name", ["aliases", "mappings", "bytes", "digits", "open"])
def test_training_refuses_it_in_one_line(tmp_path, capsys, monkeypatch, name):
    path = tmp_path / "odd.yaml"
    path.write_bytes(FILES[name])
    done = run(capsys, monkeypatch, "train", path)
    assert_refused(done, "odd.yaml cannot be read")
    assert len(done.err.splitlines()) == 1


def test_unknown_keys_are_named_in_one_line_in_which_nothing_is_obeyed(
    tmp_path, capsys, monkeypatch
):
    path = tmp_path / "odd.yaml"
    path.write_bytes(b'game: chicago\nsteps: 1\n"\\e[2Jx": 1\n"a\\u202eb": 2\n"new\\nline": 3\n')
    done = run(capsys, monkeypatch, "train", path)
    assert_refused(
        done, f"error: {path}: unknown key ", r"\x1b[2Jx: ", r"a\u202eb: ", r"new\nline: "
    )
    assert len(done.err.splitlines()) == 1
    assert done.err.rstrip("\n").isprintable()


def test_aliases_within_the_limits_are_fine():
    assert plain_yaml("a: &a [1, 2]\nb: *a\nc: {<<: &d {x: 1}, y: 2}\n") == {
        "a": [1, 2],
        "b": [1, 2],
        "c": {"x": 1, "y": 2},
    }
    assert plain_yaml("[" * DEEPEST + "]" * DEEPEST)
    assert len(plain_yaml(f"[{'1,' * (MOST - 1)}]")) == MOST - 1
    for text in ("[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), f"[{'1,' * MOST}]"):
        with pytest.raises(ValueError, match="more than"):
            plain_yaml(text)


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 100_000, "2001-99-99"], ids=len)
def test_an_override_that_is_not_yaml_is_named(value):
    with pytest.raises(ConfigError, match=r"--set 'steps=[^\n]*: [^\n]+$"):
        load_config("chicago", [f"steps={value}"])


@pytest.mark.parametrize("text", ["1: 2", "game: chicago\nppo: {1: 2}", "null: 1", "? [1]\n: 2"])
def test_keys_that_are_no_words_are_named(tmp_path, text):
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError):
        load_config(str(path))
