"""``gangland train`` from outside: lengths, refusals, Ctrl-C, kill -9; on Ray, too."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

pytest.importorskip("sb3_contrib")

from gangland.agents.trained.policy import read_checkpoint
from gangland.training.run import TENSORBOARD, last_checkpoint
from tests.cli.runner import assert_refused
from tests.cli.runner import run as here
from tests.training.ray_cluster import patient

from .toy import toy_config

# --- in one process -------------------------------------------------------------------------------

MAIN = "from tests import games; from gangland.cli import main; main()"


@pytest.fixture
def config(tmp_path) -> Path:
    path = tmp_path / "toy.yaml"
    settings = toy_config(checkpoint_minutes=0, evaluation={"final_games": 60}).model_dump()
    path.write_text(yaml.safe_dump(settings))
    return path


def command(*words: object) -> list[str]:
    return [sys.executable, "-c", MAIN, "train", *map(str, words)]


def until_saved(process: subprocess.Popen[str], out: Path, count: int = 1) -> None:
    """Wait until a running training has written a few checkpoints, however long that takes."""
    seen: set[Path] = set()
    while len(seen) < count:
        assert process.poll() is None, process.communicate()
        folder = last_checkpoint(out)
        seen |= {folder} if folder else set()
        time.sleep(0.02)


def interrupted(out: Path, *words: object) -> str:
    """What a training prints that is stopped by Ctrl-C after its first checkpoint."""
    process = subprocess.Popen(
        command(*words, "--out", out),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until_saved(process, out)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate()
    assert process.returncode == 130, stderr
    return stdout


def test_a_whole_run_says_how_strong_the_bot_is_and_how_to_play_it(
    capsys, monkeypatch, config, tmp_path
):
    out = tmp_path / "out"
    words = ("--out", out, "--steps", 1500, "--seed", 4, "--set", "ppo.epochs=2")
    done = here(capsys, monkeypatch, "train", config, *words)
    assert done.code == 0, done.err
    assert f"gangland play --game highcard --bots ppo:{out}" in done.out
    assert "win share, 95 %" in done.out
    model = read_checkpoint(last_checkpoint(out)).model
    assert 1500 <= model["steps"] < 2100
    assert model["config"]["seed"] == 4
    assert model["config"]["ppo"]["epochs"] == 2
    (rating,) = model["ratings"]
    assert rating["baseline"] == "random"
    assert rating["games"] == 60
    assert rating["interval"][0] < rating["win_share"] < rating["interval"][1]
    assert list((out / "tensorboard").iterdir())

    assert_refused(here(capsys, monkeypatch, "train", config, "--out", out), "--resume")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "no configuration 'nowhere'"),
        (["CONFIG", "--set", "ppo.epoch=1"], "unknown key ppo.epoch"),
        (["CONFIG", "--set", "ppo.epochs=0"], "ppo.epochs=0"),
        (["CONFIG", "--set", "game=chess"], "no game 'chess'"),
        (["CONFIG", "--set", "options.players=99"], "players=99: must be 2..4"),
        (["CONFIG", "--set", "league.baselines=[nobody]"], "no agent 'nobody'"),
        (["CONFIG", "--resume"], "no checkpoint to resume"),
        (["CONFIG", "--device", "abacus"], "device='abacus': must be auto, cpu or one torch has"),
        (["CONFIG", "--device", "tpu"], "device='tpu': must be"),
        (["CONFIG", "--steps", "0"], "--steps"),
        (["CONFIG", "--set", "ppo.steps=99999999999"], "ppo.steps=99999999999"),
        (["CONFIG", "--set", "seed=18446744073709551616"], "0..18446744073709551615"),
        (["CONFIG", "--seed", "18446744073709551616"], "18446744073709551615"),
        (["CONFIG", "--seed", "9" * 5000], "--seed"),
        (["CONFIG", "--out", "runs/a,b"], "'runs/a,b' cannot be played as an agent"),
        (["CONFIG", "--out", ""], "must not be empty"),
        (["CONFIG", "--out", "runs/what?"], "must have no comma, question mark"),
        (["CONFIG", "--minutes", "inf"], "--minutes"),
        (["CONFIG", "--minutes", "nan"], "--minutes"),
        (["CONFIG", "--minutes", "9" * 5000], "--minutes"),
    ],
)
def test_bad_input_is_one_clear_line(capsys, monkeypatch, config, tmp_path, words, message):
    out = tmp_path / "out"
    words = [config if word == "CONFIG" else word for word in words]
    done = here(capsys, monkeypatch, "train", "--out", out, *words)
    assert_refused(done, message)
    assert all(len(line) < 500 for line in done.err.splitlines())
    assert not out.exists()


def test_what_does_not_fit_into_memory_is_named(capsys, monkeypatch, config, tmp_path):
    def full(*arguments):
        raise MemoryError("Unable to allocate 138. TiB")

    monkeypatch.setattr("gangland.training.run.make_trainer", full)
    done = here(capsys, monkeypatch, "train", config, "--out", tmp_path / "out")
    assert_refused(done, "ppo.tables=", "ppo.steps=", "138. TiB")


def test_a_training_says_what_would_use_the_processor_better(capsys, monkeypatch, config, tmp_path):
    words = ("train", config, "--steps", 300, "--device", "cpu")
    for number, hint in ((1, "fewer threads would be"), (2, ""), (3, ""), (4, "--workers 4 --set")):
        monkeypatch.setattr("gangland.arena.workers.base.cores", lambda number=number: number)
        done = here(capsys, monkeypatch, *words, "--out", tmp_path / f"{number}")
        assert done.code == 0, done.err
        assert hint in done.err
        assert ("cores:" in done.err) == bool(hint)


def test_every_training_has_a_folder_of_its_own(capsys, monkeypatch, config, tmp_path):
    monkeypatch.chdir(tmp_path)
    few = ("--steps", 300, "--set", "evaluation.final_games=0")
    first = here(capsys, monkeypatch, "train", config, *few)
    assert first.code == 0, first.err
    assert "gangland play --game highcard --bots ppo:runs/toy\n" in first.out
    for number in (2, 3):
        again = here(capsys, monkeypatch, "train", config, *few)
        before = "runs/toy" if number == 2 else "runs/toy-2"
        new = f"runs/toy-{number}"
        assert f"{before} holds an earlier training; this one goes to {new}." in again.out
        assert f"ppo:{new}\n" in again.out
    more = ("--steps", 600, "--set", "evaluation.final_games=0", "--resume", "--quiet")
    resumed = here(capsys, monkeypatch, "train", config, *more)
    assert resumed.code == 0, resumed.err
    assert resumed.out.strip() == str(last_checkpoint(Path("runs/toy-3")))
    assert read_checkpoint(last_checkpoint(Path("runs/toy-3"))).model["steps"] >= 600
    assert read_checkpoint(last_checkpoint(Path("runs/toy"))).model["steps"] < 600


def test_ctrl_c_saves_and_resume_goes_on(capsys, monkeypatch, config, tmp_path):
    out = tmp_path / "out"
    stdout = interrupted(out, config, "--steps", 10_000_000)
    assert "Interrupted; saved" in stdout
    assert "--resume" in stdout
    steps = read_checkpoint(last_checkpoint(out)).model["steps"]
    words = (config, "--out", out, "--steps", steps + 500, "--resume", "--quiet")
    done = here(capsys, monkeypatch, "train", *words)
    assert done.code == 0, done.err
    assert done.out.strip() == str(last_checkpoint(out))
    assert steps + 500 <= read_checkpoint(last_checkpoint(out)).model["steps"] < steps + 1100


@pytest.mark.slow
def test_kill_9_leaves_a_checkpoint_to_go_on_from(capsys, monkeypatch, config, tmp_path):
    out = tmp_path / "out"
    for round_number in range(2):
        words = ["--resume"] if round_number else []
        process = subprocess.Popen(
            command(config, "--out", out, "--steps", 10_000_000, *words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        before = last_checkpoint(out)
        # A checkpoint is written before every rollout, so the kill hits the writing now and then.
        until_saved(process, out, 4 + round_number)
        for more in ((), ("--resume",)):
            second = here(capsys, monkeypatch, "train", config, "--out", out, *more)
            assert_refused(second, str(out), f"in use by process {process.pid} on")
        assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert last_checkpoint(out) != before
    steps = read_checkpoint(last_checkpoint(out)).model["steps"]
    words = (config, "--out", out, "--steps", steps + 500, "--resume", "--quiet")
    done = here(capsys, monkeypatch, "train", *words)
    assert done.code == 0, done.err
    assert done.out.strip() == str(last_checkpoint(out))
    hidden = [path for path in (out / "checkpoints").iterdir() if path.name.startswith(".")]
    assert hidden == []


@pytest.mark.slow
def test_a_folder_is_in_use_until_the_training_in_another_process_is_killed(
    capsys, monkeypatch, config, tmp_path
):
    out = tmp_path / "out"
    words = (config, "--out", out, "--quiet", "--set", "evaluation.final_games=0")
    first = subprocess.Popen(
        command(*words, "--steps", 10_000_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        until_saved(first, out)
        # Without the lock it would take over the other one's checkpoint and end at once.
        second = here(capsys, monkeypatch, "train", *words, "--steps", 1, "--resume")
        advice = "wait for it, end it, or take another folder"
        assert_refused(second, f"{out} is in use by process {first.pid} on ", advice)
        assert first.poll() is None
    finally:
        first.kill()
        first.communicate()
    steps = read_checkpoint(last_checkpoint(out)).model["steps"]
    done = here(capsys, monkeypatch, "train", *words, "--steps", steps + 300, "--resume")
    assert done.code == 0, done.err
    assert read_checkpoint(last_checkpoint(out)).model["steps"] >= steps + 300


# --- ``--ray``: Ctrl-C, resuming, TensorBoard, and a quiet terminal -------------------------------

NOISE = re.compile(r"raylet|pid=|ray::|\bINFO\b|WARNING|Traceback|\bray\b.*\.py", re.IGNORECASE)
"""What Ray and its workers print."""


@pytest.fixture
def start(tmp_path):
    """A function that starts the command in a process group of its own, as a shell does."""
    pytest.importorskip("ray", reason="needs gangland[ray]")
    patient()
    settings = toy_config(
        threads=1, ppo={"tables": 32}, checkpoint_minutes=0, evaluation={"final_games": 60}
    )
    path = tmp_path / "toy.yaml"
    path.write_text(yaml.safe_dump(settings.model_dump()))

    def started(*words):
        return subprocess.Popen(
            command(path, "--out", tmp_path / "out", *words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            executable=sys.executable,
        )

    return started


@pytest.mark.slow
def test_ctrl_c_saves_and_both_kinds_of_training_go_on(start, tmp_path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    out = tmp_path / "out"
    first = start("--ray", "--workers", 2, "--steps", 10_000_000)
    until_saved(first, out)
    os.killpg(first.pid, signal.SIGINT)  # a terminal sends it to Ray's processes, too
    stdout, stderr = first.communicate()
    assert first.returncode == 130, stderr
    assert "Interrupted; saved" in stdout
    assert not NOISE.search(stdout + stderr), stdout + stderr
    steps = read_checkpoint(last_checkpoint(out)).model["steps"]
    for more in (("--ray", "--workers", 3), ()):
        steps += 1000
        following = start("--resume", "--steps", steps, *more)
        stdout, stderr = following.communicate()
        assert following.returncode == 0, stderr
        assert "win share, 95 %" in stdout
        assert f"gangland play --game highcard --bots ppo:{out}" in stdout
        assert not NOISE.search(stdout + stderr), stdout + stderr
        reached = read_checkpoint(last_checkpoint(out)).model["steps"]
        assert steps <= reached < steps + 600
        steps = reached
    events = EventAccumulator(str(out / TENSORBOARD))
    events.Reload()
    assert events.Scalars("time/fps")[-1].step > 1000
    assert {"train/loss", "league/members", "time/env_share"} <= set(events.Tags()["scalars"])
