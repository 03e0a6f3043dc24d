"""The command line. Sub-commands are imported only when they are called."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from . import __version__

COMMANDS: dict[str, str] = {
    "train": "Train bots by self-play.",
    "arena": "Let agents play each other and rate them.",
    "tournament": "Let all bots in a folder play each other, with a report.",
    "ladder": "Rank a pool of agents by playing each against every other.",
    "benchmark": "Play a task against frozen opponents, and write a result to cite.",
    "exploit": "Measure how exploitable a bot is: train best responses to it.",
    "rate": "Play a trained bot against tables of each baseline.",
    "calibrate": "Compare a bot's estimated chances of winning with the results.",
    "play": "Play a game in the terminal.",
    "serve": "Serve the games to browsers and programs.",
    "serve-bots": "Serve the decisions of bots to programs, without matches.",
    "replay": "Step through a recorded game, or animate it.",
    "engine": "Run a bot on standard input and output, for frontends.",
    "export": "Write a trained policy as an ONNX file.",
    "hub": "Share trained bots on the Hugging Face Hub.",
    "mcp": "Let language models play and ask bots for advice (MCP).",
    "bench": "Measure speed and memory.",
    "new-bot": "Write a bot of your own to begin with.",
    "check-bot": "Check that a bot decides legally and repeatably.",
    "check-client": "Check that a client of the server copes with faults.",
    "games": "List the games and their options.",
    "agents": "List the agents that can take a seat.",
    "compile": "Compile the rules now rather than on first use.",
}
"""Sub-commands with the line that ``--help`` prints; ``gangland.commands.<name>`` holds each (with
underscores for hyphens)."""


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"gangland.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup)
@click.version_option(__version__, prog_name="gangland")
def cli() -> None:
    """Gangster board games for five seats: train bots, rate them, play against them."""


def main() -> Any:
    """Entry point: errors become one clear line and an exit code."""
    from .commands.shared.terminal import write_in_any_encoding
    from .errors import escape_warnings, friendly

    write_in_any_encoding()
    escape_warnings()
    with friendly():
        sys.exit(cli(prog_name="gangland", standalone_mode=False))


if __name__ == "__main__":
    main()
