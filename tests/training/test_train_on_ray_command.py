"""``gangland train --ray`` from outside: Ctrl-C, resuming, TensorBoard, and a quiet terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytest.importorskip("sb3_contrib")
pytest.importorskip("ray", reason="needs gangland[ray]")

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from gangland.agents.trained.policy import read_checkpoint
from gangland.training.run import TENSORBOARD, last_checkpoint
from tests.training.ray_cluster import patient

from .test_train_command import command, until_saved
from .toy import toy_config

pytestmark = pytest.mark.slow

NOISE = re.compile(r"raylet|pid=|ray::|\bINFO\b|WARNING|Traceback|\bray\b.*\.py", re.IGNORECASE)
"""What Ray and its workers print."""


@pytest.fixture
def start(tmp_path):
    """A function that starts the command in a process group of its own, as a shell does."""
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


def test_ctrl_c_saves_and_both_kinds_of_training_go_on(start, tmp_path):
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
