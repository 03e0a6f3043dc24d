"""The references: which objects stand on which page of the API's; the command line's own help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import click

from gangland.cli import cli


@dataclass(frozen=True)
class Page:
    """A page of the reference.

    Attributes:
        name: Name of its file.
        title: Heading.
        intro: First paragraph, in Markdown.
        objects: Dotted names of what it documents. A module stands for all of its public members.
    """

    name: str
    title: str
    intro: str
    objects: tuple[str, ...]


PAGES = (
    Page(
        "environments",
        "Environments",
        "PettingZoo, Gymnasium, batched tables. [Environments](../environments.md) is the guide.",
        (
            "gangland.envs.load",
            "gangland.envs.game_names",
            "gangland.envs.make_vec",
            "gangland.envs.register",
            "gangland.envs.api.aec.GameEnv",
            "gangland.envs.api.vec.VecTables",
            "gangland.envs.api.viewer.ReplayViewer",
            "gangland.agents.seat_env.SeatEnv",
        ),
    ),
    Page(
        "adapters",
        "Other libraries",
        "The games in other libraries. [Gangland in other libraries](../adapters.md) is the guide.",
        (
            "gangland.adapters.gymnasium_vector",
            "gangland.adapters.sb3",
            "gangland.adapters.seat_tables",
            "gangland.adapters.rllib",
            "gangland.adapters.openspiel",
            "gangland.adapters.openenv",
        ),
    ),
    Page(
        "games",
        "Games",
        "What a game is, and what environments, agents and servers use of it. "
        "[Adding a game](../adding_a_game.md) is the guide.",
        (
            "gangland.envs.core.game",
            "gangland.envs.core.history",
            "gangland.envs.core.state",
            "gangland.envs.core.presentation.guide",
            "gangland.envs.core.package",
            "gangland.envs.core.compiling.compiled.Rules",
            "gangland.envs.core.options.Option",
            "gangland.envs.core.options.OptionSet",
            "gangland.envs.core.record",
            "gangland.envs.core.state",
            "gangland.envs.core.kernel",
            "gangland.envs.core.rng",
        ),
    ),
    Page(
        "views",
        "Views and observations",
        "What a seat may know, and what every number of an observation means.",
        ("gangland.envs.core.view", "gangland.envs.core.layout"),
    ),
    Page(
        "replays",
        "Replays and errors",
        "Recorded games, and the exceptions that the library raises.",
        ("gangland.envs.core.replay", "gangland.envs.core.errors"),
    ),
    Page(
        "agents",
        "Agents",
        "What can take a seat. [Agents](../agents.md) is the guide.",
        (
            "gangland.agents.base",
            "gangland.agents.decision",
            "gangland.agents.registry",
            "gangland.agents.shipped",
            "gangland.agents.baseline.heuristic.HeuristicAgent",
            "gangland.agents.baseline.random.RandomAgent",
            "gangland.agents.trained.policy",
            "gangland.agents.search.ismcts",
            "gangland.agents.search.policy_search",
            "gangland.agents.outside.remote.EngineClient",
            "gangland.agents.outside.remote.EngineAgent",
            "gangland.agents.outside.remote.HttpAgent",
            "gangland.agents.outside.llm",
            "gangland.agents.trained.hub",
            "gangland.agents.table",
            "gangland.agents.seeds",
        ),
    ),
    Page(
        "arena",
        "Arena",
        "Tournaments, statistics and ratings. [Arena and ratings](../arena.md) is the guide.",
        (
            "gangland.arena.tournament",
            "gangland.arena.result",
            "gangland.arena.schedule",
            "gangland.arena.play",
            "gangland.arena.games",
            "gangland.arena.workers.base",
            "gangland.arena.workers.on_ray",
            "gangland.arena.statistics",
            "gangland.arena.ratings.online",
            "gangland.arena.ratings.equilibrium",
            "gangland.arena.ratings.evolution",
            "gangland.arena.report",
            "gangland.arena.calibration",
            "gangland.arena.exact",
        ),
    ),
    Page(
        "ladder",
        "Ladder",
        "Every agent against every other. [The ladder](../ladder/index.md) is the guide.",
        (
            "gangland.arena.ladder.play",
            "gangland.arena.ladder.result",
            "gangland.arena.ladder.report",
            "gangland.arena.ratings.plackett_luce",
            "gangland.arena.ladder.matrix",
        ),
    ),
    Page(
        "benchmark",
        "Benchmark",
        "Versioned tasks and results that can be verified. [Benchmark](../benchmark.md) is the "
        "guide.",
        (
            "gangland.arena.benchmark.tasks",
            "gangland.arena.benchmark.play",
            "gangland.arena.benchmark.submission",
            "gangland.arena.benchmark.summary",
            "gangland.arena.benchmark.check",
            "gangland.arena.hashes",
        ),
    ),
    Page(
        "folder",
        "Tournaments of a folder",
        "All bots of a folder. [Arena and ratings](../arena.md) is the guide.",
        (
            "gangland.arena.folder.entrants",
            "gangland.arena.folder.play",
            "gangland.arena.folder.result",
            "gangland.arena.folder.moments",
            "gangland.arena.folder.page",
            "gangland.arena.forfeits",
            "gangland.arena.kept",
        ),
    ),
    Page(
        "training",
        "Training",
        "Self-play, its configuration and measurements. [Training](../training.md) is the guide.",
        (
            "gangland.training.config.train_config",
            "gangland.training.config.sections",
            "gangland.training.config.files",
            "gangland.training.run",
            "gangland.training.selfplay",
            "gangland.training.checkpoint",
            "gangland.training.league",
            "gangland.training.summary",
            "gangland.training.learner.ppo",
            "gangland.training.learner.loss",
            "gangland.training.processes",
            "gangland.training.cluster",
            "gangland.training.cluster.driver",
            "gangland.training.measure.evaluation",
            "gangland.training.measure.exploit",
        ),
    ),
    Page(
        "serving",
        "Serving",
        "The server's application and settings, and bots for other runtimes. "
        "[Serving](../serving.md) is the guide, "
        "[messages](../messages.md) lists what it says.",
        (
            "gangland.serving.doors.http.app.create_app",
            "gangland.serving.settings",
            "gangland.serving.errors",
            "gangland.serving.bots.onnx_export.export_onnx",
        ),
    ),
    Page(
        "client",
        "Client",
        "A server's games and matches from Python. [Clients](../clients.md) is the guide.",
        (
            "gangland.client.server",
            "gangland.client.seat",
            "gangland.client.live",
            "gangland.client.connection.ClientError",
        ),
    ),
    Page(
        "testing",
        "Conformance suite",
        "Tests that every game has to pass, for games from other packages as well. "
        "[Adding a game](../adding_a_game.md#the-conformance-suite) is the guide.",
        ("gangland.envs.testing.run",),
    ),
)

INDEX_HEAD = """\
# API reference

