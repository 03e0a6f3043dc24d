"""Remote bots: an engine process (``cmd:COMMAND``) or a web address (``http://...``).

Both are sent what the deciding seat may know, as ``View.to_dict`` writes it, its legal actions, and
the seed of the decision, so a bot of this package plays the same games remotely as in this process.
On request they are sent the observation, the action mask and the game so far as well. An engine
speaks the line protocol of ``docs/engine.md``; a web address is a stateless bot endpoint as in
``docs/serving.md``. Answers are checked: an illegal one is an error, never replaced by another
action.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.errors import GanglandError, MissingDependencyError
from ...envs.core.game import Game
from ...envs.core.presentation.foreign_text import read_number
from ...envs.core.view import View, ViewBatch
from ..base import OutsideAgent
from ..decision import Decisions, require_legal

ENGINE_PROTOCOL = "gangland-engine/1"
START_SECONDS = 300.0
"""Time limit of an engine's first answer: it may have to compile rules or load a network."""
ANSWER_SECONDS = 300.0
"""Time limit of each later answer."""
MOST_LINES = 1000
"""Lines of an engine that wait to be read; it has to wait itself then."""
LONGEST_LINE = 65_536
"""Most characters of one of its lines."""
CONNECTIONS = 8
"""Maximum number of concurrent requests to a web address."""
LAST_WORDS_SECONDS = 2.0
"""Time that an engine which closed its output has to end, and then to say why."""
PIPELINED = 64
"""Maximum number of positions sent to an engine before its answers are read."""
HTTP_OK = 200
OBSERVATION = "observation"
"""What a bot says that wants the observation and the mask of every position."""
HISTORY = "history"
"""What one says that wants the game so far."""


class RemoteAgentError(GanglandError, RuntimeError):
    """A remote bot cannot be reached, fails, or gives an invalid answer."""


class EngineRefusalError(RemoteAgentError):
    """An engine has answered a command with ``error``."""


def wanted(words: str, spec: str) -> frozenset[str]:
    """What a bot elsewhere wants besides the position.

    Args:
        words: :data:`OBSERVATION` and :data:`HISTORY`, either or none, with a comma or a space
            between them.
        spec: The bot, for the error.

    Raises:
        RemoteAgentError: If it wants anything else.
    """
    wants = frozenset(words.replace(",", " ").split())
    if other := sorted(wants - {OBSERVATION, HISTORY}):
        raise RemoteAgentError(
            f"{spec}: wants {', '.join(map(repr, other))}; there are {OBSERVATION!r}, {HISTORY!r}"
        )
    return wants


def position(view: View, wants: Collection[str]) -> dict[str, Any]:
    """A position as a bot elsewhere is sent it, JSON-able.

    Args:
        view: Of the seat that decides.
        wants: What the bot wants besides; see :func:`wanted`.

    Returns:
        ``View.to_dict``'s dictionary; ``legal``, a list of ``{"id", "notation"}``; with
        :data:`OBSERVATION`, ``observation``, a list of ``observation_size`` numbers, and
        ``action_mask``, a list of ``num_actions`` zeros and ones; and with :data:`HISTORY`,
        ``history``, a list of ``{"action", "sentences"}``: the seat's own action, or ``None``, and
        what happened.

    Raises:
        NoHistoryError: If the history is wanted, and nobody has taken note of it.
    """
    legal = [{"id": action, "notation": view.action_text(action)} for action in view.legal_actions]
    message = {**view.to_dict(), "legal": legal}
    if OBSERVATION in wants:
        message["observation"] = view.observation.tolist()
        message["action_mask"] = view.action_mask.astype(int).tolist()
    if HISTORY in wants:
        past = view.history
        message["history"] = [
            {"action": action, "sentences": list(sentences)}
            for action, sentences in zip(past.actions, past.sentences, strict=True)
        ]
    return message


