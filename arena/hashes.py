"""SHA-256 hashes of what plays: a checkpoint's weights and how they are used, or a bot's file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ..agents.base import Agent
from ..agents.outside.bot_file import FileAgent
from ..agents.search.policy_search import PolicySearchAgent
from ..agents.trained.model_file import MODEL_FILE, WEIGHTS_FILE, read_model

Hashes = dict[str, Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]]
"""SHA-256 by name of a file: empty for an agent that the version of the rules determines."""

PLAYS = (
    "game",
    "rules_version",
    "observation_size",
    "num_actions",
    "roles",
    "network",
    "item_blocks",
    "temperature",
)
"""Keys of ``model.json`` that determine play. Its ratings, for example, may be measured again."""


def checkpoint_of(agent: Agent) -> Path | None:
    """Folder of the checkpoint that an agent plays or searches with; ``None`` without one."""
    return agent.policy.folder if isinstance(agent, PolicySearchAgent) else agent.folder


def hashes_of(agent: Agent) -> dict[str, str]:
    """Hashes of an agent's files.

    Returns:
        Of a checkpoint, ``policy.safetensors``: the file; ``model.json``: of :data:`PLAYS` as JSON
        with sorted keys and no spaces. Of a bot in a Python file, ``bot.py``: the file. Else empty.

    Raises:
        CheckpointError: If the checkpoint cannot be read.
    """
    folder = checkpoint_of(agent)
    if folder is not None:
        model = read_model(folder / MODEL_FILE)
        plays = {key: model[key] for key in PLAYS}
        text = json.dumps(plays, sort_keys=True, separators=(",", ":"))
        return {
            WEIGHTS_FILE: _sha256((folder / WEIGHTS_FILE).read_bytes()),
            MODEL_FILE: _sha256(text.encode()),
        }
    if isinstance(agent, FileAgent):
        return {"bot.py": _sha256(agent.file.read_bytes())}
    return {}


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
