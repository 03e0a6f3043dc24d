"""``gangland hub``: trained bots to and from the Hugging Face Hub."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from .shared.terminal import echo


@click.group(name="hub")
def command() -> None:
    """Share trained bots on the Hugging Face Hub.

    A bot there is named hf://ORG/NAME, also with a revision and a folder,
    hf://ORG/NAME@REVISION/FOLDER, and plays as ppo:hf://ORG/NAME.
    """


@command.command()
@click.argument("checkpoint")
@click.argument("address")
@click.option("--private", is_flag=True, help="A new repository is visible to its owners only.")
def push(checkpoint: str, address: str, private: bool) -> None:
    """Upload CHECKPOINT, a folder or a shipped bot, to ADDRESS.

    The network and its card are uploaded, not the state of the training. Log in first, with
    `hf auth login` or HF_TOKEN.
    """
    from ..agents.trained.hub import upload
    from ..agents.trained.policy import load_checkpoint
    from ..envs import load

    found = load_checkpoint(checkpoint)
    found.fitted(load(found.model["game"]))
    assert found.weights
    echo(upload(found.folder, address, private=private))


@command.command()
@click.argument("address")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to make.",
)
def pull(address: str, out: Path) -> None:
    """Download the bot at ADDRESS, check it, and copy it to a folder."""
    from ..agents.trained.hub import FILES, download
    from ..agents.trained.policy import read_checkpoint
    from ..envs import load

    if out.exists():
        raise click.UsageError(f"{out} already exists")
    found = read_checkpoint(download(address))
    found.fitted(load(found.model["game"]))
    assert found.weights
    out.mkdir(parents=True)
    for name in FILES:
        if (found.folder / name).is_file():
            shutil.copyfile(found.folder / name, out / name)
    echo(f"{out}: {found.model['game']}, play it as ppo:{out}")
