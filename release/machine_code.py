"""Make wheels that bring the rules' machine code, so that a first game has nothing to compile::

    python release/machine_code.py dist/gangland-*-none-any.whl

There is one for each version of Python, for Linux on x86-64: the given wheel, and what Numba makes
of all kernels that playing, searching and training use (see ``envs/core/compiling/shipped.py``). An
installer prefers it to the wheel for everybody, which compiles. Needs uv and the package index.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import try_wheel
from try_wheel import TrialError, install, interpreter, run

from gangland.envs.core.compiling.shipped import MADE_FOR

ROOT = Path(__file__).resolve().parents[1]
PLATFORM = "manylinux_2_17_x86_64"
"""Machine code asks nothing of the system but what Numba itself links."""
SMALL = ("ppo.tables=32", "ppo.batch_size=256", "league.snapshot_every=1", "evaluation.games=10")
SMALL += ("evaluation.every=2", "evaluation.final_games=10")
"""A training in which everything happens that happens in a long one."""
DECISIONS = 20_000
PLAY = """
import sys
sys.path.insert(0, sys.argv[1])
from smoke import play, play_trained
for name in sys.argv[2:]:
    play(name)
    play_trained(name)
"""
PACK = """
import sys
from pathlib import Path
from gangland.envs.core.compiling.kernel_cache import pack
for folder in Path(sys.argv[1]).glob("gangland.*"):
    pack(folder, Path(sys.argv[2]) / folder.name)
"""
FIRST = """
import sys, time
started = time.perf_counter()
from gangland.agents.registry import make
from gangland.envs import load
game = load(sys.argv[1])
state = game.new_state(1)
make(f"ppo:{sys.argv[1]}", game).decide(game.view(state, int(state.seat)))
print(time.perf_counter() - started)
"""
"""Prints the seconds to a bot's first decision."""


def environment(wheel: Path, python: Path, folder: Path) -> tuple[Path, bool]:
    """An environment with the wheel, and whether it can train."""
    try:
        return install(wheel, python, "newest", ("train", "serve"), folder / "all"), True
    except TrialError as error:
        print(f"  no training there, its kernels are left out: {str(error).splitlines()[-1]}")
        return install(wheel, python, "newest", ("serve",), folder / "play"), False


def games(python: Path) -> list[str]:
    """Names of the games of an environment."""
    return run([python, "-c", "from gangland.envs import game_names; print(*game_names())"]).split()


def compile_everything(python: Path, cache: Path, names: Sequence[str], *, train: bool) -> None:
    """Fill a cache with machine code for any processor that the wheel is for.

    Args:
        python: Of an environment with the wheel.
        cache: The folder.
        names: Games.
        train: Whether it can train.
    """
    variables = {**MADE_FOR, "NUMBA_CACHE_DIR": str(cache)}
    gangland = python.with_name("gangland")
    run([gangland, "compile", *names], **variables)
    run([python, "-c", PLAY, ROOT / "release", *names], **variables)
    for name in names if train else ():
        with tempfile.TemporaryDirectory() as out:
            few = [word for value in SMALL for word in ("--set", value)]
            command = [gangland, "train", name, "--steps", str(DECISIONS), *few]
            run([*command, "--device", "cpu", "--out", out], **variables)


def with_machine_code(
    wheel: Path, version: str, python: Path, out: Path, names: Sequence[str] | None = None
) -> Path:
    """The wheel for one version of Python.

    Args:
        wheel: The one for everybody.
        version: Of Python, such as ``3.11``.
        python: The interpreter.
        out: Folder of the new one.
        names: Games that are compiled, without training; ``None`` for all, with it.
    """
    tag = f"cp{version.replace('.', '')}"
    tags = ["--python-tag", tag, "--abi-tag", tag, "--platform-tag", PLATFORM]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        cache = folder / "kernels"
        for each in (folder / "all", folder / "play", cache):
            each.mkdir()
        if names is None:
            own, train = environment(wheel, python, folder)
        else:
            own, train = install(wheel, python, "newest", (), folder / "play"), False
        compile_everything(own, cache, names or games(own), train=train)
        _wheel("unpack", wheel, "--dest", folder / "unpacked")
        (unpacked,) = (folder / "unpacked").iterdir()
        run([own, "-c", PACK, cache, unpacked / "gangland" / "envs" / "machine_code"])
        _wheel("pack", unpacked, "--dest-dir", folder)
        _wheel("tags", *tags, folder / wheel.name)
        (tagged,) = folder.glob(f"*-{tag}-{PLATFORM}.whl")
        return tagged.replace(out / tagged.name)


def _wheel(*words: str | Path) -> None:
    command = [sys.executable, "-m", "wheel", *map(str, words)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def first_decisions(wheel: Path, python: Path) -> dict[str, float]:
    """Seconds to the first decision of each game's bot, with nothing compiled before."""
    with tempfile.TemporaryDirectory() as made:
        own = install(wheel, python, "newest", (), Path(made))
        found = {}
        for name in games(own):
            cache = Path(made) / f"kernels-{name}"
            cache.mkdir()
            found[name] = float(run([own, "-c", FIRST, name], NUMBA_CACHE_DIR=str(cache)))
        return found


def main() -> None:
    """Make the wheels and say how large they are and what they save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--python", nargs="+", default=try_wheel.PYTHONS)
    wanted = parser.parse_args()
    for version in wanted.python:
        python = interpreter(version)
        if python is None:
            print(f"{version}: no such interpreter, no wheel")
            continue
        print(f"{version}:", flush=True)
        made = with_machine_code(wanted.wheel, version, python, wanted.wheel.parent)
        print(f"  {made}  {made.stat().st_size / 1e6:.1f} MB")
        before, after = (first_decisions(each, python) for each in (wanted.wheel, made))
        for name, seconds in before.items():
            print(f"  {name}: first decision in {after[name]:.1f} s, compiled {seconds:.1f} s")


if __name__ == "__main__":
    main()
