"""Language models as players: ``llm:http://localhost:11434/v1?model=NAME``.

The model is asked over the OpenAI-compatible chat protocol (``POST URL/chat/completions``), which
most servers of language models speak. It is shown the table as its seat sees it, as text, and its
legal actions with numbers. An answer that names no legal action is returned to it with the reason;
after some attempts another player decides instead, which is counted, logged and written into the
transcript. Every request stands alone, and says what has happened since the seat's last decision.

The key of the service, if it needs one, is read from the environment variable
``GANGLAND_LLM_KEY``: specs are shown to others.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...envs.core.errors import GanglandError, MissingDependencyError
from ...envs.core.game import Game
from ...envs.core.view import View, ViewBatch
from ..base import Agent, OutsideAgent
from ..baseline.heuristic import has_heuristic, make_heuristic
from ..baseline.random import RandomAgent
from ..decision import Decisions
from .remote import HTTP_OK, RemoteAgentError

KEY_VARIABLE = "GANGLAND_LLM_KEY"
"""Environment variable of the service's key."""
KEPT = 1000
"""Decisions of which an agent keeps the transcript in memory."""
PAUSE_SECONDS = 1.0
"""Pause before a busy service is asked again; doubled each time."""
BUSY = (408, 429, 500, 502, 503, 504, 529)
"""Statuses after which a service is asked again."""
LONGEST_ANSWER = 100_000
"""Characters of an answer that are read."""

log = logging.getLogger(__name__)


class Settings(BaseModel):
    """Settings of a spec, after its question mark.

    Attributes:
        model: The model's name, as its service knows it.
        temperature: Sampling temperature; sent only if given, as some services refuse it.
        max_tokens: Maximum number of tokens in an answer; sent only if given.
        attempts: Number of times the model is asked for one decision before the fallback plays.
        fallback: Who decides after that: ``random``, ``heuristic`` or nobody (``error``).
        requests: Maximum number of concurrent requests.
        seconds: Time limit for each answer.
        price_in: Price of a million prompt tokens, in any currency.
        price_out: Price of a million completion tokens.
        transcript: File to which every decision is appended as a line of JSON.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    model: str = Field(min_length=1)
    temperature: float | None = Field(None, ge=0.0)
    max_tokens: int | None = Field(None, ge=1)
    attempts: int = Field(3, ge=1, le=20)
    fallback: Literal["random", "heuristic", "error"] = "random"
    requests: int = Field(4, ge=1, le=64)
    seconds: float = Field(120.0, gt=0.0)
    price_in: float = Field(0.0, ge=0.0)
    price_out: float = Field(0.0, ge=0.0)
    transcript: Path | None = None


@dataclass
class Usage:
    """What an agent has used so far.

    Attributes:
        decisions: Decisions made, including those of the fallback.
        questions: Requests to the model.
        illegal: Answers that named no legal action.
        fallbacks: Decisions that the fallback made.
        tokens_in: Prompt tokens, as counted by the service.
        tokens_out: Completion tokens, as counted by the service.
    """

    decisions: int = 0
    questions: int = 0
    illegal: int = 0
    fallbacks: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, other: Usage) -> None:
        """Add what one decision took."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


