"""Checkpoints on the Hugging Face Hub: ``hf://ORG/NAME``, also with a revision and a folder.

``hf://org/name@v2/chicago`` is the folder ``chicago`` of the repository's revision ``v2``. Files
come from the Hub's own cache where they are there; with ``HF_HUB_OFFLINE=1`` nothing is asked of
the network. What is downloaded is data from somebody else and is checked like every checkpoint.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...envs.core.errors import MissingDependencyError
from .model_file import MODEL_FILE, WEIGHTS_FILE, CheckpointError

CARD = "README.md"
FILES = (MODEL_FILE, WEIGHTS_FILE, CARD)
"""What is uploaded and downloaded: enough to play, nothing of the training's state."""

_WORD = r"[\w.-]+"
_ADDRESS = re.compile(rf"hf://({_WORD}/{_WORD})(?:@({_WORD}))?(?:/({_WORD}(?:/{_WORD})*))?/?")


@dataclass(frozen=True, slots=True)
class HubAddress:
    """Where a checkpoint stands on the Hub.

    Attributes:
        repository: ``ORG/NAME``.
        revision: Branch, tag or commit; ``None`` for the main branch.
        folder: Folder inside the repository; empty for its root.
    """

    repository: str
    revision: str | None = None
    folder: str = ""

    @classmethod
    def parse(cls, text: str) -> HubAddress:
        """The address that a text names.

        Raises:
            CheckpointError: If it is none.
        """
        found = _ADDRESS.fullmatch(text)
        if found is None or ".." in text:
            raise CheckpointError(f"{text}: must be hf://ORG/NAME[@REVISION][/FOLDER]")
        return cls(found[1], found[2], found[3] or "")


def download(address: str) -> Path:
    """The local folder of a checkpoint on the Hub, downloaded unless it is in the cache.

    Args:
        address: ``hf://ORG/NAME[@REVISION][/FOLDER]``.

    Raises:
        CheckpointError: If there is none, or it cannot be reached.
        MissingDependencyError: Without the package ``huggingface_hub``.
    """
    wanted = HubAddress.parse(address)
    hub = _library()
    prefix = f"{wanted.folder}/" if wanted.folder else ""
    try:
        root = hub.snapshot_download(
            wanted.repository,
            revision=wanted.revision,
            allow_patterns=[prefix + name for name in FILES],
        )
    except Exception as error:  # The library lets errors of its transport through, of any kind.
        raise CheckpointError(f"{address} cannot be downloaded: {_first_line(error)}") from error
    folder = Path(root) / wanted.folder
    if not (folder / MODEL_FILE).is_file():
        raise CheckpointError(f"{address}: no {MODEL_FILE} there")
    return folder


def upload(folder: Path, address: str, *, private: bool = False) -> str:
    """Upload a checkpoint that has been checked, making the repository if there is none.

    Args:
        folder: The checkpoint; see :data:`FILES` for what is taken of it.
        address: ``hf://ORG/NAME[@REVISION][/FOLDER]``.
        private: Whether a new repository is visible to its owners only.

    Returns:
        The web address of the commit.

    Raises:
        CheckpointError: If the Hub cannot be reached or refuses.
        MissingDependencyError: Without the package ``huggingface_hub``.
    """
    wanted = HubAddress.parse(address)
    hub = _library()
    try:
        api = hub.HfApi()
        api.create_repo(wanted.repository, private=private, exist_ok=True)
        commit = api.upload_folder(
            repo_id=wanted.repository,
            revision=wanted.revision,
            folder_path=folder,
            path_in_repo=wanted.folder or None,
            allow_patterns=list(FILES),
            commit_message="A checkpoint of gangland",
        )
    except Exception as error:  # The library lets errors of its transport through, of any kind.
        raise CheckpointError(f"{address} cannot be uploaded: {_first_line(error)}") from error
    return str(commit.commit_url)


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:300]


def _library() -> Any:
    try:
        import huggingface_hub
        import huggingface_hub.errors
    except ImportError as error:
        raise MissingDependencyError(
            "checkpoints on the Hugging Face Hub need huggingface_hub: pip install 'gangland[hub]'"
        ) from error
    return huggingface_hub