class EngineClient:
    """An engine process and the conversation with it; usable from several threads.

    Args:
        command: Program and arguments; started without a shell.
        start_seconds: Time for the answer to the first line.
        answer_seconds: Time for each later answer.

    Raises:
        RemoteAgentError: If the program cannot be started, or speaks another protocol.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        start_seconds: float = START_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.command = shlex.join(command)
        self._answer_seconds = answer_seconds
        self._lock = threading.RLock()
        self._owner = os.getpid()
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, ValueError) as error:
            raise RemoteAgentError(f"cmd:{self.command}: cannot be started: {error}") from error
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._complaints: deque[str] = deque(maxlen=10)
        # The threads hold no reference to this object, so that it can be collected.
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        _start(_read_lines, self._process.stdout, self._lines)
        self._listener = _start(_read_complaints, self._process.stderr, self._complaints)
        self.close = weakref.finalize(self, _end, self._process)
        self.facts = self._hello(start_seconds)

    @property
    def wants(self) -> frozenset[str]:
        """What the engine wants besides the position; see :func:`wanted`."""
        return wanted(self.facts.get("wants", ""), f"cmd:{self.command}")

    def ask(self, *lines: str) -> list[str]:
        """Send commands, then read the last line of the answer to each.

        Args:
            *lines: Commands of the protocol, each answered by ``... ok``, ``bestmove`` or another
                closing line.

        Returns:
            The closing line of each answer.

        Raises:
            EngineRefusalError: If the engine answers with ``error``.
            RemoteAgentError: If it answers too late or not at all; or in a fork of the process that
                started it, whose answers it would get.
        """
        if os.getpid() != self._owner:
            raise RemoteAgentError(
                f"cmd:{self.command}: was started by process {self._owner}: make the agent again "
                "in this one, or start it by spawn"
            )
        with self._lock:
            self._send(lines)
            answers = [self._read(self._answer_seconds) for _ in lines]
        for answer in answers:
            if answer.startswith("error"):
                raise EngineRefusalError(
                    f"cmd:{self.command}: {answer.removeprefix('error').strip()}"
                )
        return answers

    def _hello(self, seconds: float) -> dict[str, str]:
        """Greet the engine; returns what it says about itself, by keyword."""
        facts: dict[str, str] = {}
        end = time.monotonic() + seconds
        with self._lock:
            self._send(["hello"])
            while True:
                line = self._line(seconds, end)
                word, _, rest = line.partition(" ")
                if word == "id":
                    key, _, value = rest.partition(" ")
                    facts[key] = value
                elif line.startswith("error"):
                    raise RemoteAgentError(f"cmd:{self.command}: {rest}")
                elif line.startswith("hello ok"):
                    break
        if line.split()[-1] != ENGINE_PROTOCOL:
            raise RemoteAgentError(
                f"cmd:{self.command}: speaks {line.split()[-1]}, this package {ENGINE_PROTOCOL}"
            )
        return facts

    def _send(self, lines: Sequence[str]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines))
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._gone() from error

    def _read(self, seconds: float) -> str:
        """The next line that closes an answer."""
        end = time.monotonic() + seconds
        while True:
            line = self._line(seconds, end)
            if line and line.split(maxsplit=1)[0] not in ("info", "id", "option"):
                return line

    def _line(self, seconds: float, end: float) -> str:
        """The next line, if there is one within ``seconds``, which end at ``end``."""
        try:
            line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            # What it says later would be taken for the answer to something else.
            self.close()
            raise RemoteAgentError(f"cmd:{self.command}: no answer within {seconds:g} s") from None
        if line is None:
            self._lines.put(None)
            raise self._gone()
        if len(line) > LONGEST_LINE:
            self.close()
            raise RemoteAgentError(
                f"cmd:{self.command}: sent a line of more than {LONGEST_LINE:,} characters"
            )
        return line.strip()

    def _gone(self) -> RemoteAgentError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_WORDS_SECONDS)
        # Its last output may still be in the pipe when it has ended.
        self._listener.join(LAST_WORDS_SECONDS)
        words = "; ".join(self._complaints)
        code = self._process.returncode
        return RemoteAgentError(
            f"cmd:{self.command}: ended with exit code {code}" + (f": {words}" if words else "")
        )


def _start(read: Callable[..., None], stream: IO[str], found: object) -> threading.Thread:
    """Start a thread that reads all of ``stream`` into ``found``."""
    thread = threading.Thread(target=read, args=(stream, found), daemon=True)
    thread.start()
    return thread


def _read_lines(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE + 1):
            lines.put(line)
            if len(line) > LONGEST_LINE:
                break
    lines.put(None)


def _read_complaints(stream: IO[str], complaints: deque[str]) -> None:
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            if line.strip():
                complaints.append(line.strip())


def _end(process: subprocess.Popen[str]) -> None:
    """Ask the process to quit, and kill it if it does not."""
    with contextlib.suppress(OSError, ValueError):
        assert process.stdin is not None
        process.stdin.write("quit\n")
        process.stdin.close()
    try:
        process.wait(2.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class EngineAgent(OutsideAgent):
    """Plays what an engine process answers.

    Args:
        game: The game.
        command: The command line, split as a shell would split it.

    Raises:
        RemoteAgentError: If the engine cannot be started or plays another game or other rules.
    """

    def __init__(self, game: Game, command: str) -> None:
        self.game, self.argument = game, command
        self.spec = f"cmd:{command}"
        try:
            words = shlex.split(command, posix=os.name != "nt")
        except ValueError as error:
            raise RemoteAgentError(f"{self.spec}: {error}") from error
        if not words:
            raise RemoteAgentError("cmd: needs a command, as cmd:gangland engine --game chicago")
        self._engine = EngineClient(words)
        needed = f"{game.name} {game.rules_version}"
        plays = self._engine.facts.get("game", "nothing")
        if plays != needed:
            self._engine.close()
            raise RemoteAgentError(f"{self.spec}: plays {plays}, must play {needed}")
        self._wants = self._engine.wants
        self.needs_history = HISTORY in self._wants

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """The engine's decisions; many positions are under way at a time."""
        found: list[int] = []
        for first in range(0, len(views), PIPELINED):
            last = min(first + PIPELINED, len(views))
            part = [views[k] for k in range(first, last)]
            found += self._ask(part, views.masks[first:last])
        return Decisions(np.array(found, np.int64))

    def _ask(self, views: Sequence[View], masks: NDArray[np.bool_]) -> list[int]:
        lines = [line for view in views for line in commands_for(view, self._wants)]
        answers = self._engine.ask(*lines)[1::2]
        actions = [self._number(answer) for answer in answers]
        require_legal(self.game, self.spec, masks, np.array(actions, np.int64))
        return actions

    def _number(self, answer: str) -> int:
        words = answer.split()
        number = read_number(words[1]) if len(words) > 1 and words[0] == "bestmove" else None
        if number is None:
            raise RemoteAgentError(
                f"{self.spec}: answered {answer[:200]!r}, must be 'bestmove NUMBER'"
            )
        return number


