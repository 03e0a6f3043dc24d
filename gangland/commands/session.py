"""A game in the terminal: bots, and one person or none."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from ..agents.base import Agent
from ..agents.human import Command, HumanAgent, Quit
from ..agents.registry import make, strongest
from ..agents.seeds import players_key
from ..agents.table import decisions
from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.replay import Recorder
from ..envs.core.state import State
from ..envs.core.view import Detail, View
from ..serving.matches.watch import Watch

SHOWN_CHANCES = 5
"""Number of most likely actions listed with a hint."""


class Session:
    """Plays one game in the terminal and prints what happens.

    A person is told what its seat may know, and only when no secret decision is pending: neither
    the sentences nor the pauses reveal whether there was one.

    Args:
        game: The game.
        seat: The person's seat; ``None`` to watch the open table.
        bots: Bots of the other seats, in order.
        seed: Seed of the game's chance.
        read: Prompts for a line of input.
        delay: Seconds to wait after each decision of a bot that the person is told about.
        options: The game's options.
    """

    def __init__(
        self,
        game: Game,
        seat: int | None,
        bots: Sequence[Agent],
        seed: int,
        *,
        read: Callable[[str], str] = input,
        delay: float = 0.0,
        **options: Any,
    ) -> None:
        self.game = game
        self.seat = seat
        self.log: list[str] = []
        self._delay = delay
        commands = {
            "hint": Command("hint [AGENT]", "what a bot would play here", self._hint),
            "log": Command("log [LINES]", "what has happened so far", self._show_log),
            "svg": Command("svg FILE", "write a picture of the table", self._svg),
        }
        agents = list(bots)
        if seat is not None:
            agents.insert(seat, HumanAgent(read, click.echo, commands))
        self.agents: list[Agent] = agents
        self.recorder = Recorder(game, seed, tuple(agent.spec for agent in agents), **options)
        self._players_key = players_key(seed)
        self._watch = None if seat is None else Watch(game, seat, self.recorder.state)

    def run(self) -> bool:
        """Play until the end of the game, or until the person quits.

        Returns:
            Whether the game was played to the end.
        """
        seen: set[int] = set()
        try:
            for seat, action in decisions(
                self.game, self.recorder.state, self.agents, self._players_key
            ):
                self._play(seat, action)
                seen.add(seat)
                if self.seat is None and len(seen) == len(self.agents):
                    seen.clear()
                    click.echo(f"\n{self._table()}")
        except (Quit, KeyboardInterrupt):
            click.echo(f"\nThe game stops after {len(self.recorder.actions)} decisions.")
            return False
        self._show_result()
        return True

    def save(self, path: Path) -> None:
        """Append the game to a replay file.

        Raises:
            click.FileError: If it cannot be written.
        """
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(self.recorder.replay().write() + "\n")
        except OSError as error:
            raise click.FileError(str(path), error.strerror or str(error)) from error
        click.echo(f"Saved to {path}; see it again with: gangland replay {path}")

    def _play(self, seat: int, action: int) -> None:
        """Play one decision and tell what happened."""
        before = self.game.clone(self.recorder.state)
        self.recorder.apply(action)
        lines = self._news(seat, action, before)
        for line in lines:
            self.log.append(line)
            click.echo(click.style(f"· {line}", dim=seat != self.seat))
        if lines and seat != self.seat and self._delay:
            time.sleep(self._delay)

    def _news(self, seat: int, action: int, before: State) -> list[str]:
        """What to print after a decision."""
        after = self.recorder.state
        if self._watch is None:
            return self.game.narrate(before, action, after, None)
        self._watch.see(seat, action, after, len(self.recorder.actions))
        return [told.text for told in self._watch.events[len(self.log) :]]

    def _table(self) -> str:
        return self.game.text(self.recorder.state, self.seat)

    def _show_result(self) -> None:
        state, game = self.recorder.state, self.game
        result = game.result(state)
        click.echo(f"\n{self._table()}\n")
        how = "ended by the cap" if result.capped else "over"
        click.echo(
            click.style(
                f"The game is {how} after {len(self.recorder.actions)} decisions.", bold=True
            )
        )
        for seat in sorted(range(len(self.agents)), key=lambda s: result.places[s]):
            who = "you" if seat == self.seat else self.agents[seat].spec
            words = f"{game.seat_name(state, seat)} ({who})"
            score = game.score_text(result.scores[seat])
            click.echo(f"{result.places[seat]:>3}. {words:<36} {score:>14}")

    def _hint(self, view: View, spec: str) -> None:
        wanted = spec or strongest(self.game)
        try:
            asked = View(self.game, view.known, view.seat, view.seed, Detail.OWN)
            decision = make(wanted, self.game).decide(asked)
        except GanglandError as error:
            click.echo(f"no hint: {error}")
            return
        best = decision.action
        click.echo(f"{wanted} would play {view.action_text(best)}: {view.describe(best)}")
        shares = decision.probabilities
        if shares is not None:
            for likely in np.argsort(-shares, kind="stable")[:SHOWN_CHANCES]:
                if shares[likely] > 0:
                    click.echo(f"  {shares[likely]:>4.0%}  {view.action_text(int(likely))}")

    def _show_log(self, view: View, lines: str) -> None:
        if lines and not (lines.isdecimal() and int(lines) > 0):
            click.echo(f"log {lines}: must be a number of lines, 1 or more")
            return
        for line in self.log[-int(lines) if lines else 0 :]:
            click.echo(f"· {line}")
        if not self.log:
            click.echo("Nothing has happened yet.")

    def _svg(self, view: View, name: str) -> None:
        if not name:
            click.echo("svg needs the name of a file, such as: svg table.svg")
            return
        last = self.log[-1] if self.log else ""
        picture = self.game.svg(view.known, view.seat, view.legal_actions, last)
        try:
            Path(name).write_text(picture, encoding="utf-8")
        except OSError as error:
            click.echo(f"{name}: {error.strerror or error}")
            return
        click.echo(f"written to {name}")
