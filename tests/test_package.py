"""What is released: everything is in it, and the wheel plays in empty environments."""

from __future__ import annotations

import hashlib
import importlib
import json
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
release = importlib.import_module("release.build")
trial = importlib.import_module("release.try_wheel")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Source distribution and wheel, built with the setuptools that is installed."""
    pytest.importorskip("build", reason="the package build is not installed")
    return release.build(tmp_path_factory.mktemp("dist"), isolated=False)


def test_everything_is_in_the_release(built):
    sdist, wheel = built
    assert release.check_sdist(sdist) > 500
    assert release.check_wheel(wheel) > 300
    names = zipfile.ZipFile(wheel).namelist()
    for part in (
        "gangland/serving/page/web/index.html",
        "gangland/configs/chicago.yaml",
        "gangland/checkpoints/chicago/bot/policy.safetensors",
        "gangland/arena/benchmark/tasks.json",
        "gangland/envs/chicago/RULES.md",
        "gangland/py.typed",
    ):
        assert part in names


def test_what_is_missing_is_found(built, tmp_path):
    """The checks fail for a wheel without a picture and a source distribution without a test."""
    sdist, wheel = built
    poorer = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(poorer, "w") as new:
        for name in old.namelist():
            if not name.endswith("favicon.svg"):
                new.writestr(name, old.read(name))
    with pytest.raises(release.ReleaseError, match="favicon"):
        release.check_wheel(poorer)
    shorter = tmp_path / sdist.name
    with tarfile.open(sdist) as old, tarfile.open(shorter, "w:gz") as new:
        for member in old.getmembers():
            if not member.name.endswith("test_package.py"):
                new.addfile(member, old.extractfile(member))
    with pytest.raises(release.ReleaseError, match="test_package"):
        release.check_sdist(shorter)


def test_all_packages_have_one_version(monkeypatch, tmp_path):
    assert re.fullmatch(r"\d+\.\d+\.\d+", release.version())
    other = tmp_path / "package.json"
    other.write_text('{"version": "9.9.9"}')
    monkeypatch.setattr(release, "CLIENT", tmp_path)
    with pytest.raises(release.ReleaseError, match=r"9\.9\.9"):
        release.version()


def test_extras():
    """What a plain installation needs has no torch; ``all`` names extras that exist."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert {"train", "serve", "all", "remote"} <= set(extras)
    plain = [*project["dependencies"], *extras["serve"], *extras["remote"], *extras["arena"]]
    assert not any(line.startswith(("torch", "stable", "sb3")) for line in plain)
    for line in [line for lines in extras.values() for line in lines]:
        if named := re.match(r"gangland\[(.+)\]$", line):
            assert set(named[1].split(",")) <= set(extras)


@pytest.fixture
def describe(monkeypatch):
    """The script that describes a release."""
    monkeypatch.syspath_prepend(str(ROOT / "release"))
    return importlib.import_module("describe")


def test_the_notes_are_the_versions_own(describe):
    changes = "# Changes\n\n## 1.1.0\n\nNewer.\n\n## 1.0.0 (May)\n\n- One.\n\n## 0.9.0\n\nOlder.\n"
    assert describe.notes(changes, "1.0.0") == "# Gangland 1.0.0\n\n- One.\n"
    with pytest.raises(Exception, match=r"no entry ## 1\.0$"):
        describe.notes("## 11.0\n", "1.0")
    written = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "**Games**" in describe.notes(written, release.version())


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_checksums_and_signature_show_what_was_changed(describe, tmp_path):
    folder, key, allowed = tmp_path / "dist", tmp_path / "key", tmp_path / "allowed"
    folder.mkdir()
    (folder / "one.whl").write_bytes(b"1")
    new = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
    subprocess.run(new, check=True)
    allowed.write_text(f"me@example.org {key.with_suffix('.pub').read_text()}")
    sums = describe.write_sums(folder)
    describe.sign(sums, key)
    # Again, after a change: neither counts itself.
    (folder / "two.whl").write_bytes(b"2")
    sums = describe.write_sums(folder)
    one, two = (hashlib.sha256(digit).hexdigest() for digit in (b"1", b"2"))
    assert sums.read_text() == f"{one}  one.whl\n{two}  two.whl\n"

    def verified():
        command = ("ssh-keygen", "-Y", "verify", "-f", allowed, "-I", "me@example.org")
        signature = ("-n", "gangland", "-s", folder / "SHA256SUMS.sig")
        done = subprocess.run(
            (*command, *signature), input=sums.read_bytes(), capture_output=True, check=False
        )
        return done.returncode == 0

    assert not verified(), "the signature is of what was there before"
    describe.sign(sums, key)
    assert verified()


