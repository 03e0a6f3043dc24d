"""Does a bot keep the rules that every table relies on? What differs is said in words.

For all bots: each decision is legal, and depends on what its seat may know and on the seed alone.
For engines (``cmd:``), the line protocol besides, bad input included.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ...envs.core.history import Memory
from ...envs.core.integers import MAX_SEED
from ...envs.core.view import Detail, View, ViewBatch
from ..base import Agent, decision_of
from ..decision import require_legal
from ..registry import divided, make
from .remote import EngineClient, EngineRefusalError, RemoteAgentError, commands_for

SECONDS = 10.0
"""Time for an answer."""
END_SECONDS = 60.0
"""Time to start, greet and end."""
FEW = 8
"""Positions of a check that asks for the same ones again."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, and how it went.

    Attributes:
        name: What a bot has to do.
        fault: What it did instead; empty if it did it.
    """

    name: str
    fault: str = ""


def check_bot(spec: str, game: Game, views: list[View]) -> Iterator[Check]:
    """Check a bot, yielding each check as it is over.

    Args:
        spec: The bot.
        game: The game.
        views: Positions to ask for, of the seats that decide; see :func:`positions`.

    Raises:
        GanglandError: If there is no such bot.
    """
    kind, argument = divided(spec)
    agent = make(spec, game)
    yield _checked("decides legally", lambda: _decide_each(agent, views))
    few = views[:: max(1, len(views) // FEW)]
    yield _checked("decides alike when asked again", lambda: _same(agent, few, few))
    yield _checked(
        "keeps no memory of its own: decides alike in another order",
        lambda: _same(agent, few, few[::-1]),
    )
    yield _checked("decides alike for many tables at once", lambda: _same_at_once(agent, few))
    first = few[0]
    largest = [View(game, first.known, first.seat, MAX_SEED, first.detail, first.history)]
    yield _checked("takes the largest seed", lambda: _decide_each(agent, largest))
    if kind == "cmd":
        yield from check_engine(shlex.split(argument), few)


def check_engine(command: list[str], views: list[View]) -> Iterator[Check]:
    """Check the line protocol of an engine; see ``docs/engine.md``.

    Args:
        command: Program and arguments.
        views: Positions to ask for.
    """
    yield _checked("answers several commands that come at once", lambda: _at_once(command, views))
    for what, line in (
        ("a command that it does not know", "gangland-check"),
        ("a position that is not JSON", "position state {"),
        ("a position without a game", "position state {}"),
    ):
        refused = partial(_refused, command, views[0], line)
        yield _checked(f"refuses {what}, and goes on", refused)
    yield _checked("ends on quit", lambda: _ends(command, "hello\nquit\n"))
    yield _checked("ends when its input does", lambda: _ends(command, "hello\n"))


def positions(game: Game, games: int, seed: int, **options: object) -> list[View]:
    """Views of the deciding seats throughout games that are played at random.

    Args:
        game: The game.
        games: How many.
        seed: Seed of the games, of their decisions and of the views.
        **options: The game's options.
    """
    rng = np.random.default_rng(seed)
    found = []
    for number in range(games):
        state = game.new_state(seed + number, **options)
        memories = [Memory(game, seat, state) for seat in range(game.num_seats(state))]
        while not game.is_over(state):
            seat = game.seat_to_act(state)
            bits = int(rng.integers(MAX_SEED, dtype=np.uint64))
            found.append(game.view(state, seat, bits, Detail.OWN, memories[seat].history))
            action = int(rng.choice(game.legal_actions(state)))
            game.apply(state, action)
            for memory in memories:
                memory.see(seat, action, state)
    return found


class _FaultError(Exception):
    """What a bot did that it must not."""


def _checked(name: str, look: Callable[[], object]) -> Check:
    """A check: what ``look`` raises is the fault."""
    try:
        look()
    except (_FaultError, GanglandError) as fault:
        return Check(name, str(fault))
    except Exception as error:  # a bot may fail in any way
        return Check(name, f"{type(error).__name__}: {error}")
    return Check(name)


def _decide(agent: Agent, view: View) -> int:
    # What the bot is shown it may write over; what is legal is asked of the rules.
    shown = View(view.game, view.known.copy(), view.seat, view.seed, view.detail, view.history)
    action = decision_of(agent, shown).action
    mask = view.action_mask[None]
    require_legal(view.game, agent.spec, mask, np.array([action], np.int64))
    return int(action)


def _decide_each(agent: Agent, views: list[View]) -> None:
    for view in views:
        try:
            _decide(agent, view)
        except Exception as error:
            raise _FaultError(f"{_where(view)}: {error}") from error


def _same(agent: Agent, views: list[View], again: list[View]) -> None:
    before = {id(view): _decide(agent, view) for view in views}
    for view in again:
        action = _decide(agent, view)
        if action != before[id(view)]:
            raise _FaultError(
                f"{_where(view)}: {before[id(view)]}, then {action} with the same seed"
            )


def _same_at_once(agent: Agent, views: list[View]) -> None:
    actions = agent.decide_batch(ViewBatch.of(views)).actions
    for view, action in zip(views, actions.tolist(), strict=True):
        alone = _decide(agent, view)
        if action != alone:
            raise _FaultError(
                f"{_where(view)}: {action} among {len(views)} positions, alone {alone}"
            )


def _where(view: View) -> str:
    return f"at decision {int(view.known.ply)}, seat {view.seat}, seed {view.seed}"


def _engine(command: list[str]) -> EngineClient:
    return EngineClient(command, answer_seconds=SECONDS)


def _best_move(engine: EngineClient, view: View) -> str:
    return engine.ask(*commands_for(view, engine.wants))[-1]


def _at_once(command: list[str], views: list[View]) -> None:
    engine = _engine(command)
    alone = [_best_move(engine, view) for view in views]
    lines = [line for view in views for line in commands_for(view, engine.wants)]
    together = engine.ask(*lines)[1::2]
    engine.close()
    if alone != together:
        raise _FaultError(f"{together} in place of {alone}")


def _refused(command: list[str], view: View, line: str) -> None:
    """Bad input gets ``error``, and the position from before is still the one to decide in."""
    engine = _engine(command)
    before = _best_move(engine, view)
    try:
        (answer,) = engine.ask(line)
    except EngineRefusalError:
        pass
    except RemoteAgentError as error:
        raise _FaultError(f"{line!r}: must be answered by 'error ...': {error}") from error
    else:
        raise _FaultError(f"{line!r}: answered {answer!r}, must be 'error ...'")
    (after,) = engine.ask(f"go seed {int(view.seed)}")
    engine.close()
    if after != before:
        raise _FaultError(f"{line!r}: must change nothing, but {before!r} has become {after!r}")


def _ends(command: list[str], said: str) -> None:
    """The program ends with exit code 0, soon, and has said nothing after its greeting."""
    try:
        done = subprocess.run(
            command, input=said, capture_output=True, text=True, timeout=END_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise _FaultError(f"still runs after {END_SECONDS:g} s") from None
    if done.returncode:
        raise _FaultError(f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    _, _, rest = done.stdout.partition("hello ok")
    if len(rest.splitlines()) > 1:
        raise _FaultError(f"said {rest.splitlines()[1]!r} without being asked")
