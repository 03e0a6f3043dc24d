"""``gangland export``: a trained policy for other runtimes."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.common import OutputFile


@click.command(name="export")
@click.argument("checkpoint")
@click.option("--onnx", "file", type=OutputFile(), required=True, help="The ONNX file to write.")
def command(checkpoint: str, file: Path) -> None:
    """Write the policy of CHECKPOINT as ONNX: a folder, or a shipped bot such as chicago.

    Inputs: observation, action_mask, role (in games with several roles) and advice (if the policy
    has an advisor). Outputs: action, probabilities, and each seat's chance of winning (chances) or,
    if the policy tells none, a value. The mask is applied inside.
    """
    from ..agents.trained.policy import load_checkpoint
    from ..envs import load
    from ..serving.bots.onnx_export import export_onnx

    found = load_checkpoint(checkpoint)
    found = found.fitted(load(found.model["game"]))
    export_onnx(found, file)
    size = file.stat().st_size / 1024
    click.echo(f"{file}: {found.model['game']}, {size:,.0f} KB, from {found.folder}")
