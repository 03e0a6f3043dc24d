"""The compose file, as far as it can be checked without a container engine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib

import pytest
import yaml

from tests.test_container import ROOT, last, parse

FILE = ROOT / "compose.yaml"
TEXT = FILE.read_text(encoding="utf-8")
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
        [*compose, "--file", str(FILE), "config", "--quiet"],
        env={**os.environ, "POSTGRES_PASSWORD": "x", "GANGLAND_METRICS_TOKEN": "x" * 16},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