class LlmAgent(OutsideAgent):
    """Plays what a language model answers.

    Attributes:
        settings: The spec's settings.
        usage: What it has used so far.
        transcript: The last :data:`KEPT` decisions: what was asked, answered and played.

    Args:
        game: The game.
        argument: The spec after ``llm:``: ``URL?model=NAME``, then more settings after ``&``; see
            :class:`Settings`.

    Raises:
        MissingDependencyError: Without the package ``httpx``.
        RemoteAgentError: If the spec is not of this form.
    """

    needs_history = True

    def __init__(self, game: Game, argument: str) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingDependencyError(
                f"llm:{argument}: language models need httpx: pip install 'gangland[remote]'"
            ) from error
        self.game, self.argument = game, argument
        self.spec = f"llm:{argument}"
        address, _, query = argument.partition("?")
        self.settings = self._settings(query)
        try:
            url = httpx.URL(address)
        except httpx.InvalidURL as error:
            raise RemoteAgentError(f"{self.spec}: {error}") from error
        if url.scheme not in ("http", "https") or not url.host:
            raise RemoteAgentError(f"{self.spec}: must be llm:http://HOST:PORT/v1?model=NAME")
        self._url = f"{str(url).rstrip('/')}/chat/completions"
        key = os.environ.get(KEY_VARIABLE)
        self._client = httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(self.settings.seconds, connect=10.0),
        )
        self._errors: type[Exception] = httpx.HTTPError
        self._threads = ThreadPoolExecutor(self.settings.requests, thread_name_prefix="llm")
        self._fallback = self._make_fallback()
        self._lock = threading.Lock()
        self.usage = Usage()
        self.transcript: deque[dict[str, Any]] = deque(maxlen=KEPT)

    def _settings(self, query: str) -> Settings:
        pairs = parse_qsl(query, keep_blank_values=True)
        given = dict(pairs)
        if len(given) < len(pairs):
            raise RemoteAgentError(f"{self.spec}: a setting is given twice")
        try:
            return Settings.model_validate(given)
        except ValidationError as error:
            known = ", ".join(Settings.model_fields)
            details = error.errors(include_url=False)
            wrong = "; ".join(f"{detail['loc'][0]}: {detail['msg']}" for detail in details)
            raise RemoteAgentError(f"{self.spec}: {wrong} (settings: {known})") from error

    def _make_fallback(self) -> Agent | None:
        if self.settings.fallback == "error":
            return None
        if self.settings.fallback == "heuristic" and has_heuristic(self.game):
            return make_heuristic("heuristic", self.game)
        return RandomAgent(self.game)

    @property
    def cost(self) -> float:
        """Price of all questions and answers so far, by the spec's prices."""
        spent = self.usage.tokens_in * self.settings.price_in
        return (spent + self.usage.tokens_out * self.settings.price_out) / 1e6

    def report(self) -> str:
        """Decisions, fallbacks, tokens and cost so far."""
        use = self.usage
        words = [
            f"{use.decisions} decisions, {use.fallbacks} of them by {self.settings.fallback}",
            f"{use.questions} questions, {use.illegal} answers without a legal action",
            f"{use.tokens_in:,} tokens in, {use.tokens_out:,} out",
        ]
        if self.settings.price_in or self.settings.price_out:
            words.append(f"cost {self.cost:.4f}")
        return "; ".join(words)

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """The model's decisions, with several requests at the same time.

        Raises:
            RemoteAgentError: If the service cannot be reached or refuses, or without a fallback,
                if the model finds no legal action.
        """
        found = self._threads.map(self._decide, [views[k] for k in range(len(views))])
        return Decisions(np.array(list(found), np.int64))

    def _decide(self, view: View) -> int:
        messages = question(self.game, view)
        use = Usage(decisions=1)
        action: int | None = None
        try:
            for _ in range(self.settings.attempts):
                answer = self._ask(messages, use)
                messages.append({"role": "assistant", "content": answer})
                action = chosen_action(view, answer)
                if action is not None:
                    break
                use.illegal += 1
                messages.append({"role": "user", "content": correction(view)})
            if action is None:
                action = self._fall_back(view, use)
        finally:
            self._keep(view, messages, action, use)
        return action

    def _fall_back(self, view: View, use: Usage) -> int:
        said = f"{self.spec}: no legal action in {self.settings.attempts} answers"
        if self._fallback is None:
            raise RemoteAgentError(said)
        use.fallbacks = 1
        log.warning("%s; %s decides", said, self._fallback.spec or self.settings.fallback)
        return self._fallback.decide(view).action

    def _keep(
        self, view: View, messages: list[dict[str, str]], action: int | None, use: Usage
    ) -> None:
        entry = {
            "time": time.time(),
            "game": self.game.name,
            "model": self.settings.model,
            "seat": view.seat,
            "ply": int(view.known.ply),
            "messages": messages,
            "action": action,
            "notation": None if action is None else view.action_text(action),
            **asdict(use),
        }
        with self._lock:
            self.usage.add(use)
            self.transcript.append(entry)
            if self.settings.transcript is not None:
                with self.settings.transcript.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(entry) + "\n")

    def _ask(self, messages: Sequence[dict[str, str]], use: Usage) -> str:
        """One answer; requests to a busy service are repeated."""
        body: dict[str, Any] = {"model": self.settings.model, "messages": list(messages)}
        for name in ("temperature", "max_tokens"):
            if (value := getattr(self.settings, name)) is not None:
                body[name] = value
        pause = PAUSE_SECONDS
        for left in reversed(range(self.settings.attempts)):
            use.questions += 1
            try:
                response = self._client.post(self._url, json=body)
            except self._errors as error:
                raise RemoteAgentError(f"{self.spec}: {error or type(error).__name__}") from error
            if response.status_code not in BUSY or not left:
                break
            time.sleep(pause)
            pause *= 2
        if response.status_code != HTTP_OK:
            raise RemoteAgentError(
                f"{self.spec}: status {response.status_code} {response.text[:200]}".strip()
            )
        return self._read(response, use)

    def _read(self, response: Any, use: Usage) -> str:
        try:
            reply = response.json()
            answer = reply["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError) as error:
            raise RemoteAgentError(
                f"{self.spec}: answered {response.text[:200]!r}, must be a chat completion"
            ) from error
        counted = reply.get("usage") or {}
        use.tokens_in += _count(counted, "prompt_tokens")
        use.tokens_out += _count(counted, "completion_tokens")
        return answer[:LONGEST_ANSWER] if isinstance(answer, str) else ""


def _count(usage: Any, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and value > 0 else 0


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S)
_ANSWER = re.compile(r"^\W*action\s*[:=](.*)$", re.I | re.M)


def plain_table(view: View) -> str:
    """The table as its seat sees it, as text without colours."""
    return _COLOURS.sub("", view.text())


def question(game: Game, view: View) -> list[dict[str, str]]:
    """The messages that ask for a decision: events, table, legal actions by number."""
    seat = game.seat_name(view.known, view.seat)
    system = (
        f"You play the board game {game.title}. You are {seat} (seat {view.seat}). You are shown "
        "the table as you see it, and the actions that you may take. Choose the one that is most "
        "likely to win you the game. End your answer with a line of the form\nACTION: NUMBER"
    )
    lines = [
        f"{number}. {view.action_text(action)} - {view.describe(action)}"
        for number, action in enumerate(view.legal_actions, 1)
    ]
    events = view.history.since_own() if view.has_history else []
    before = ["Since your last decision:", *events, ""] if events else []
    user = "\n".join([*before, "The table:", plain_table(view), "", f"{seat} may:", *lines])
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def correction(view: View) -> str:
    """The reply to an answer that names no legal action."""
    return (
        "That is none of your actions. Answer with a line ACTION: NUMBER, with a number from 1 "
        f"to {len(view.legal_actions)} from the list."
    )


def chosen_action(view: View, answer: str) -> int | None:
    """The legal action that an answer names, by its number in the list or its notation.

    The last line ``ACTION: ...`` counts; without one, the whole answer must be a number or a
    notation. Text between ``<think>`` tags is ignored.

    Returns:
        The action; ``None`` if the answer names none.
    """
    text = _THOUGHT.sub("", answer).strip()
    named = _ANSWER.findall(text)
    wanted = (named[-1] if named else text).strip().strip("*`'\"[]() .")
    legal = view.legal_actions
    number = re.fullmatch(r"#?(\d{1,6})[.:)]?", wanted)
    if number is None:
        with contextlib.suppress(GanglandError):
            return view.game.parse_action(view.known, wanted)
        # A number with the words of the list behind it.
        number = re.match(r"#?(\d{1,6})[.:)]?\s", wanted) if named else None
    place = int(number[1]) if number else 0
    return legal[place - 1] if 1 <= place <= len(legal) else None
