"""A client's place in a match: what it sees and can do; and the secret tokens of such places."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, Unpack
from urllib.parse import quote

from ..agents.trained.whole import whole_file
from ..serving.protocol import (
    Act,
    Coaching,
    CoachRequest,
    EndMatch,
    Frame,
    Hint,
    HintRequest,
    LegalAction,
    Phrase,
    Review,
    Say,
    SeatToken,
    View,
)
from ..serving.protocol import Leave as LeaveRequest
from .connection import LONGEST_WAIT, ClientError, Connection
from .live import Live


class SeatTokens:
    """Tokens by match and seat, kept in memory or in a file that only its owner may read.

    Args:
        path: The file, a JSON list; created by the first token. ``None`` keeps them in memory.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        self._tokens: list[SeatToken] = []
        if self.path is not None and self.path.exists():
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            self._tokens = [SeatToken.model_validate(one) for one in kept]

    def find(self, match: str, seat: int | None = None) -> SeatToken | None:
        """The token of one's seat in a match; by default that of the first one."""
        own = [kept for kept in self._tokens if kept.match == match and seat in (None, kept.seat)]
        return min(own, key=lambda kept: kept.seat, default=None)

    def keep(self, token: SeatToken) -> None:
        """Keep a token, replacing an older one of the same seat."""
        place = (token.match, token.seat)
        others = [kept for kept in self._tokens if (kept.match, kept.seat) != place]
        self._write([*others, token])

    def forget(self, match: str) -> None:
        """Forget all tokens of a match."""
        self._write([kept for kept in self._tokens if kept.match != match])

    def _write(self, tokens: list[SeatToken]) -> None:
        self._tokens = tokens
        if self.path is not None:
            text = json.dumps([token.model_dump(mode="json") for token in tokens], indent=1)
            with whole_file(self.path) as draft:
                draft.touch(mode=0o600)
                draft.write_text(text + "\n", encoding="utf-8")


class Wanted(TypedDict, total=False):
    """Contents of a view: the picture (by default), text, observation, redacted record."""

    svg: bool
    text: bool
    observation: bool
    state: bool


