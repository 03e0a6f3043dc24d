"""Configurations: errors name the key and what is allowed, YAML without end is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from gangland.agents.baseline.heuristic import has_heuristic, specs_of
from gangland.envs import load
from gangland.training.config import (
    ConfigError,
    Linear,
    TrainConfig,
    parse,
    value_at,
)
from gangland.training.config.files import load_config, shipped
from gangland.training.config.parsing import DEEPEST, MOST, _models_in, plain_yaml, recipe
from tests.cli.runner import assert_refused, run
from tests.games import OURS

from .toy import two_roles  # noqa: F401

# --- keys and values ------------------------------------------------------------------------------

GOOD = {"game": "chicago", "steps": 10}


def test_a_file_changes_its_games_configuration_and_that_the_recipe(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own.yaml").write_text(
        """
        game: gangsters
        network: {shared: [8], items: {}}
        ppo: {learning_rate: {end: 0.05}, entropy: 0}
        """
    )
    own, shipped_one = load_config("own.yaml"), load_config("gangsters")
    assert own.network.shared == [8]
    assert own.network.items == {}
    assert own.network.policy == shipped_one.network.policy
    assert own.ppo.learning_rate.end == 0.05
    assert own.ppo.learning_rate.start == shipped_one.ppo.learning_rate.start
    assert own.ppo.entropy == 0.0
    assert own.ppo.tables == recipe()["ppo"]["tables"]
    assert own.league == shipped_one.league
    assert own.league.baselines == ["heuristic"]
    assert own.steps == shipped_one.steps
    assert load_config("own.yaml", ["ppo.epochs=7"]).ppo.epochs == 7


def test_a_file_that_says_how_long_is_as_long(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own.yaml").write_text("game: chicago\nminutes: 60\n")
    assert (load_config("own.yaml").steps, load_config("own.yaml").minutes) == (None, 60)


def test_what_has_no_default_has_its_value_in_the_recipe():
    def given(model, values, at=""):
        for name, field in model.model_fields.items():
            inner = next(_models_in(field.annotation), None)
            if inner is not None and inner is not Linear:
                yield from given(inner, values[name], f"{at}{name}.")
            elif field.is_required():
                yield f"{at}{name}", name in values

    needed = dict(given(TrainConfig, recipe()))
    assert needed.pop("game") is False
    assert all(needed.values()), needed
    assert len(needed) > 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gmae": 1}, "unknown key gmae: must be one of game, options"),
        ({"options": {"players": 9}}, r": players=9: must be 2\.\."),
        ({"options": [{"players": 2}, {"players": 9}]}, r": players=9: must be 2\.\."),
        ({"ppo": {"epoch": 1}}, r"unknown key ppo\.epoch: must be one of tables, steps, epochs"),
        ({"ppo": {"epochs": 0}}, r"ppo\.epochs=0: .*greater than or equal to 1"),
        ({"ppo": {"epochs": "many"}}, r"ppo\.epochs='many': .*integer"),
        ({"rewards": "money"}, "rewards='money': .*'result', 'score' or 'mixed'"),
        ({"ppo": {"clip_range": {"start": 1}}}, r"ppo\.clip_range\.end"),
        (
            {"ppo": {"learning_rate": {"begin": 1}}},
            r"unknown key ppo\.learning_rate\.begin: .*start",
        ),
        (
            {"ppo": {"entropy": "abc"}},
            r"ppo\.entropy='abc': must be a finite number, or a linear schedule",
        ),
        (
            {"ppo": {"entropy": [1]}},
            r"ppo\.entropy=\[1\]: must be a finite number, or a linear schedule",
        ),
        (
            {"ppo": {"entropy": None}},
            r"ppo\.entropy=null: must be a finite number, or a linear schedule",
        ),
        ({"ppo": {"entropy": {"start": 1, "end": "x"}}}, r"ppo\.entropy\.end='x': .*number"),
        ({"network": {"hint": "heuristic"}}, r"unknown key network\.hint: .*chances"),
        ({"league": {"alike": 0.5}}, r"unknown key league\.alike: .*single_opponent"),
        ({"steps": None}, "steps, minutes: at least one"),
        ({"options": []}, r"options=\[\]: must not be empty"),
        ({"options": [3]}, r"options\.0=3: must be keys and values"),
        ({"options": 3}, r"options=3: must be a list"),
        (
            {"options": {"players": [3]}},
            r"options\.0\.players=\[3\]: must be a text, a number, t[^;]*$",
        ),
        ({"ppo": 3}, r"ppo=3: must be keys and values"),
        ({"game": "chicgo"}, "no game 'chicgo': there are .*chicago"),
        ({"ppo": {"tables": 99999999999}}, r"ppo\.tables=99999999999: .* 1048576"),
        ({"ppo": {"steps": 99999999999}}, r"ppo\.steps=99999999999: .* 16777216"),
        ({"league": {"size": 10**12}}, r"league\.size=1000000000000: .* 1024"),
        ({"evaluation": {"games": 10**12}}, r"evaluation\.games=1000000000000: .* 10000000$"),
        ({"steps": 10**3000}, r"steps=10+\.\.\.: "),
        ({"steps": 10**6000}, r"steps=a number of thousands of digits: "),
        ({"ppo": {"gae_lambda": 10**3000}}, r"ppo\.gae_lambda=10+\.\.\.: "),
        ({"ppo": {"entropy": 10**6000}}, r"ppo\.entropy=a number of thousands of digits: "),
        ({10**6000: 1}, "a number of thousands of digits"),
        ({"seed": 2**64}, r"seed=18446744073709551616: .* 0\.\.18446744073709551615"),
        ({"seed": -1}, r"seed=-1: must be an integer 0\.\.18446744073709551615"),
        ({"network": {"shared": [True]}}, r"network\.shared\.0=true: must be a number"),
        ({"network": {"items": {"x": True}}}, r"network\.items\.x=true: must be a number"),
    ],
)
def test_bad_values(change, message):
    with pytest.raises(ConfigError, match=message) as refused:
        parse({**GOOD, **change})
    assert "Linear" not in str(refused.value)
    assert len(str(refused.value)) < 1000
    assert len(str(refused.value).splitlines()) == 1


def models_of(model):
    """A model of the configuration and all inside it."""
    yield model
    for field in model.model_fields.values():
        for inner in _models_in(field.annotation):
            yield from models_of(inner)


@pytest.mark.parametrize(
    "model", list(dict.fromkeys(models_of(TrainConfig))), ids=lambda model: model.__name__
)
def test_a_truth_value_is_no_number(model):
    for name, field in model.model_fields.items():
        if "bool" in str(field.annotation):
            continue
        with pytest.raises(ValidationError) as refused:
            model.model_validate({name: True})
        assert name in [detail["loc"][0] for detail in refused.value.errors()], name


def test_all_mistakes_stand_in_one_line_that_names_the_file(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("game: chicago\nsteps: 1\nsede: 1\nppo: {epochs: 0}\n")
    with pytest.raises(ConfigError) as refused:
        load_config(str(path))
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert "ppo.epochs=0" in message
    assert "unknown key sede" in message
    assert len(message.splitlines()) == 1


def test_not_keys_and_values():
    with pytest.raises(ConfigError, match="list"):
        parse([1])


def test_overrides(tmp_path):
    path = tmp_path / "some.yaml"
    path.write_text("game: chicago\nsteps: 10\nppo: {entropy: 0.1, tables: 4}\n")
    config = load_config(
        str(path),
        ["ppo.entropy.start=0.5", "ppo.entropy.end=0", "ppo.learning_rate=3e-4", "minutes=2.5"],
    )
    assert config.ppo.entropy == Linear(start=0.5, end=0.0)
    assert config.ppo.learning_rate == 3e-4
    assert config.ppo.tables == 4
    assert config.minutes == 2.5
    for text in ("ppo.epochs", "=3"):
        with pytest.raises(ConfigError, match="key=value"):
            load_config(str(path), [text])


def test_files(tmp_path):
    with pytest.raises(ConfigError, match=r"no configuration 'nowhere.yaml'.*chicago"):
        load_config("nowhere.yaml")
    path = tmp_path / "broken.yaml"
    path.write_text("game: [chicago\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(str(path))
    path.write_text("just words\n")
    with pytest.raises(ConfigError, match="keys and values"):
        load_config(str(path))


def test_shipped_configurations_are_valid():
    """One for each game, of its name, and none names a bot."""
    assert set(shipped()) == set(OURS)
    for name in shipped():
        config = load_config(name)
        assert config.game == name
        assert config.start_from is None
        assert "heuristic" in config.opponents()
        assert set(config.opponents()) <= set(specs_of(load(name)))
        assert config.imitation is not None


@pytest.mark.parametrize("name", ["kuhn", "highcard_roles"])
def test_any_game_is_trained_by_the_same_recipe(name, two_roles):  # noqa: F811
    config, game = load_config(name), load(name)
    assert config.ppo == load_config("chicago").ppo
    assert config.network.chances == game.max_seats
    assert (config.imitation is None) == (not has_heuristic(game))


def test_a_training_pays_what_its_game_is_played_for():
    assert load_config("chicago").rewards == "result"
    assert load_config("kuhn").rewards == "score"
    assert load_config("kuhn", ["rewards=null"]).rewards == "score"
    assert load_config("kuhn", ["rewards=result"]).rewards == "result"
    assert load_config("kuhn").temperature == 1.0
    assert load_config("kuhn", ["temperature=0"]).temperature == 0.0
    assert load_config("chicago").temperature == 0.0


def test_a_configuration_of_no_game_is_refused():
    with pytest.raises(ConfigError, match="selfplay: game: must be given, such as game: chicago"):
        load_config("selfplay")


def test_a_mapping_on_the_command_line_changes_what_the_game_has_key_by_key():
    config = load_config("gangsters", ["league={share: 0.3}"])
    assert config.league.share == 0.3
    assert config.league.baselines == load_config("gangsters").league.baselines == ["heuristic"]
    assert load_config("gangsters", ["network.items={}"]).network.items == {}


@pytest.mark.parametrize("key", ["", "ppo..epochs", ".ppo", "ppo."])
def test_a_key_without_all_its_parts_is_refused(key):
    with pytest.raises(ConfigError, match=rf"--set '{key}=3': "):
        load_config("chicago", [f"{key}=3"])


def test_schedules():
    line = Linear(start=1.0, end=0.2, until=0.5)
    assert [value_at(line, p) for p in (0.0, 0.25, 0.5, 1.0)] == pytest.approx([1, 0.6, 0.2, 0.2])
    assert value_at(0.3, 0.9) == 0.3


def test_options_of_one_kind_of_table_or_of_several():
    assert parse(GOOD).options == [{}]
    assert parse({**GOOD, "options": {"players": 3}}).options == [{"players": 3}]
    other = {"players": 3, "deck_end": "first_empty"}
    kinds = [{"players": 5}, {"players": 3}, {"players": 5}, other]
    config = parse({**GOOD, "options": kinds})
    assert config.options == kinds
    assert config.distinct_options() == [kinds[0], kinds[1], kinds[3]]


# --- YAML that would never end, is nested without end, or is no text ------------------------------

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
    "minutes": "line 1, column 8: '1:30' is not a number",
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