@pytest.mark.slow
def test_the_bill_of_materials_lists_what_is_installed(describe, tmp_path):
    if trial.found_uv() is None:
        pytest.skip("uv is not installed")
    describe.write_bill(tmp_path / "bill.json")
    bill = json.loads((tmp_path / "bill.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["name"] == "gangland"
    assert {"numpy", "numba", "torch", "fastapi"} <= {part["name"] for part in bill["components"]}


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("end", trial.ENDS)
@pytest.mark.parametrize("version", trial.PYTHONS)
def test_the_wheel_plays_in_an_empty_environment(built, tmp_path, version, end):
    """Without torch: all games, a trained bot, the command line, and the server."""
    python = trial.interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine")
    if trial.found_uv() is None:
        pytest.skip("uv is not installed")
    own = trial.install(built[1], python, end, trial.EXTRAS["serve"], tmp_path)
    report = trial.try_in(own, tmp_path)
    assert report["python"].startswith(f"{version}.")
    assert report["chicago"]["trained"] == "ppo:chicago"
    assert {"gangsters", "crime_lords", "five_points"} <= set(report)
    assert report["serves"] is True


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_plain_installation_has_trained_bots_and_no_torch(built, tmp_path):
    if trial.found_uv() is None:
        pytest.skip("uv is not installed")
    found = [python for python in map(trial.interpreter, trial.PYTHONS) if python is not None]
    own = trial.install(built[1], found[0], "newest", trial.EXTRAS[""], tmp_path)
    report = trial.try_in(own, tmp_path)
    assert report["chicago"]["trained"] == "ppo:chicago"
    assert "serves" not in report
    assert trial.run([own, "-c", "import importlib.util as u; print(u.find_spec('torch'))"]) == (
        "None\n"
    )


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("end", trial.ENDS)
def test_language_models_are_served_in_an_empty_environment(built, tmp_path, end):
    """The extra ``mcp`` brings all that ``gangland mcp`` imports."""
    if trial.found_uv() is None:
        pytest.skip("uv is not installed")
    own = trial.install(built[1], Path(sys.executable), end, trial.EXTRAS["mcp"], tmp_path)
    assert trial.try_mcp(own)["serverInfo"]["name"] == "gangland"


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_wheel_with_machine_code_compiles_no_rule(built, tmp_path, monkeypatch):
    pytest.importorskip("wheel", reason="the package wheel is not installed")
    if trial.found_uv() is None or (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("it is made by uv on Linux on x86-64")
    monkeypatch.syspath_prepend(str(ROOT / "release"))
    machine_code = importlib.import_module("machine_code")
    python = Path(sys.executable)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    made = machine_code.with_machine_code(built[1], version, python, tmp_path, ["chicago"])
    own = trial.install(made, python, "newest", (), tmp_path)
    (tmp_path / "kernels").mkdir()
    for name, compiled in (("chicago", False), ("five_points", True)):
        kept = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
        assert float(trial.run([own, "-c", machine_code.FIRST, name], **kept)) > 0.0
        assert bool(list(tmp_path.glob("kernels/gangland.envs.*/**/*.nbc"))) == compiled


@pytest.mark.parametrize("cuda", [False, True], ids=["cpu", "cuda"])
def test_torch_is_a_build_for_cpus_unless_one_for_gpus_is_wanted(monkeypatch, tmp_path, cuda):
    ran = []
    monkeypatch.setattr(trial, "run", lambda command: ran.append([str(word) for word in command]))
    monkeypatch.setattr(trial, "found_uv", lambda: "uv")
    monkeypatch.setenv("PIP_FIND_LINKS", "/builds")
    wheel, extras = tmp_path / "gangland.whl", trial.EXTRAS["train"]
    trial.install(wheel, Path(sys.executable), "newest", extras, tmp_path, cuda=cuda)
    compiled, _, installed = ran
    assert ("--override" in compiled) is not cuda
    assert ("/builds" in compiled) is ("/builds" in installed) is not cuda
    if not cuda:
        override = Path(compiled[compiled.index("--override") + 1])
        assert re.fullmatch(r"torch==[\d.]+\+cpu\n", override.read_text())


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("end", trial.ENDS)
def test_training_runs_in_an_empty_environment(built, tmp_path, end):
    """With the CPU build of torch that ``constraints.txt`` pins: imports, five seconds, a bot."""
    if trial.found_uv() is None:
        pytest.skip("uv is not installed")
    python = Path(sys.executable)
    own = trial.install(built[1], python, end, trial.EXTRAS["train"], tmp_path)
    report = trial.try_training(own, tmp_path)
    assert report["torch"].endswith("+cpu")
    assert report["modules"] > 20
    assert report["decisions"] > 0
