"""A submission is verified: schema, hashes, arithmetic."""

from __future__ import annotations

import copy
import json

import pytest

from gangland.arena.benchmark import SubmissionError, problems_of, read_submission


@pytest.fixture
def values(submission):
    return json.loads(submission.to_json())


@pytest.fixture
def read(tmp_path):
    file = tmp_path / "mine.json"

    def reading(values):
        file.write_text(values if isinstance(values, str) else json.dumps(values))
        return read_submission(file)

    return reading


def changed(values, path, value):
    """With the value at a dotted path replaced."""
    found = inner = copy.deepcopy(values)
    *outer, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    for part in outer:
        inner = inner[part]
    inner[last] = value
    return found


def test_what_was_written_is_valid(submission, values, read):
    assert read(values) == submission
    assert problems_of(read(values)) == []


SCHEMA = [
    ("official", "yes", "official='yes'"),
    ("agents/0/rows/0/share", 1.5, "agents.0.rows.0.share=1.5"),
    ("agents/0/rows/0/games", "60", "agents.0.rows.0.games='60'"),
    ("agents/0/files/policy.safetensors", "abc", "agents.0.files.policy.safetensors='abc'"),
    ("agents", [], "agents="),
    ("about/link", "javascript:alert(1)", "about.link="),
    ("about/name", "<b>", "about.name='<b>'"),
    ("machine/cores", 0, "machine.cores=0"),
    ("task/name", "toy", "task.name='toy'"),
    ("task/colour", "red", "unknown key 'task.colour'"),
    ("seconds", -1, "seconds=-1"),
    ("format", "gangland-benchmark/9", "format must be 'gangland-benchmark/1'"),
]


@pytest.mark.parametrize(("path", "value", "message"), SCHEMA, ids=[case[0] for case in SCHEMA])
def test_a_field_that_is_not_allowed_is_named(values, read, path, value, message):
    with pytest.raises(SubmissionError) as caught:
        read(changed(values, path, value))
    assert message in str(caught.value)


def test_a_missing_field_is_named(values, read):
    del values["agents"][1]["decisions"]
    with pytest.raises(SubmissionError, match=r"agents\.1\.decisions is missing"):
        read(values)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"format": 1, "format": 2}'])
def test_a_file_that_is_no_submission_is_named(read, text):
    with pytest.raises(SubmissionError, match=r"mine\.json"):
        read(text)


FALSE = [
    ("task/name", "toy-3@7", "task.name: no task 'toy-3@7'"),
    ("task/seed", 4, "task.seed=4: must be 3"),
    ("task/rules_version", 99, "task.rules_version is 99, must be "),
    ("task/options/players", 4, "task.options="),
    ("task/games", 600, "task.games=600: must be 60, or less"),
    ("task/pool/random", {"policy.safetensors": "a" * 64}, "task.pool: policy.safetensors of ran"),
    ("task/pool/another", {}, "task.pool: another must not be there"),
    ("agents/1/rows/0/table", "another", "agents.1.rows: must be, in this order, against random"),
    ("agents/1/rows/0/games", 30, "agents.1.rows.0.games=30: must be 60"),
    ("agents/1/rows/1/low", 1.0, "agents.1.rows.1.share="),
    ("agents/2/worst/0/share", 0.9999, "agents.2.worst: must be the row with the lowest share"),
    ("summary/0/mean", 0.9, "summary: must be [{'role': '', 'mean': "),
    ("summary/0/low", None, "summary: must be"),
    ("about/authors", "", "deviations: must be ['about: authors must be given']"),
    ("official", False, "official: must be True"),
]


@pytest.mark.parametrize(("path", "value", "message"), FALSE, ids=[case[0] for case in FALSE])
def test_what_is_false_is_named(values, read, path, value, message):
    problems = problems_of(read(changed(values, path, value)))
    assert any(problem.startswith(message) for problem in problems), problems


def test_the_weights_of_the_opponents_are_compared(values, read):
    spec = next(spec for spec, files in values["task"]["pool"].items() if files)
    values["task"]["pool"][spec]["policy.safetensors"] = "0" * 64
    (problem,) = problems_of(read(values))
    assert problem.startswith(f"task.pool: policy.safetensors of {spec} is 000000000000..., must ")
    del values["task"]["pool"][spec]
    assert f"task.pool: {spec} is missing" in problems_of(read(values))


def test_one_network_twice_is_found(values, read):
    values["agents"][1]["files"] = values["agents"][0]["files"]
    assert any("have the same policy.safetensors" in each for each in problems_of(read(values)))


def test_a_try_out_is_valid_and_not_official(values, read):
    values["about"]["link"] = ""
    values["deviations"] = ["about: link must be given"]
    values["official"] = False
    assert problems_of(read(values)) == []
