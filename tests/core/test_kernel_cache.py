"""Machine code that is run: only our own, made again if damaged; shipped code where it fits."""

from __future__ import annotations

import os
import pickle
import platform
import shutil
import stat
import sys
import textwrap
import time

import pytest

from gangland.envs.core.compiling import kernel_cache
from gangland.envs.core.compiling.interpreted import INTERPRETED
from gangland.envs.core.compiling.shipped import MADE_FOR
from tests.core.kernels import CALL, copy_project, run

# --- the cache: nobody else may write it ----------------------------------------------------------

posix = pytest.mark.skipif(os.name == "nt", reason="owners and modes of folders are POSIX's")


@pytest.fixture
def project(tmp_path):
    return copy_project(tmp_path)


@pytest.fixture
def temporary(project):
    """Environment in which only the folder for temporary files can hold the cache."""
    folder = project / "tmp"
    folder.mkdir()
    return {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": os.devnull, "TMPDIR": str(folder)}


def fallback(project):
    """The cache folder below the folder for temporary files."""
    (found,) = (project / "tmp").glob("gangland-kernels-*")
    return found


class Bomb:
    """Touches a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def plant(folder, touched):
    """Replace every index by one that would run, with and without the digest that ours carry."""
    files = sorted(folder.rglob("*.nbi"))
    assert files
    for number, file in enumerate(files):
        bomb = pickle.dumps(Bomb(touched))
        file.write_bytes(bomb if number % 2 else kernel_cache.seal(bomb))


def test_the_planted_index_would_run(project, temporary):
    """The tests below would see it if a planted index were unpickled."""
    assert run(project, CALL, **temporary).out.split()[0] == "20"
    plant(fallback(project), project / "touched")
    run(project, CALL, **temporary)
    assert (project / "touched").exists()


@posix
@pytest.mark.parametrize(
    "mode", [0o775, *(pytest.param(m, marks=pytest.mark.slow) for m in (0o777, 0o707, 0o1777))]
)
def test_a_folder_that_others_may_write_to_is_emptied(project, temporary, mode):
    run(project, CALL, **temporary)
    plant(fallback(project), project / "touched")
    fallback(project).chmod(mode)
    assert run(project, CALL, **temporary).out.split() == ["20", "0"]
    assert not (project / "touched").exists()
    assert stat.S_IMODE(fallback(project).stat().st_mode) == 0o700
    assert run(project, CALL, **temporary).out.split() == ["20", "1"]


STRANGER = "import os\nos.geteuid = lambda: 4242\n"


@posix
@pytest.mark.parametrize(
    "how", ["owner", *(pytest.param(how, marks=pytest.mark.slow) for how in ("link", "file"))]
)
def test_a_folder_of_somebody_else_is_left_alone(project, temporary, how):
    run(project, CALL, **temporary)
    folder = fallback(project)
    plant(folder, project / "touched")
    user = STRANGER if how == "owner" else ""
    if how == "owner":
        folder = folder.rename(folder.with_name("gangland-kernels-4242"))
    elif how == "link":
        folder.rename(project / "elsewhere")
        folder.symlink_to(project / "elsewhere")
    else:
        shutil.rmtree(folder)
        folder.write_text("mine")
    for _ in range(2):
        done = run(project, user + CALL, **temporary)
        assert done.out.split() == ["20", "0"]
        (warning,) = [line for line in done.err.splitlines() if "warning" in line]
        assert str(folder) in warning
    assert not (project / "touched").exists()
    assert [path.name for path in (project / "tmp").iterdir()] == [folder.name]


@posix
@pytest.mark.parametrize(
    "variable", ["NUMBA_CACHE_DIR", pytest.param("XDG_CACHE_HOME", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("how", ["inside", pytest.param("swap", marks=pytest.mark.slow)])
def test_a_chosen_folder_that_others_may_write_to(project, temporary, variable, how):
    """What stands in it may have been put there by anybody; it is compiled again."""
    chosen = {**temporary, variable: str(project / "chosen")}
    run(project, CALL, **chosen)
    plant(project / "chosen", project / "touched")
    for path in sorted((project / "chosen").rglob("gangland.envs.pair.*-*")):
        if how == "inside":
            path.chmod(0o777)
        else:
            kept = f"kept-{path.name}"
            path.rename(path.with_name(kept))
            path.symlink_to(kept)
    done = run(project, CALL, **chosen)
    assert done.out.split() == ["20", "0"]
    assert not (project / "touched").exists()
    assert ("warning" in done.err) == (how == "swap")


@posix
@pytest.mark.slow
def test_the_next_place_is_taken_and_kept(project, temporary):
    """A chosen folder that another user has used first, as on a shared machine."""
    chosen = {**temporary, "NUMBA_CACHE_DIR": str(project / "chosen")}
    run(project, CALL, **chosen)
    (theirs,) = (project / "chosen").glob("gangland.envs.pair.game-*")
    theirs.rename(project / "kept")
    theirs.symlink_to(project / "kept")
    own = {**chosen, "XDG_CACHE_HOME": str(project / "home")}
    for hits in ("0", "1"):
        done = run(project, CALL, **own)
        assert done.out.split() == ["20", hits]
        assert [line for line in done.err.splitlines() if str(theirs) in line]
        assert "this process alone" not in done.err
    assert list((project / "home" / "gangland" / "kernels").glob("gangland.envs.pair.game-*"))


@pytest.mark.slow
@posix
def test_a_chosen_folder_where_everybody_may_rename_is_not_used(project, temporary):
    (project / "chosen").mkdir()
    (project / "chosen").chmod(0o777)
    done = run(project, CALL, **{**temporary, "NUMBA_CACHE_DIR": str(project / "chosen")})
    assert done.out.split() == ["20", "0"]
    assert str(project / "chosen") in done.err
    assert list((project / "chosen").iterdir()) == []
    # As /tmp is: nobody renames what belongs to another.
    (project / "chosen").chmod(0o1777)
    done = run(project, CALL, **{**temporary, "NUMBA_CACHE_DIR": str(project / "chosen")})
    assert "warning" not in done.err
    assert list((project / "chosen").iterdir())


@posix
def test_a_file_of_somebody_else_inside(tmp_path, monkeypatch):
    folder = tmp_path / "core-0123456789abcdef"
    assert kernel_cache.claim(folder)
    (folder / "sub").mkdir()
    (folder / "sub" / "kernel.nbi").touch()
    assert kernel_cache.claim(folder)
    assert (folder / "sub" / "kernel.nbi").exists()
    (folder / "sub" / "link.nbc").symlink_to("kernel.nbi")
    assert kernel_cache.claim(folder)
    assert list(folder.iterdir()) == []
    # Readable for all, but one file may be written by all.
    folder.chmod(0o755)
    (folder / "kernel.nbi").touch(0o644)
    assert kernel_cache.claim(folder)
    assert (folder / "kernel.nbi").exists()
    (folder / "kernel.nbi").chmod(0o666)
    assert kernel_cache.claim(folder)
    assert list(folder.iterdir()) == []


def cut(data):
    return data[: len(data) // 2]


def flip(data):
    """One bit, in what would be machine code."""
    at = len(data) * 2 // 3
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


DAMAGE = {
    "cut": cut,
    "flip": flip,
    "empty": lambda data: b"",
    "garbage": lambda data: bytes(range(256)) * 8,
    "sealed nonsense": lambda data: kernel_cache.seal(pickle.dumps(7)),
}


@pytest.mark.parametrize(
    ("ending", "hows"),
    [
        ("nbi", ["cut", "sealed nonsense"]),
        *(pytest.param(ending, DAMAGE, marks=pytest.mark.slow) for ending in ("nbi", "nbc")),
    ],
)
def test_damaged_files_are_made_anew(project, ending, hows):
    assert run(project, CALL).out.split() == ["20", "0"]
    for how in hows:
        damage = DAMAGE[how]
        files = list((project / "cache").rglob(f"*.{ending}"))
        assert files
        for file in files:
            file.write_bytes(damage(file.read_bytes()))
        assert run(project, CALL).out.split() == ["20", "0"], how
    assert run(project, CALL).out.split() == ["20", "1"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_what_cannot_be_read_or_written_is_compiled(project, ending):
    """A folder in the file's place stands for all that the system refuses."""
    run(project, CALL)
    for file in list((project / "cache").rglob(f"*.{ending}")):
        file.unlink()
        file.mkdir()
    for _ in range(2):
        assert run(project, CALL).out.split() == ["20", "0"]


def test_only_our_own_folders_are_removed(tmp_path, monkeypatch):
    from gangland.envs.core import kernel as kernel_module

    monkeypatch.setattr(kernel_module, "cache_root", lambda: tmp_path)
    many = kernel_module.KEPT_CACHES + 3
    start = time.time() - many
    for number in range(many):
        for name in (f"gangland.envs.pair.rule-{number:016x}", f"mine-{number}"):
            (tmp_path / name).mkdir()
            os.utime(tmp_path / name, (start + number, start + number))
    for name, days in (("own.rule", 1), ("own.left", kernel_module.KEPT_DAYS + 1)):
        (tmp_path / f"{name}-{7:016x}").mkdir()
        os.utime(tmp_path / f"{name}-{7:016x}", (start - days * 86400,) * 2)
    kernel_module.forget_old_caches()
    left = {path.name for path in tmp_path.iterdir()}
    assert sum(name.startswith("mine-") for name in left) == many
    assert sum(name.startswith("gangland.") for name in left) == kernel_module.KEPT_CACHES
    assert f"gangland.envs.pair.rule-{0:016x}" not in left
    assert {name for name in left if name.startswith("own.")} == {f"own.rule-{7:016x}"}


def test_a_chosen_place_that_is_a_file_is_passed_over(project, temporary):
    (project / "chosen").touch()
    done = run(project, CALL, **{**temporary, "NUMBA_CACHE_DIR": str(project / "chosen")})
    assert (done.out.split(), done.err) == (["20", "0"], "")


# --- code that comes with the package is used where it fits, and nowhere else ---------------------

shippable = pytest.mark.skipif(
    INTERPRETED or sys.platform != "linux" or platform.machine() != "x86_64",
    reason="it is made for Linux on x86-64",
)

USE = textwrap.dedent(
    """
    from numba import types
    from gangland.envs.core.compiling.compiled import compile_all
    from gangland.envs.pair.game import caller
    from gangland.envs.pair.rule import called
    signature = types.int64(types.int64)
    entries = compile_all("pair", [(caller, signature), (called, signature)])
    print(entries[0](1), caller.stats.cache_hits.total())
    """
)
PACK = textwrap.dedent(
    """
    from pathlib import Path
    from gangland.envs.core.compiling.kernel_cache import pack
    from gangland.envs.core.compiling.shipped import FOLDER
    for folder in Path("{cache}").glob("gangland.*"):
        pack(folder, FOLDER / folder.name)
    """
)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """A project that brings its machine code; what compiled it is gone."""
    folder = copy_project(tmp_path_factory.mktemp("packed"))
    made = folder / "made"
    made.mkdir()
    assert run(folder, USE, NUMBA_CACHE_DIR=str(made), **MADE_FOR).out.split() == ["20", "0"]
    run(folder, PACK.format(cache=made))
    assert list((folder / "gangland" / "envs" / "machine_code").glob("*/*.nbc"))
    return folder


@pytest.fixture
def cache(tmp_path):
    (tmp_path / "kernels").mkdir()
    return str(tmp_path / "kernels")


@shippable
def test_nothing_is_compiled(packed, cache):
    found = run(packed, USE, NUMBA_CACHE_DIR=cache)
    assert found.out.split() == ["20", "1"]
    assert found.err == ""


@shippable
def test_it_is_found_by_content_wherever_the_package_stands(packed, cache, tmp_path):
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (packed / "gangland").rename(moved / "gangland")
    try:
        found = run(moved, USE, NUMBA_CACHE_DIR=cache)
    finally:
        (moved / "gangland").rename(packed / "gangland")
    assert (found.out.split(), found.err) == (["20", "1"], "")


@shippable
def test_another_processor_that_numba_is_told_gets_its_own(packed, cache):
    found = run(packed, USE, NUMBA_CACHE_DIR=cache, NUMBA_CPU_NAME="generic")
    assert found.out.split() == ["20", "0"]
    assert found.err.startswith("gangland: compiling pair once")


@shippable
def test_an_edited_rule_is_compiled(packed, cache):
    rule = packed / "gangland" / "envs" / "pair" / "rule.py"
    text = rule.read_text()
    rule.write_text(text.replace("x + 1", "x + 4"))
    try:
        found = run(packed, USE, NUMBA_CACHE_DIR=cache)
    finally:
        rule.write_text(text)
    assert found.out.split() == ["50", "0"]
    assert found.err.startswith("gangland: compiling pair once")


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@shippable
def test_what_is_damaged_is_compiled(packed, cache, ending):
    files = list((packed / "gangland" / "envs" / "machine_code").glob(f"*/*.{ending}"))
    kept = [file.read_bytes() for file in files]
    for file, data in zip(files, kept, strict=True):
        file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    try:
        found = run(packed, USE, NUMBA_CACHE_DIR=cache)
    finally:
        for file, data in zip(files, kept, strict=True):
            file.write_bytes(data)
    assert found.out.split() == ["20", "0"]


@shippable
def test_a_processor_that_lacks_a_part_compiles(packed, cache):
    lacking = "from gangland.envs.core.compiling import shipped\nshipped.FEATURES += ('made-up',)\n"
    found = run(packed, lacking + USE, NUMBA_CACHE_DIR=cache)
    assert found.out.split() == ["20", "0"]
    assert found.err.startswith("gangland: compiling pair once")
