"""The page on the command line, made from its own help."""

from __future__ import annotations

from collections.abc import Iterator

import click

from gangland.cli import cli

HEAD = """\
# Command line

What `gangland --help` and `gangland COMMAND --help` print. The guides show the commands in use:
[Training](training.md), [Arena and ratings](arena.md), [The ladder](ladder/index.md),
[Serving](serving.md), [Engine protocol](engine.md).
"""


def page() -> str:
    """All commands with their options, as Markdown."""
    return "\n".join([HEAD, *_sections()])


def _sections() -> Iterator[str]:
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
