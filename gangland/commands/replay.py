"""``gangland replay``: step through recorded games, check or animate them."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared.common import Finite, OutputFile, check_language, language_option, written
from .shared.terminal import echo, echo_folded, message

if TYPE_CHECKING:
    from ..envs.core.game import Game
    from ..envs.core.replay import Replay
    from ..envs.core.state import State

HELP = (
    "n or Enter: next   b: back   NUMBER: jump there   s: start   e: end   t: table again   q: quit"
)


SECONDS, END_SECONDS = 0.5, 3.0
"""How long a frame of an animation is shown, and its last one at least."""
FRAMES, WIDTH = 200, 720
"""Frames that an animation has at most unless it is asked for more, and their width in pixels."""


@click.command(name="replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--game", "number", type=int, help="Number of the game in the file, from 1. [default: 1]"
)
@click.option(
    "--seat",
    default="open",
    show_default=True,
    help="Seat whose view is shown, or open to show everything.",
)
@click.option(
    "--auto",
    type=Finite(0, 86_400),
    help="Advance automatically, waiting this many seconds at each step; also of an animation.  "
    f"[default for --gif: {SECONDS}]",
)
@language_option
@click.option(
    "--verify",
    is_flag=True,
    help="Only check that the games are genuine: all, or the one of --game.",
)
@click.option("--gif", type=OutputFile(), help="Only write the game as an animation, OUT.gif.")
@click.option(
    "--every",
    type=click.IntRange(1, 100_000),
    help="Decisions between two frames of the animation.  "
    f"[default: as many as make {FRAMES} frames at most]",
)
def command(
    file: Path,
    number: int | None,
    seat: str,
    auto: float | None,
    language: str,
    verify: bool,
    gif: Path | None,
    every: int | None,
) -> None:
    """Step through a recorded game of FILE, which holds one replay per line.

    With --verify, replays the games and compares their hash chains; exits with code 1 if one is not
    genuine. With --gif, writes an animation of the game's pictures.
    """
    _check_animation(gif, every, verify)
    from ..envs.core.replay import read_replays

    replays = read_replays(file)
    if number is not None and not 1 <= number <= len(replays):
        raise click.BadParameter(f"{number} must be 1..{len(replays)}", param_hint="--game")
    if verify:
        chosen = range(len(replays)) if number is None else [number - 1]
        _verify(file, {k + 1: replays[k] for k in chosen})
        return
    which = number or 1
    viewer = _Viewer(replays[which - 1], seat, language)
    echo(f"game {which} of {len(replays)} in {file}")
    if gif is None:
        viewer.run(auto)
    else:
        viewer.save_gif(gif, every, SECONDS if auto is None else auto)


def _check_animation(gif: Path | None, every: int | None, verify: bool) -> None:
    if gif is None and every is not None:
        raise click.UsageError("--every is of an animation: give --gif OUT.gif, too")
    if gif is not None and verify:
        raise click.UsageError("give either --verify or --gif")
    if gif is not None and gif.suffix.lower() != ".gif":
        raise click.BadParameter(f"{gif} must end in .gif", param_hint="--gif")


def _verify(file: Path, replays: dict[int, Replay]) -> None:
    from ..envs import load
    from ..envs.core.errors import GanglandError
    from .shared.saved_games import check_players

    bad = 0
    for number, replay in replays.items():
        game = load(replay.game)
        try:
            check_players(replay, game)
            replay.verify(game)
        except GanglandError as error:
            bad += 1
            echo(f"{file}, game {number}: not genuine: {message(str(error))}", err=True)
    if bad:
        echo(f"{bad} of {len(replays)} games not genuine", err=True)
        raise click.exceptions.Exit(1)
    echo(f"{len(replays)} {'game' if len(replays) == 1 else 'games'} genuine")


class _Viewer:
    """Walks along a game's positions; number ``k`` is the one after ``k`` decisions."""

    def __init__(self, replay: Replay, seat: str, language: str) -> None:
        from ..envs import load
        from ..envs.core.errors import GanglandError
        from ..serving.texts import translator
        from .shared.saved_games import check_players

        self.game: Game = load(replay.game)
        check_language(self.game, language)
        self.say = translator(self.game, language).translate
        self.replay = replay
        self.states: list[State] = []
        self.problem = ""
        replay.check_rules(self.game)
        check_players(replay, self.game)
        try:
            self.states.extend(replay.states(self.game))
            replay.verify(self.game)
        except GanglandError as error:
            self.problem = str(error)
        seats = self.game.num_players(self.game.options.resolve(replay.options))
        self.viewer = self._viewer(seat, seats)
        self.at = 0

    @staticmethod
    def _viewer(seat: str, seats: int) -> int | None:
        from ..envs.core.integers import shown
        from ..envs.core.presentation.foreign_text import read_number

        if seat.lower() == "open":
            return None
        number = read_number(seat)
        if number is not None and number < seats:
            return number
        raise click.BadParameter(
            f"{shown(seat)} must be 0..{seats - 1} or open", param_hint="--seat"
        )

    @property
    def last(self) -> int:
        """Number of the last position."""
        return len(self.states) - 1

    def run(self, auto: float | None) -> None:
        """Show the start, then go on by commands or by itself."""
        from ..envs.core.presentation.foreign_text import printable

        self._warn()
        options = ", ".join(f"{key}={value}" for key, value in self.replay.options.items())
        echo(f"{self.say(self.game.title)}: seed {self.replay.seed}, {options}")
        for seat, player in enumerate(self.replay.players):
            name = self.say(self.game.seat_name(self.states[0], seat))
            echo(f"  {seat} {name}: {printable(player)}")
        self._show()
        if auto is None:
            self._by_commands()
        else:
            self._by_itself(auto)

    def save_gif(self, path: Path, every: int | None, seconds: float) -> None:
        """Write an animation: the start, a frame after each ``every`` decisions, and the end.

        Raises:
            click.FileError: If the file cannot be written.
        """
        from ..envs.api.raster import save_gif
        from ..envs.api.viewer import picture

        self._warn()
        step = every or max(1, math.ceil(self.last / (FRAMES - 1)))
        shown = sorted({*range(0, self.last + 1, step), self.last})
        pictures = [picture(self.replay, self.states, k, self.viewer, self.say) for k in shown]
        times = [*[seconds] * (len(shown) - 1), max(seconds, END_SECONDS)]
        with written(path):
            save_gif(path, pictures, times, WIDTH)
        size = path.stat().st_size / 1e6
        echo(f"{path}: {len(shown)} of {len(self.states)} positions, {size:.1f} MB")

    def _warn(self) -> None:
        if self.problem:
            echo(f"warning: not genuine: {message(self.problem)}", err=True)

    def _by_itself(self, seconds: float) -> None:
        try:
            while self.at < self.last:
                time.sleep(seconds)
                self.at += 1
                self._show()
        except KeyboardInterrupt:
            echo()

    def _by_commands(self) -> None:
        echo(HELP)
        while True:
            try:
                line = input(f"{self.at}/{self.last}> ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                echo()
                return
            if line in ("q", "quit"):
                return
            self._command(line)

    def _command(self, line: str) -> None:
        from ..envs.core.integers import shown
        from ..envs.core.presentation.foreign_text import read_number

        targets = {
            **dict.fromkeys(("", "n", "next"), self.at + 1),
            **dict.fromkeys(("b", "back"), self.at - 1),
            **dict.fromkeys(("s", "start"), 0),
            **dict.fromkeys(("e", "end"), self.last),
            **dict.fromkeys(("t", "table"), self.at),
        }
        number = line.removeprefix("jump").removeprefix("j").strip()
        target = targets.get(line, read_number(number))
        if target is None:
            echo(f"{shown(line)} is not a command\n{HELP}")
        elif not 0 <= target <= self.last:
            edge = "start" if target < 0 else "end"
            echo(f"{edge} of the game; positions are 0 to {self.last}")
        else:
            self.at = target
            self._show()

    def _show(self) -> None:
        state = self.states[self.at]
        if self.at > 0:
            before, action = self.states[self.at - 1], self.replay.actions[self.at - 1]
            mover = self.game.seat_to_act(before)
            words = f"{self.at}/{self.last} {self.say(self.game.seat_name(before, mover))}"
            # Others' choices can be secret; what may be known of them is narrated.
            if self.viewer in (None, mover):
                words += f": {self.game.action_text(before, action)}"
            echo(f"\n{words}", bold=words)
            lines = self.game.narrate(before, action, state, self.viewer)
            earlier = self.states[: self.at]
            lines += self.game.recap_after(earlier, before, state, self.viewer)
            for line in lines:
                echo_folded(f"· {self.say(line)}")
        echo_folded(f"\n{self.game.text(state, self.viewer)}")
        if self.game.is_over(state):
            self._show_result()

    def _show_result(self) -> None:
        state = self.states[self.at]
        result = self.game.result(state)
        for seat in sorted(range(len(result.places)), key=lambda s: result.places[s]):
            name = self.say(self.game.seat_name(state, seat))
            score = self.say(self.game.score_text(result.scores[seat]))
            echo(f"{result.places[seat]:>3}. {name:<20} {score}")
