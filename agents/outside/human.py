"""A person at a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...envs.core.errors import NotationError
from ...envs.core.integers import shown
from ...envs.core.presentation.foreign_text import read_number
from ...envs.core.view import View
from ..base import Agent
from ..decision import Decision

LONG_LIST = 30
"""Number of choices from which on they are listed in columns, without their notations."""
SHORT = {"?": "help", "q": "quit", "Q": "quit"}


class Quit(Exception):  # noqa: N818 - a wish, not an error
    """The person wants to leave the game."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that can be typed instead of a decision.

    Attributes:
        usage: How it is written.
        doc: What it does, in one line.
        run: Called with the view and the text after the command's name.
    """

    usage: str
    doc: str
    run: Callable[[View, str], None]


class HumanAgent(Agent):
    """Shows the table and the choices, and asks until a legal one is typed.

    Of a table in several blocks, with empty lines between them, only those are shown that have
    changed since the last decision; the command ``table`` shows all of it.

    A choice is typed as its number or in the game's notation. Where notation could be taken for a
    number, it takes precedence, and numbers are written ``#3``.

    Args:
        read: Asks for a line with this prompt; raises ``EOFError`` at the end of the input.
        write: Shows a line.
        commands: Further commands by name.
        say: Translates what the game says; by default it stays in English.
    """

    spec = "human"

    def __init__(
        self,
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
        commands: Mapping[str, Command] | None = None,
        say: Callable[[str], str] = str,
    ) -> None:
        self._read = read
        self._write = write
        self._say = say
        self._commands = {
            "help": Command("help or ?", "what can be typed", self._help),
            "table": Command("table", "show the table again", self._table),
            "moves": Command("moves", "all choices with what they do", self._moves),
            **(commands or {}),
            "quit": Command("quit or q", "leave the game", self._quit),
        }
        self._seen: tuple[str, ...] = ()

    def decide(self, view: View) -> Decision:
        """The person's decision.

        Raises:
            Quit: If the person leaves, or the input ends.
        """
        self._show(view)
        if question := view.game.question(view.known):
            self._write(f"\n{self._say(question)}")
        self._choices(view)
        name = self._say(view.game.seat_name(view.known, view.seat))
        while True:
            try:
                line = self._read(f"{name} ({view.seat})> ").strip()
            except EOFError as error:
                raise Quit from error
            action = self._answer(view, line)
            if action is not None:
                return Decision(action)

    def _answer(self, view: View, line: str) -> int | None:
        if not line:
            return None
        try:
            return view.game.parse_action(view.known, line)
        except NotationError:
            pass
        word, _, rest = line.partition(" ")
        word = SHORT.get(word, word.lower())
        if word in self._commands:
            self._commands[word].run(view, rest.strip())
            return None
        number = read_number(line.removeprefix("#"))
        if number is not None and (line[0] == "#" or not self._digits(view)):
            if 1 <= number <= len(view.legal_actions):
                return view.legal_actions[number - 1]
            self._write(f"{number}: there are choices 1 to {len(view.legal_actions)}")
            return None
        self._write(f"{shown(line)} is neither a choice nor a command; ? shows what can be typed")
        return None

    def _digits(self, view: View) -> bool:
        """Whether a choice's notation could be taken for a number."""
        return any(view.action_text(action).isdecimal() for action in view.legal_actions)

    def _label(self, view: View, k: int) -> str:
        return f"#{k}" if self._digits(view) else f"{k}"

    def _show(self, view: View) -> None:
        """The table, as far as it is not the same as at the last decision."""
        blocks = tuple(view.text().split("\n\n"))
        shown = [block for k, block in enumerate(blocks) if k == 0 or block not in self._seen]
        self._seen = blocks
        self._write("")
        self._write("\n\n".join(shown))

    def _table(self, view: View, _: str) -> None:
        self._write("")
        self._write(view.text())

    def _choices(self, view: View) -> None:
        if len(view.legal_actions) < LONG_LIST:
            self._moves(view, "")
            return
        texts = [
            f"{self._label(view, k)} {self._sentence(view, action).removesuffix('.')}"
            for k, action in enumerate(view.legal_actions, 1)
        ]
        width = max(len(text) for text in texts) + 3
        columns = max(1, shutil.get_terminal_size().columns // width)
        for first in range(0, len(texts), columns):
            self._write("".join(f"{text:<{width}}" for text in texts[first : first + columns]))

    def _moves(self, view: View, _: str) -> None:
        texts = [view.action_text(action) for action in view.legal_actions]
        width = max(len(text) for text in texts)
        for k, (action, text) in enumerate(zip(view.legal_actions, texts, strict=True), 1):
            self._write(
                f"{self._label(view, k):>4}  {text:<{width}}  {self._sentence(view, action)}"
            )

    def _sentence(self, view: View, action: int) -> str:
        return self._say(view.describe(action))

    def _help(self, view: View, _: str) -> None:
        self._write("Type the number of a choice, or its notation; or one of these:")
        width = max(len(command.usage) for command in self._commands.values())
        for command in self._commands.values():
            self._write(f"  {command.usage:<{width}}  {command.doc}")

    def _quit(self, view: View, _: str) -> None:
        raise Quit