Generated from the docstrings. Names that begin with an underscore are private. Everything listed
here is public, and its changes are announced in the [changes](../changes.md); below version 1.0, a
minor version may change it.

| page | what it documents |
|---|---|
"""


def pages() -> Iterator[tuple[str, str]]:
    """Path on the site and Markdown of every page of the reference."""
    rows = [f"| [{page.title}]({page.name}.md) | {_first(page.intro)} |\n" for page in PAGES]
    yield "api/index.md", INDEX_HEAD + "".join(rows)
    for page in PAGES:
        blocks = "".join(f"\n::: {name}\n" for name in page.objects)
        yield f"api/{page.name}.md", f"# {page.title}\n\n{page.intro}\n{blocks}"


def _first(intro: str) -> str:
    return intro.partition(". ")[0].rstrip(".")


# --- command line ---------------------------------------------------------------------------------

COMMANDS_HEAD = """\
# Command line

What `gangland --help` and `gangland COMMAND --help` print. The guides show the commands in use:
[Training](training.md), [Arena and ratings](arena.md), [The ladder](ladder/index.md),
[Serving](serving.md), [Engine protocol](engine.md).
"""


def command_line() -> str:
    """All commands with their options, as Markdown."""
    return "\n".join([COMMANDS_HEAD, *_commands()])


def _commands() -> Iterator[str]:
    context = click.Context(cli, info_name="gangland", max_content_width=100)
    yield _block(cli.get_help(context))
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context, max_content_width=100)
        yield f"\n## gangland {name}\n\n{_block(command.get_help(inner))}"


def _block(text: str) -> str:
    return f"```text\n{text}\n```\n"