class Seat:
    """A seat of a match, or a spectator's place.

    Args:
        connection: The server.
        match: The match.
        token: The seat's token; ``None`` for a spectator.
        seat: The seat's number; ``None`` for a spectator.
        tokens: Where the token of a rematch is kept, if anywhere.
    """

    def __init__(
        self,
        connection: Connection,
        match: str,
        token: str | None = None,
        seat: int | None = None,
        tokens: SeatTokens | None = None,
    ) -> None:
        self.connection = connection
        self.match = match
        self.token = token
        self.seat = seat
        self.tokens = tokens
        self._path = f"/matches/{quote(match)}"

    def view(
        self,
        *,
        wait: float | None = None,
        after: int | None = None,
        since: int | None = None,
        **wanted: Unpack[Wanted],
    ) -> View:
        """What this seat sees.

        Args:
            wait: The longest time in seconds to wait until the seat is to decide, or with
                ``after`` for a change; at most 30.
            after: A version; wait for a later one.
            since: Number of the first event that is wanted.
            **wanted: Contents of the view.
        """
        query = {"wait": wait, "after": after, "since": since, **wanted}
        path = f"{self._path}/view"
        return self.connection.call(View, "GET", path, token=self.token, query=query)

    def act(
        self,
        decision: int,
        action: int | str,
        *,
        wait: float | None = None,
        since: int | None = None,
        **wanted: Unpack[Wanted],
    ) -> View:
        """Decide.

        Args:
            decision: The view's ``decision``.
            action: Number or notation of a legal action.
            wait: The longest time in seconds to wait for this seat's next decision.
            since: Number of the first event that is wanted.
            **wanted: Contents of the view.
        """
        body = Act(decision=decision, action=action)
        return self._post("actions", body, {"wait": wait, "since": since, **wanted})

    def play(
        self, choose: Callable[[View], LegalAction | int | str], **wanted: Unpack[Wanted]
    ) -> View:
        """Play to the end of the match, over HTTP.

        If the answer to an action is lost, the decision is asked for again unless the server has
        accepted the action.

        Args:
            choose: Called with each view in which this seat is to decide; returns the action.
            **wanted: Contents of the views; the picture is left out by default.

        Returns:
            The view of the finished match.
        """
        wanted = Wanted(**{"svg": False, **wanted})
        view = self.view(**wanted)
        while view.status not in ("finished", "expired"):
            if view.decision is None:
                view = self.view(wait=LONGEST_WAIT, since=view.next_event, **wanted)
                continue
            chosen = choose(view)
            action = chosen.id if isinstance(chosen, LegalAction) else chosen
            since = view.next_event
            try:
                view = self.act(view.decision, action, wait=LONGEST_WAIT, since=since, **wanted)
            except ClientError as error:
                if error.status:
                    raise
                # No answer came: the view asks for the decision again unless it was made.
                view = self.view(since=since, **wanted)
        return view

    def undo(self) -> View:
        """Go back to this seat's previous decision, in matches with one person."""
        return self._post("undo")

    def hint(self, bot: str | None = None) -> Hint:
        """A bot's advice on this seat's decision."""
        path, body = f"{self._path}/hint", HintRequest(bot=bot)
        return self.connection.call(Hint, "POST", path, body=body, token=self.token)

    def coach(self, decision: int | None = None, bot: str | None = None) -> Coaching:
        """What a bot thinks of a decision that this seat has made, by default the last one."""
        body = CoachRequest(decision=decision, bot=bot)
        path = f"{self._path}/coach"
        return self.connection.call(Coaching, "POST", path, body=body, token=self.token)

    def review(self) -> Review:
        """The finished match as the strongest bot sees it: chances, and the costly decisions."""
        return self.connection.call(Review, "GET", f"{self._path}/review", token=self.token)

    def leave(self, bot: str | None = None) -> View:
        """Hand the seat to a bot, by default the match's substitute."""
        return self._post("leave", LeaveRequest(bot=bot))

    def take_back(self) -> View:
        """Take the seat back from a bot."""
        return self._post("return")

    def concede(self) -> View:
        """Give the match up: it is lost, and a bot plays on."""
        return self._post("concede")

    def say(self, phrase: Phrase) -> View:
        """Say something to the others at the table, ``well_played`` for example."""
        return self._post("say", Say(phrase=phrase))

    def end(self, agree: bool = True) -> View:
        """Agree to end the match without a winner, or no longer do.

        It ends when all people who sit at the table have agreed.
        """
        return self._post("end", EndMatch(agree=agree))

    def rematch(self) -> Seat:
        """Ask for a rematch of the finished match, or sit down at the one that was asked for.

        Leaving the rematch before declines it.

        Returns:
            The same seat there; its token is kept.
        """
        path = f"{self._path}/rematch"
        taken = self.connection.call(SeatToken, "POST", path, token=self.token)
        if self.tokens is not None:
            self.tokens.keep(taken)
        return Seat(self.connection, taken.match, taken.token, taken.seat, self.tokens)

    def begin(self) -> View:
        """Begin a rematch without those who have not come."""
        return self._post("begin")

    def frame(self, n: int, viewer: int | None = None) -> Frame:
        """One position of the match, from 0; ``viewer`` once the match is finished."""
        path, query = f"{self._path}/frames/{n}", {"viewer": viewer}
        return self.connection.call(Frame, "GET", path, token=self.token, query=query)

    def live(self, **wanted: Unpack[Wanted]) -> Live:
        """The views as they come, over a WebSocket that connects again whenever it breaks.

        Args:
            **wanted: Contents of the views.

        Raises:
            MissingDependencyError: Without websockets.
        """
        return Live(f"{self.connection.base}{self._path}/ws", self.token, {**wanted})

    def _post(self, what: str, body: Any = None, query: dict[str, Any] | None = None) -> View:
        path = f"{self._path}/{what}"
        return self.connection.call(
            View, "POST", path, body=body or {}, token=self.token, query=query
        )
