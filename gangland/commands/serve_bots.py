"""``gangland serve-bots``: bots for programs, without matches."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.common import Finite, needs_extra, one_blas_thread
from .shared.server_options import server_options
from .shared.terminal import echo

LOCAL = "local"


@click.command(name="serve-bots")
@server_options(rate=0.0)
@click.option(
    "--ray",
    "address",
    is_flag=False,
    flag_value=LOCAL,
    metavar="[ADDRESS]",
    help="Run replicas on Ray Serve: in the cluster at this address (auto for the one of this "
    "machine), or in a new one on this machine.",
)
@click.option(
    "--replicas",
    default="1",
    show_default=True,
    metavar="N|MIN:MAX",
    help="Replicas on Ray; with a range, as many as there is work for.",
)
@click.option(
    "--cpus",
    default=1.0,
    show_default=True,
    type=Finite(0, min_open=True),
    help="CPUs that Ray reserves for a replica.",
)
@click.option("--quiet", is_flag=True, help="Print warnings only.")
def command(
    games: tuple[str, ...],
    host: str,
    port: int,
    address: str | None,
    replicas: str,
    cpus: float,
    checkpoints: Path | None,
    bots: tuple[tuple[str, str], ...],
    rate: float,
    hosts: tuple[str, ...],
    metrics_token: str,
    quiet: bool,
) -> None:
    """Answer programs that ask for single decisions; nothing is stored. See docs/serving.md."""
    one_blas_thread()
    least, most = _range(replicas)
    with needs_extra("serve", "serving"):
        from ..serving.doors.http.server import serve_bots
        from ..serving.settings import Limits, Settings
    settings = Settings(
        database="",
        games=games,
        checkpoints=None if checkpoints is None else checkpoints.resolve(),
        bots=bots,
        hosts=(host, *hosts),
        metrics_token=metrics_token,
        limits=Limits(rate=rate, connections_each=0),
    )
    if address is None:
        serve_bots(settings, host, port, quiet=quiet)
        return
    with needs_extra("ray-serve", "--ray"):
        from ..serving.doors.http import ray_serve
    place = None if address == LOCAL else address
    ray_serve.run(settings, place, host, port, least, most, cpus)
    if not quiet:
        echo(f"Gangland's bots are served at http://{host}:{port}/ by Ray Serve")
        echo("Press Ctrl-C to stop.", err=True)
    ray_serve.run_forever()


def _range(text: str) -> tuple[int, int]:
    try:
        least, _, most = text.partition(":")
        found = int(least), int(most or least)
    except ValueError:
        found = 0, 0
    if not 1 <= found[0] <= found[1]:
        raise click.BadParameter(f"{text!r} must be N or MIN:MAX", param_hint="--replicas")
    return found
