"""Without its library, each adapter names the extra to install; nothing else needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

MISSING = {
    "pyspiel": ("import gangland.adapters.openspiel", "gangland[openspiel]"),
    "openenv": ("import gangland.adapters.openenv", "gangland[openenv]"),
    "ray": ("import gangland.adapters.rllib", "gangland[rllib]"),
    "stable_baselines3": ("import gangland.adapters.sb3", "gangland[train]"),
    "httpx": ("make('llm:http://localhost/v1?model=x', load('chicago'))", "gangland[remote]"),
    "huggingface_hub": ("make('ppo:hf://org/name', load('chicago'))", "gangland[hub]"),
}


@pytest.mark.parametrize("library", MISSING)
def test_the_extra_is_named(library):
    statement, extra = MISSING[library]
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from gangland.agents import make\n"
        "from gangland.envs import load\n"
        "from gangland.envs.core.errors import MissingDependencyError\n"
        f"try:\n    {statement}\nexcept MissingDependencyError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f"pip install '{extra}'" in done.stdout


def test_gymnasiums_vector_environment_needs_no_extra_and_the_package_none_at_all():
    code = (
        "import sys, gangland.adapters, gangland.adapters.gymnasium_vector\n"
        "heavy = {'torch', 'stable_baselines3', 'ray', 'pyspiel', 'httpx', 'huggingface_hub'}\n"
        "print(heavy & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