def commands_for(view: View, wants: Collection[str]) -> tuple[str, str]:
    """What an engine is sent so that it decides; see :func:`position`."""
    written = json.dumps(position(view, wants), separators=(",", ":"))
    return f"position state {written}", f"go seed {int(view.seed)}"


class HttpAgent(OutsideAgent):
    """Plays what a stateless bot endpoint answers.

    Args:
        game: The game.
        url: The endpoint, ``http://host:8000/api/v1/bots/chicago?bot=heuristic`` for example. With
            ``#observation``, ``#history`` or ``#observation,history`` at the end it is sent more.
        seconds: Time for each answer.

    Raises:
        MissingDependencyError: Without the package ``httpx``.
    """

    def __init__(self, game: Game, url: str, *, seconds: float = ANSWER_SECONDS) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingDependencyError(
                f"{url}: bots at web addresses need httpx: pip install 'gangland[remote]'"
            ) from error
        self.game, self.argument = game, url
        self.spec = url
        try:
            self._url = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise RemoteAgentError(f"{url}: {error}") from error
        if not self._url.host:
            raise RemoteAgentError(f"{url}: must be a web address, as http://HOST:PORT/PATH")
        self._wants = wanted(self._url.fragment, self.spec)
        self.needs_history = HISTORY in self._wants
        self._errors: type[Exception] = httpx.HTTPError
        self._client = httpx.Client(timeout=httpx.Timeout(seconds, connect=10.0))
        self._threads = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="http-agent")

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """The endpoint's decisions; several requests are under way at a time."""
        found = self._threads.map(self._ask, [views[k] for k in range(len(views))])
        actions = np.array(list(found), np.int64)
        require_legal(self.game, self.spec, views.masks, actions)
        return Decisions(actions)

    def _ask(self, view: View) -> int:
        state = position(view, self._wants)
        body = {"state": state, "seed": int(view.seed), "explain": False}
        try:
            response = self._client.post(self._url, json=body)
            reply: Any = response.json()
        except self._errors as error:
            raise RemoteAgentError(f"{self.spec}: {error or type(error).__name__}") from error
        except ValueError as error:
            raise RemoteAgentError(
                f"{self.spec}: status {response.status_code}, and no JSON"
            ) from error
        if response.status_code != HTTP_OK:
            message = reply.get("message", "") if isinstance(reply, dict) else ""
            raise RemoteAgentError(f"{self.spec}: status {response.status_code} {message}".strip())
        action = reply.get("action") if isinstance(reply, dict) else None
        if type(action) is not int:
            raise RemoteAgentError(f"{self.spec}: answered action={action!r}, must be an integer")
        return action
