"""``gangland serve-bots``: bots for programs, without matches."""

from __future__ import annotations

from pathlib import Path

import click

from ..envs.core.errors import MissingDependencyError
from .common import one_blas_thread
from .serve import offer, secret

LOCAL = "local"


@click.command(name="serve-bots")
@click.option(
    "--game",
    "games",
    multiple=True,
    help="Offer bots for this game; may be repeated. All by default.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
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
    type=click.FloatRange(0, min_open=True),
    help="CPUs that Ray reserves for a replica.",
)
@click.option(
    "--checkpoints",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of checkpoints to offer besides the package's bots; every machine needs it.",
)
@click.option("--bot", "bots", multiple=True, metavar="GAME=SPEC", help="Offer this agent as well.")
@click.option(
    "--rate",
    default=0.0,
    show_default=True,
    type=click.FloatRange(0),
    help="Requests per second from one address to one replica; 0 for no limit.",
)
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help="Host name to answer to."
)
@click.option(
    "--metrics-token",
    default="",
    envvar="GANGLAND_METRICS_TOKEN",
    metavar="TOKEN",
    help="Show /metrics to whoever sends this token.",
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
    bots: tuple[str, ...],
    rate: float,
    hosts: tuple[str, ...],
    metrics_token: str,
    quiet: bool,
) -> None:
    """Answer programs that ask for single decisions; nothing is stored. See docs/serving.md."""
    one_blas_thread()
    least, most = _range(replicas)
    try:
        from ..serving.doors.http.server import serve_bots
        from ..serving.settings import Limits, Settings
    except ImportError as error:
        raise MissingDependencyError(
            f"serving needs more packages ({error.name}): pip install 'gangland[serve]'"
        ) from error
    settings = Settings(
        database="",
        games=games,
        checkpoints=None if checkpoints is None else checkpoints.resolve(),
        bots=tuple(offer(text) for text in bots),
        hosts=(host, *hosts),
        metrics_token=secret(metrics_token),
        limits=Limits(rate=rate, connections_each=0),
    )
    if address is None:
        serve_bots(settings, host, port, quiet=quiet)
        return
    try:
        from ..serving.doors.http.stateless import ray_serve
    except ImportError as error:
        raise MissingDependencyError(
            f"--ray needs Ray ({error.name}): pip install 'gangland[ray-serve]'"
        ) from error
    place = None if address == LOCAL else address
    ray_serve.run(settings, place, host, port, least, most, cpus)
    if not quiet:
        click.echo(f"Gangland's bots are served at http://{host}:{port}/ by Ray Serve")
        click.echo("Press Ctrl-C to stop.", err=True)
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
