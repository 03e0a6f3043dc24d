"""``gangland export``: a trained policy for other runtimes, or in half the space."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.common import OutputFile
from .shared.terminal import echo


@click.command(name="export")
@click.argument("checkpoint")
@click.option("--onnx", "file", type=OutputFile(), help="Write this ONNX file.")
@click.option(
    "--half",
    "folder",
    type=click.Path(path_type=Path),
    help="Write this new folder: the checkpoint for playing, with float16 weights.",
)
def command(checkpoint: str, file: Path | None, folder: Path | None) -> None:
    """Write the policy of CHECKPOINT, a folder or a shipped bot such as chicago, in another form.

    ONNX: inputs are observation, action_mask, and role (in games with several roles); outputs are
    action, probabilities, and each seat's chance of winning (chances) or, if the policy gives none,
    a value. The mask is applied inside.
    """
    from ..agents.trained.policy import load_checkpoint

    if file is None and folder is None:
        raise click.UsageError("Say what to write: --onnx FILE or --half FOLDER.")
    found = load_checkpoint(checkpoint)

    def report(path: Path, size: int) -> None:
        echo(f"{path}: {found.model['game']}, {size / 1024:,.0f} KB, from {found.folder}")

    if folder is not None:
        report(folder, found.write_half(folder))
    if file is not None:
        from ..envs import load
        from ..serving.bots.onnx_export import export_onnx

        export_onnx(found.fitted(load(found.model["game"])), file)
        report(file, file.stat().st_size)
