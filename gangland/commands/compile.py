"""``gangland compile``: compile the rules now instead of on first use."""

from __future__ import annotations

import time

import click

from ..arena.workers.base import cores
from .shared.common import Count
from .shared.terminal import echo


def compile_game(name: str) -> float:
    """Compile or load a game's rules, heuristics and search; returns the seconds it took."""
    from ..agents.baseline.heuristic import HeuristicAgent, variants
    from ..agents.registry import make
    from ..envs import load

    started = time.perf_counter()
    game = load(name)
    # Reading the attribute compiles.
    assert game.compiled
    for variant in variants(game):
        HeuristicAgent(game, variant).compile_values()
    make("ismcts", game)
    return time.perf_counter() - started


@click.command(name="compile")
@click.argument("games", nargs=-1)
@click.option(
    "--jobs",
    type=Count(1),
    default=cores(),
    show_default="one per core",
    help="Number of games compiled at the same time.",
)
def command(games: tuple[str, ...], jobs: int) -> None:
    """Compile the rules and heuristics of GAMES (all by default).

    Rules that have been compiled before are only loaded.
    """
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    from ..envs import game_names, load

    names = list(dict.fromkeys(games)) or list(game_names())
    for name in names:
        load(name)  # Refuses unknown names.
    if min(jobs, len(names)) == 1:
        for name in names:
            echo(f"{name}: ready in {compile_game(name):.1f} s")
        return
    # New processes, not forks: compiled code and threads do not survive a fork everywhere.
    with ProcessPoolExecutor(min(jobs, len(names)), get_context("spawn")) as pool:
        waiting = {pool.submit(compile_game, name): name for name in names}
        for done in as_completed(waiting):
            echo(f"{waiting[done]}: ready in {done.result():.1f} s")
