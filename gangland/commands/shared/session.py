"""A game in the terminal: bots, and one person or none."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...agents.base import Agent
from ...agents.outside.human import Command, HumanAgent, Quit
from ...agents.registry import make, strongest
from ...agents.seeds import players_key
from ...agents.table import Memories, decisions
from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ...envs.core.history import History
from ...envs.core.presentation.foreign_text import printable, read_number
from ...envs.core.replay import Recorder
from ...envs.core.state import State
from ...envs.core.view import Detail, View
from ...serving.matches.watch import Watch
from ...serving.texts import translator
from .common import shell_line, written
from .rules_text import rules_text
from .terminal import echo, echo_folded

SHOWN_CHANCES = 5
"""Number of most likely actions listed with a hint."""
RECAP = 8
"""Number of past sentences that are shown when a game is continued."""


class TakeBackError(Exception):
    """The person takes its last decision back."""


class Session:
    """Plays one game in the terminal and prints what happens.

    A person sees what its seat may know, and only when no secret decision is pending: neither
    the sentences nor the pauses reveal whether there was one.

    Args:
        game: The game.
        seat: The person's seat; ``None`` to watch the open table.
        bots: Bots of the other seats, in order.
        seed: Seed of the game's chance.
        read: Prompts for a line of input.
        delay: Seconds to wait after each decision of a bot that the person sees.
        played: Decisions that were made before, in order.
        language: Code of the language in which events, questions, choices and rules are written.
        options: The game's options.

    Raises:
        IllegalActionError: If one of ``played`` is not legal.
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
        played: Sequence[int] = (),
        language: str = "en",
        **options: Any,
    ) -> None:
        self.game = game
        self.seat = seat
        self._language = language
        self.say = translator(game, language).translate
        self._delay = delay
        self._options = options
        commands = {
            "undo": Command("undo", "take your last decision back", self._undo),
            "rules": Command("rules [CHAPTER or WORDS]", "the rules of the game", self._rules),
            "hint": Command("hint [AGENT]", "what a bot would play here", self._hint),
            "log": Command("log [LINES]", "what has happened so far", self._show_log),
            "svg": Command("svg FILE", "write a picture of the table", self._svg),
        }
        agents = list(bots)
        if seat is not None:
            agents.insert(seat, HumanAgent(read, echo_folded, commands, self.say))
        self.agents: list[Agent] = agents
        self._seed = seed
        self._players_key = players_key(seed)
        self._begin(played)

    def _begin(self, played: Sequence[int]) -> None:
        """Start, and make these decisions without a word."""
        names = tuple(agent.spec for agent in self.agents)
        self.recorder = Recorder(self.game, self._seed, names, **self._options)
        state = self.recorder.state
        self._watch = None if self.seat is None else Watch(self.game, self.seat, state)
        self._memories = Memories(self.game, self.agents, state)
        self._start = self.game.clone(state)
        self.log: list[str] = []
        self._movers: list[int] = []
        for action in played:
            self._make(self.game.seat_to_act(self.recorder.state), action)

    def run(self) -> bool:
        """Play until the end of the game, or until the person quits.

        Returns:
            Whether the game was played to the end.
        """
        for line in self.log[-RECAP:]:
            echo_folded(f"· {self.say(line)}", dim=True)
        while not self.game.is_over(self.recorder.state):
            try:
                self._go_on()
            except TakeBackError:
                self._begin(self.recorder.actions[: self._last_own()])
                echo("You take your last decision back.")
            except (Quit, KeyboardInterrupt):
                count = len(self.recorder.actions)
                echo(f"\nThe game stops after {count} decision{'' if count == 1 else 's'}.")
                return False
        self._show_result()
        return True

    def _go_on(self) -> None:
        """Play until the end of the game."""
        seen: set[int] = set()
        for seat, action in decisions(
            self.game, self.recorder.state, self.agents, self._players_key, self._memories
        ):
            self._play(seat, action)
            seen.add(seat)
            if self.seat is None and len(seen) == len(self.agents):
                seen.clear()
                echo_folded(f"\n{self._table()}")

    def save(self, path: Path) -> None:
        """Append the game to a replay file.

        Raises:
            click.FileError: If it cannot be written.
        """
        with written(path), path.open("a", encoding="utf-8") as file:
            file.write(self.recorder.replay().write() + "\n")
        echo(f"Saved to {path}; see it again with: {shell_line('gangland', 'replay', path)}")

    def _play(self, seat: int, action: int) -> None:
        """Play one decision and print what happened."""
        lines = self._make(seat, action)
        for line in lines:
            echo_folded(f"· {self.say(line)}", dim=seat != self.seat)
        if lines and seat != self.seat and self._delay:
            time.sleep(self._delay)

    def _make(self, seat: int, action: int) -> list[str]:
        """Play one decision; the sentences on it."""
        before = self.game.clone(self.recorder.state)
        self.recorder.apply(action)
        self._movers.append(seat)
        self._memories.see(seat, action, self.recorder.state)
        lines = self._news(seat, action, before)
        self.log += lines
        return lines

    def _news(self, seat: int, action: int, before: State) -> list[str]:
        """What to print after a decision."""
        after = self.recorder.state
        if self._watch is None:
            lines = self.game.narrate(before, action, after, None)
            if recap := self.game.recap(self._start, after, None):
                lines += recap
                self._start = self.game.clone(after)
            return lines
        self._watch.see(seat, action, after, len(self.recorder.actions))
        return [event.text for event in self._watch.events[len(self.log) :]]

    def _table(self) -> str:
        return self.game.text(self.recorder.state, self.seat)

    def _show_result(self) -> None:
        state, game = self.recorder.state, self.game
        result = game.result(state)
        echo_folded(f"\n{self._table()}\n")
        how = "ended by the cap" if result.capped else "over"
        end = f"The game is {how} after {len(self.recorder.actions)} decisions."
        echo(end, bold=end)
        for seat in sorted(range(len(self.agents)), key=lambda s: result.places[s]):
            who = "you" if seat == self.seat else printable(self.agents[seat].spec)
            words = f"{self.say(game.seat_name(state, seat))} ({who})"
            score = self.say(game.score_text(result.scores[seat]))
            echo(f"{result.places[seat]:>3}. {words:<36} {score:>14}")

    def _last_own(self) -> int:
        """Number of the person's last decision; -1 if there is none."""
        own = [ply for ply, seat in enumerate(self._movers) if seat == self.seat]
        return own[-1] if own else -1

    def _undo(self, view: View, _: str) -> None:
        if self._last_own() >= 0:
            raise TakeBackError
        echo("There is no decision of yours to take back.")

    def _rules(self, view: View, wanted: str) -> None:
        for line in rules_text(self.game.name, wanted, self._language):
            echo_folded(line)

    def _hint(self, view: View, spec: str) -> None:
        wanted = spec or strongest(self.game)
        try:
            agent = make(wanted, self.game)
            history = self._history(view.seat) if agent.needs_history else None
            asked = View(self.game, view.known, view.seat, view.seed, Detail.OWN, history)
            decision = agent.decide(asked)
        except GanglandError as error:
            echo(f"no hint: {printable(str(error))}")
            return
        best = decision.action
        words = self.say(view.describe(best))
        echo_folded(f"{printable(wanted)} would play {view.action_text(best)}: {words}")
        shares = decision.probabilities
        if shares is not None:
            for likely in np.argsort(-shares, kind="stable")[:SHOWN_CHANCES]:
                if shares[likely] > 0:
                    echo_folded(f"  {shares[likely]:>4.0%}  {view.action_text(int(likely))}")

    def _history(self, seat: int) -> History:
        start = self.game.new_state(self._seed, **self._options)
        return History.of(self.game, seat, start, self.recorder.actions)

    def _show_log(self, view: View, lines: str) -> None:
        if lines and not read_number(lines):
            echo(f"log {lines}: must be a number of lines, 1 or more")
            return
        for line in self.log[-int(lines) if lines else 0 :]:
            echo_folded(f"· {self.say(line)}")
        if not self.log:
            echo("Nothing has happened yet.")

    def _svg(self, view: View, name: str) -> None:
        if not name:
            echo("svg needs the name of a file, such as: svg table.svg")
            return
        last = self.log[-1] if self.log else ""
        picture = self.game.svg(view.known, view.seat, view.legal_actions, last)
        try:
            Path(name).write_text(picture, encoding="utf-8")
        except (OSError, ValueError) as error:  # a name with a zero is no path
            echo(f"{name}: {getattr(error, 'strerror', None) or error}")
            return
        echo(f"written to {name}")
