"""What a client is shown and what it does: when a fault is due, and which checks fail."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from enum import Enum
from typing import Any

RETRY_AFTER = 1
"""Seconds that refused reads have to wait."""
RECONNECT = 30.0
"""Seconds within which a client must connect again; the clients of this package pause for 10."""
EARLY = 0.05
"""Seconds by which a timer may be early."""
TOLERATED = 1
"""Reads before ``Retry-After`` is over: one may have been sent together with the refused one."""
LENGTH = 200
"""Characters of a message that are repeated."""


class Fault(Enum):
    """What the server does to the client; the value is what happened, for people."""

    BUSY = f"a read was refused with 503 and Retry-After: {RETRY_AFTER}"
    LIMITED = f"a read was refused with 429 and Retry-After: {RETRY_AFTER}"
    UNKNOWN = "it was sent unknown_field, unknown_kind of an event or an unknown_message"
    CUT = "its WebSocket was cut"
    LOST = "its connection was cut before the answer to an action arrived"
    LATE = "the answer to an action came late"


@dataclass(slots=True, eq=False)
class Check:
    """What was looked at, and how it went.

    Attributes:
        name: What a client has to do.
        seen: Whether it came to that.
        fault: What the client did instead; empty if nothing is known against it.
    """

    name: str
    seen: bool = False
    fault: str = ""


class Observer:
    """The conduct of the client that holds one token.

    One fault is open at a time: from when it happens until the client goes on. A client that does
    not go on has failed the check of that fault.

    Attributes:
        match: The match; empty before there is one.
        token: The client's token.
        over: Set once the client was shown the end of the match.
        accepted: Number of the client's actions that the server accepted.
        refused: The last refusal of an action; empty without any.
    """

    def __init__(self) -> None:
        self.match = self.token = self.refused = ""
        self.over = asyncio.Event()
        self.accepted = 0
        self._plays = Check("plays the match to its end")
        self._legal = Check("sends legal actions, for decisions that it was shown")
        self._token = Check("keeps its token out of addresses")
        self._busy = Check("repeats a refused read, once Retry-After is over")
        self._unknown = Check("ignores fields, kinds of events and messages that it does not know")
        self._cut = Check("connects again when cut off, and asks for the events after its last")
        self._lost = Check("goes on when the answer to an action is lost")
        self._late = Check("goes on when the answer to an action is late")
        self._check_of = {
            Fault.BUSY: self._busy,
            Fault.LIMITED: self._busy,
            Fault.UNKNOWN: self._unknown,
            Fault.CUT: self._cut,
            Fault.LOST: self._lost,
            Fault.LATE: self._late,
        }
        self._happened: set[Fault] = set()
        self._open: Fault | None = None
        self._until = 0  # accepted actions that show that the client goes on
        self._shown: dict[int, int] = {}  # next_event of the first view with a decision
        self._positions: list[int] = []  # next_event of all views
        self._free_at, self._early = 0.0, 0
        self._cut_at: float | None = None
        self._oldest = 0  # the least next_event that the client must know after a cut

    # --- what the client does ------------------------------------------------------------------

    def comes(self, line: str) -> None:
        """A request arrives; ``line`` holds its method, path and query."""
        self._token.seen = True
        if self.token in line:
            where = line.replace(self.token, "TOKEN")[:LENGTH]
            _fail(self._token, f"{where}: a token belongs into the Authorization header or a hello")

    def reads(self) -> Fault | None:
        """A view is asked for over HTTP; the fault to refuse it with, if any."""
        now = time.monotonic()
        fault = self._open
        if fault in (Fault.BUSY, Fault.LIMITED):
            if now >= self._free_at - EARLY:
                self._open = None
                return None
            self._early += 1
            if self._early > TOLERATED:
                _fail(self._busy, f"{fault.value}; it asked again {self._early} times before that")
                self._open = None
                return None
        elif fault is None and Fault.BUSY not in self._happened:
            fault = self._begin(Fault.BUSY, 1)
        elif fault is None and self.accepted and Fault.LIMITED not in self._happened:
            fault = self._begin(Fault.LIMITED, 1)
        else:
            return None
        self._free_at = now + RETRY_AFTER
        return fault

    def acts(self, decision: object, *, socket: bool, live: bool) -> Fault | None:
        """An action arrives; the fault to meet it with, if any.

        Args:
            decision: The decision that it names.
            socket: Whether it came over a WebSocket.
            live: Whether the client has a WebSocket.
        """
        self._legal.seen = True
        if isinstance(decision, int) and decision not in self._shown:
            last = max(self._shown, default=None)
            _fail(self._legal, f"sent decision {decision}, but was shown none after {last}")
            return None
        if not isinstance(decision, int) or self._open is not None:
            return None
        if Fault.UNKNOWN not in self._happened:  # its first decision is made in peace
            return None
        due = [Fault.CUT] * live + [Fault.LOST, Fault.LATE]
        fault = next((fault for fault in due if fault not in self._happened), None)
        if fault is not None:
            self._oldest = self._shown[decision]
            self._begin(fault, 1 if socket and fault is Fault.CUT else 2)
        return fault

    def decided(self, sent: dict[str, Any], refusal: dict[str, Any] | None) -> None:
        """An action was accepted or refused."""
        if refusal is None:
            self.accepted += 1
            self._goes_on()
            return
        self.refused = f"{refusal['code']}: {refusal['message']}"[:LENGTH]
        # Stale decisions are harmless: two views may ask for the same one.
        if refusal["code"] in ("illegal_action", "bad_request"):
            what = f"action {sent.get('action')!r} for decision {sent.get('decision')!r}"
            _fail(self._legal, f"sent {what}: {self.refused}")

    def greets(self, since: object) -> None:
        """The client's hello arrives over a WebSocket."""
        if self._cut_at is None:
            return
        seconds, self._cut_at = time.monotonic() - self._cut_at, None
        if seconds > RECONNECT:
            _fail(self._cut, f"took {seconds:.0f} s to connect; must take {RECONNECT:g} at most")
        elif not any(since == n >= self._oldest for n in self._positions):
            last = max(self._positions)
            _fail(self._cut, f"sent since {since}; must be next_event of its last view, {last}")

    # --- what it is shown ----------------------------------------------------------------------

    def shows(self, view: dict[str, Any]) -> None:
        """A view is sent."""
        if view["decision"] is not None:
            self._shown.setdefault(view["decision"], view["next_event"])
        self._positions.append(view["next_event"])
        if view["status"] in ("finished", "expired"):
            self.over.set()
            self._goes_on()
        elif self._open is None and self.accepted and Fault.UNKNOWN not in self._happened:
            self._begin(Fault.UNKNOWN, 1)

    def advises(self, hint: dict[str, Any]) -> None:
        """A hint is sent, which names the decision as well."""
        self._shown.setdefault(hint["decision"], 0)

    @property
    def adds_unknown(self) -> bool:
        """Whether the client is sent what it cannot know."""
        return Fault.UNKNOWN in self._happened

    def cut(self) -> None:
        """A WebSocket of the client is cut."""
        self._cut_at = time.monotonic()

    # --- faults --------------------------------------------------------------------------------

    def _begin(self, fault: Fault, actions: int) -> Fault:
        self._happened.add(fault)
        self._check_of[fault].seen = True
        self._open, self._until, self._early = fault, self.accepted + actions, 0
        return fault

    def _goes_on(self) -> None:
        if self.accepted >= self._until or self.over.is_set():
            self._open = None

    def checks(self, finished: bool, ended: str) -> list[Check]:
        """How each check went.

        Args:
            finished: Whether the client played until the game was over.
            ended: How the check came to its end, for people.
        """
        if self._open is not None:
            _fail(self._check_of[self._open], f"did not go on after {self._open.value}")
        self._plays.seen = True
        if not finished or not self.over.is_set():
            refused = f"; the last refusal: {self.refused}" if self.refused else ""
            _fail(self._plays, f"{ended} after {self.accepted} accepted actions{refused}")
        return [self._plays, self._legal, self._token, *dict.fromkeys(self._check_of.values())]


def _fail(check: Check, fault: str) -> None:
    """Note what the client did; the first fault is the one that is shown."""
    check.seen = True
    check.fault = check.fault or fault
