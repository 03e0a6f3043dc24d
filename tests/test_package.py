"""The built wheel, in an empty environment: everything is in it, and it plays."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "gangland",
    "envs",
    "agents",
    "arena",
    "training",
    "serving",
    "checkpoints",
    "configs",
    "adapters",
)
SHIPPED = {".py", ".json", ".yaml", ".safetensors", ".md", ".typed", ".html", ".css", ".js"}


def tracked():
    """Files of the package folders that git knows (or would add)."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *FOLDERS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    files = [Path(name) for name in listed if (ROOT / name).exists()]
    return [file for file in files if file.suffix in SHIPPED]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)],
        check=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_every_file_is_in_the_wheel(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    files = tracked()
    assert len(files) > 30
    for file in files:
        name = file if file.parts[0] == "gangland" else Path("gangland") / file
        assert name.as_posix() in inside, f"{file} is not in the wheel"
    assert not any(name.startswith(("envs/", "agents/", "tests/")) for name in inside)


@pytest.mark.slow
def test_the_wheel_plays_in_an_empty_environment(wheel, tmp_path):
    """Without the training and picture extras: rules, environments and command line work."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    constraints = ["-c", str(ROOT / "constraints.txt")]
    subprocess.run([python, "-m", "pip", "install", "-q", *constraints, str(wheel)], check=True)
    code = (
        "from gangland.envs import chicago_v0, load\n"
        "import importlib.util as u\n"
        "assert u.find_spec('torch') is None\n"
        "env = chicago_v0.env(); env.reset(seed=1)\n"
        "for agent in env.agent_iter():\n"
        "    o, r, t, u, i = env.last()\n"
        "    env.step(None if t or u else int(o['action_mask'].argmax()))\n"
        "print('played', load('chicago').result(env.unwrapped.record).places)\n"
    )
    done = subprocess.run(
        [python, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "played (" in done.stdout
    script = tmp_path / "venv" / "bin" / "gangland"
    listed = subprocess.run([script, "games"], capture_output=True, text=True, check=True)
    assert "chicago" in listed.stdout
