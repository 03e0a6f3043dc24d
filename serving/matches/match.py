"""A match: a game, its seats, and what each viewer has been shown. No input or output here.

A match is determined by its :class:`Setup` and its journal, a list of :class:`Entry`. To change it,
the server asks for an entry (:meth:`Match.play`, :meth:`Match.undo`, ...), which is checked but not
yet applied, stores it on disk, and only then applies it: everything that anybody has seen is on
disk.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...agents.seeds import players_key
from ...agents.table import deciding_view
from ...envs import load
from ...envs.core.errors import IllegalActionError, NotationError
from ...envs.core.game import Game, Result
from ...envs.core.history import History
from ...envs.core.presentation.sentences import agree
from ...envs.core.replay import Replay, record
from ...envs.core.state import NO_SEAT, State
from ...envs.core.view import View as SeatView
from ..errors import ServingError
from ..protocol import PHRASES, Phrase, Status
from ..storage.journal import By, Entry, Setup, token_hash
from .seat import Past, Played, Seat
from .watch import Watch

MOST_SAID = 50
"""Phrases that a person can say in a match."""


@dataclass(slots=True)
class Match:
    """A match as the server knows it; viewers are shown only :meth:`watch`.

    Attributes:
        setup: What was fixed at the start.
        game: The game.
        state: The true position.
        seats: The seats.
        watches: What each person and a spectator (``NO_SEAT``) have been shown.
        entries: Number of journal entries applied.
        line: Decisions made so far, except those taken back.
        taken_back: Whether any decision was ever taken back.
        expired: Whether the match was closed because nobody used it; set by the server.
        agreed: Whether the people at the table have ended it by agreement, without a winner.
        rematch: Name of the rematch that was asked for; empty if there is none.
        asked_by: Seat that asked for it.
    """

    setup: Setup
    game: Game = field(init=False)
    state: State = field(init=False)
    seats: list[Seat] = field(init=False)
    watches: dict[int, Watch] = field(init=False)
    entries: int = 0
    line: list[Played] = field(default_factory=list)
    taken_back: bool = False
    expired: bool = False
    agreed: bool = False
    rematch: str = ""
    asked_by: int = NO_SEAT
    _over: bool = False
    _mover: int = NO_SEAT

    def __post_init__(self) -> None:
        self.game = load(self.setup.game)
        self.state = self.start()
        self._look()
        self.seats = [
            Seat(s.player, s.bot, s.token, open=s.kind == "open") for s in self.setup.seats
        ]
        people = [k for k, s in enumerate(self.setup.seats) if s.kind != "bot"]
        self.watches = {v: Watch(self.game, v, self.state) for v in (*people, NO_SEAT)}

    # --- state -----------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        """``waiting`` while seats are open, then ``playing``, ``finished`` or ``expired``."""
        if self.expired:
            return "expired"
        if any(seat.open for seat in self.seats):
            return "waiting"
        return "finished" if self._over or self.agreed else "playing"

    @property
    def rated(self) -> bool:
        """Whether the result counts for the leaderboard."""
        return self.setup.rated and not self.taken_back and not self.agreed

    @property
    def to_act(self) -> int:
        """The seat to decide; ``NO_SEAT`` unless the match is being played."""
        return self._mover if self.status == "playing" else NO_SEAT

    @property
    def bot_to_act(self) -> str:
        """Spec of the bot to decide; empty if it is nobody's or a person's turn."""
        return self.seats[self.to_act].bot if self.to_act != NO_SEAT else ""

    def is_held(self, viewer: int | None) -> bool:
        """Whether a bot is to decide, which the viewer may not know: views wait until it has."""
        return bool(self.bot_to_act) and self.watch(viewer).secret

    @property
    def in_secret(self) -> bool:
        """Whether some viewer may not know that the deciding seat has a decision to make.

        No player is replaced at such a decision, since everybody sees replacements.
        """
        return any(watch.secret for watch in self.watches.values())

    @property
    def people(self) -> list[int]:
        """Seats that belong to people, including those who have left."""
        return [k for k, seat in enumerate(self.seats) if seat.token]

    def ends_by(self, entry: Entry) -> bool:
        """Whether everybody who sits at the table after an entry has agreed to end the match."""
        if entry.kind not in ("agree", "leave", "concede") or self.status != "playing":
            return False
        others = [s for k, s in enumerate(self.seats) if s.occupied and k != entry.seat]
        return all(s.agrees for s in others) and (entry.kind == "agree" or bool(others))

    def result(self) -> Result | None:
        """The result of the game; ``None`` before its end, and if it was never played to it."""
        return self.game.result(self.state) if self._over else None

    def seat_of(self, token: str) -> int:
        """The seat that a token belongs to.

        Raises:
            ServingError: ``unauthorized`` if there is none.
        """
        wanted = token_hash(token)
        found = [k for k, s in enumerate(self.seats) if hmac.compare_digest(s.token, wanted)]
        if not found:
            raise ServingError("unauthorized", "this token belongs to no seat of the match")
        return found[0]

    def watch(self, viewer: int | None) -> Watch:
        """What a person's seat, or a spectator (``None``), has been shown."""
        return self.watches[NO_SEAT if viewer is None else viewer]

    def bot_view(self, *, history: bool = False) -> SeatView:
        """The view of the deciding seat, with the seed of this decision.

        Args:
            history: Whether it holds what the seat has noticed so far.
        """
        told = self.history(self.to_act) if history else None
        return deciding_view(self.game, self.state, players_key(self.setup.seed), history=told)

    def history(self, seat: int) -> History:
        """What a seat has noticed so far, decisions that were taken back left out."""
        past = self.past()
        return History.of(self.game, seat, past.start, past.actions)

    def time_left(self) -> float | None:
        """Seconds that the deciding person has for this decision; ``None`` without limits."""
        clock = self.setup.clock
        if clock is None or self.to_act == NO_SEAT or self.bot_to_act:
            return None
        seat = self.seats[self.to_act]
        again = self.watches[self.to_act].same_turn
        limits = [
            (clock.per_decision, 0.0),
            (clock.per_turn, seat.turn_spent if again else 0.0),
            (clock.bank, seat.spent),
        ]
        left = [limit - used for limit, used in limits if limit is not None]
        return max(0.0, min(left)) if left else None

    def late_action(self) -> int | None:
        """The action for a person whose time is up; ``None`` if the substitute bot is to decide."""
        clock, view = self.setup.clock, self.bot_view()
        if clock is None or clock.expired == "bot":
            return None
        texts = {view.action_text(action): action for action in view.legal_actions}
        return next((texts[word] for word in clock.passes if word in texts), None)

    def replay(self) -> Replay:
        """The decisions so far as a replay that can be verified."""
        names = tuple(seat.player or seat.bot for seat in self.seats)
        actions = [played.action for played in self.line]
        found = record(self.game, self.setup.seed, actions, **self.setup.options)
        return Replay(
            found.game,
            found.rules_version,
            found.options,
            found.seed,
            found.actions,
            found.chain,
            names,
        )

    def own_plies(self, seat: int) -> list[int]:
        """Indices in :attr:`line` of the decisions that a seat's person has made."""
        return [k for k, p in enumerate(self.line) if p.seat == seat and p.by == "human"]

    def start(self) -> State:
        """The true record before the first decision."""
        return self.game.new_state(self.setup.seed, **self.setup.options)

    def past(self) -> Past:
        """The decisions of :attr:`line` as they stand now, for work in a thread."""
        return Past(self.game, self.start(), tuple(played.action for played in self.line))

    # --- making entries, which does not apply them -----------------------------------------------

    def require_playing(self) -> None:
        """Raise a :class:`ServingError` unless the match is being played."""
        if self.status != "playing":
            raise ServingError("conflict", f"the match is {self.status}")

    def require_unfinished(self) -> None:
        """Raise a :class:`ServingError` if the match is over."""
        if self.status in ("finished", "expired"):
            raise ServingError("conflict", f"the match is {self.status}")

    def require_own(self, seat: int) -> None:
        """Raise a :class:`ServingError` if a person has given their seat up for good."""
        if self.seats[seat].conceded:
            raise ServingError("conflict", f"seat {seat} was conceded: it cannot be taken back")

    def play(self, seat: int, decision: int, action: int | str, spent: float = 0.0) -> Entry:
        """An entry for a person's decision.

        Raises:
            ServingError: If the decision cannot be made now.
        """
        self.require_playing()
        own = self.seats[seat]
        if own.bot:
            raise ServingError("not_your_turn", f"{own.bot} plays this seat; return first")
        if decision != own.decisions or self.to_act != seat:
            if decision < own.decisions:
                raise ServingError("stale_decision", f"decision {decision} has been made")
            if self.to_act != seat:
                raise ServingError("not_your_turn", f"seat {seat} is not to decide now")
            raise ServingError("stale_decision", f"the decision to be made is {own.decisions}")
        return Entry("play", seat, self.legal(seat, action), "human", spent)

    def legal(self, seat: int, action: int | str) -> int:
        """The legal action with this number or notation.

        Raises:
            ServingError: ``illegal_action``; the message names the legal actions.
        """
        known = self.game.redact(self.state, seat)
        try:
            if isinstance(action, str):
                return self.game.parse_action(known, action)
            if not 0 <= action < self.game.num_actions or not self.game.action_mask(known)[action]:
                raise self.game.refusal(known, action)
        except (IllegalActionError, NotationError) as error:
            raise ServingError("illegal_action", str(error)) from error
        return action

    def undo(self, seat: int) -> Entry:
        """An entry that goes back to the seat's previous decision.

        Raises:
            ServingError: If the match cannot go back.
        """
        self.require_playing()
        if self.people != [seat]:
            raise ServingError("conflict", "only a person who plays against bots alone can undo")
        self.require_own(seat)
        if self._last_own(seat) is None:
            raise ServingError("conflict", "there is no decision to take back")
        return Entry("undo", seat)

    def join(self, name: str, token: str, seat: int | None = None) -> Entry:
        """An entry for a person who takes an open seat.

        Raises:
            ServingError: If the seat is not open.
        """
        self.require_unfinished()
        free = [k for k, s in enumerate(self.seats) if s.open and not s.token]
        if not free or (seat is not None and seat not in free):
            what = "no seat is open" if seat is None or not free else f"seat {seat} is not open"
            raise ServingError("conflict", what)
        return Entry("join", free[0] if seat is None else seat, text=name, token=token_hash(token))

    def leave(self, seat: int, bot: str) -> Entry:
        """An entry that hands a person's seat to a bot.

        Raises:
            ServingError: If the match is over or a bot already plays the seat.
        """
        self.require_unfinished()
        if self.seats[seat].bot:
            raise ServingError("conflict", f"{self.seats[seat].bot} plays this seat already")
        return Entry("leave", seat, text=bot)

    def come_back(self, seat: int) -> Entry:
        """An entry that gives a person's seat back.

        Raises:
            ServingError: If the match is over, no bot plays the seat, or it was conceded.
        """
        self.require_unfinished()
        self.require_own(seat)
        if not self.seats[seat].bot:
            raise ServingError("conflict", "no bot plays this seat")
        return Entry("return", seat)

    def say(self, seat: int, phrase: Phrase) -> Entry:
        """An entry for a phrase that a person says to the others.

        Raises:
            ServingError: ``conflict`` if the match has expired, nobody else is a person, or the
                seat has said :data:`MOST_SAID` phrases.
        """
        if self.status == "expired":
            raise ServingError("conflict", "the match is expired")
        if self.people == [seat]:
            raise ServingError("conflict", "nobody else at the table is a person")
        # Not counted by decisions, of which some are secret.
        if self.seats[seat].said >= MOST_SAID:
            raise ServingError("conflict", f"{MOST_SAID} phrases are the most that a seat can say")
        return Entry("say", seat, text=phrase)

    # --- applying entries ------------------------------------------------------------------------

    def apply(self, entry: Entry) -> None:
        """Apply a stored entry, of a live match or of one that is read from disk."""
        ends = self.ends_by(entry)
        getattr(self, f"_apply_{entry.kind}")(entry)
        self.entries += 1
        if ends:
            self.agreed = True
            self._announce("end", "The match is over: everybody agreed to end it.")
            for watch in self.watches.values():
                watch.close()

    def _apply_play(self, entry: Entry) -> None:
        seat, in_secret = self.seats[entry.seat], self.in_secret
        if entry.seat in self.watches and not self.watches[entry.seat].same_turn:
            seat.turn_spent = 0.0
        self.game.apply(self.state, entry.action)
        self._look()
        self.line.append(Played(entry.seat, entry.action, entry.by, seat.decisions))
        seat.decisions += 1
        if entry.by != "bot":
            increment = self.setup.clock.increment if self.setup.clock else 0.0
            seat.turn_spent += entry.spent
            seat.spent += entry.spent - increment
        if not in_secret:
            self._count(seat, entry.by)
        if entry.by == "clock":
            self.watches[entry.seat].announce("clock", "Time is up: the server has decided.")
        bot_next = bool(self.bot_to_act)
        for watch in self.watches.values():
            watch.see(entry.seat, entry.action, self.state, len(self.line), bot_next=bot_next)
        if self._over:
            self._announce("end", self._ending())

    def _count(self, seat: Seat, by: By) -> None:
        """Update the counts that decide when a player is replaced and when a bot returns."""
        if by != "bot":
            seat.strikes = seat.strikes + 1 if by == "clock" else 0
        elif seat.replaced:
            seat.absent += 1
        else:
            seat.lates = seat.failures = 0

    def _apply_undo(self, entry: Entry) -> None:
        del self.line[self._last_own(entry.seat) :]
        past, left = self.past(), len(self.line)
        self.state = past.position(left)
        self._look()
        self.seats[entry.seat].decisions += 1
        self.taken_back = True
        for watch in self.watches.values():
            watch.go_back(past.position, left)
        self._announce("undo", f"{self.seats[entry.seat].player} takes a decision back.")

    def _apply_join(self, entry: Entry) -> None:
        seat = self.seats[entry.seat]
        seat.player, seat.token, seat.open = entry.text, entry.token, False
        self._announce("seat", f"{entry.text} sits down as {self._part(entry.seat)}.")

    def _apply_begin(self, entry: Entry) -> None:
        for k, seat in enumerate(self.seats):
            if seat.open:
                self._give_away(k, entry.text)

    def _give_away(self, seat: int, bot: str) -> None:
        """A bot takes a seat that was kept for a person, who then has none."""
        self.seats[seat] = Seat("", bot, "", open=False)
        self._announce("seat", f"A bot sits down as {self._part(seat)}.")

    def _apply_leave(self, entry: Entry) -> None:
        seat = self.seats[entry.seat]
        if seat.open:
            self._announce("seat", f"{seat.player} declines the rematch.")
            self._give_away(entry.seat, entry.text)
            return
        left, why, other = seat.player, "leaves", "a bot"
        if seat.bot:  # a bot does not leave by itself: the server replaces it
            seat.replaced, seat.absent = seat.bot, 0
            seat.lates += entry.by != "bot"
            seat.failures += entry.by == "bot"
            left, other = "The bot", "another bot"
            why = "fails" if entry.by == "bot" else "is late"
        seat.bot, seat.strikes, seat.agrees = entry.text, 0, False
        self._announce("seat", f"{left} {why}; {other} plays on for {self._part(entry.seat)}.")

    def _apply_concede(self, entry: Entry) -> None:
        seat = self.seats[entry.seat]
        seat.bot, seat.strikes, seat.agrees, seat.conceded = entry.text, 0, False, True
        part = self._part(entry.seat)
        self._announce("seat", f"{seat.player} concedes; a bot plays on for {part}.")

    def _apply_agree(self, entry: Entry) -> None:
        seat = self.seats[entry.seat]
        seat.agrees = True
        self._announce("seat", f"{seat.player} agrees to end the match.")

    def _apply_withdraw(self, entry: Entry) -> None:
        seat = self.seats[entry.seat]
        seat.agrees = False
        self._announce("seat", f"{seat.player} wants to play on after all.")

    def _apply_rematch(self, entry: Entry) -> None:
        self.rematch, self.asked_by = entry.text, entry.seat
        self._announce("seat", f"{self.seats[entry.seat].player} asks for a rematch.")

    def _apply_say(self, entry: Entry) -> None:
        seat = self.seats[entry.seat]
        seat.said += 1
        # A later version may have stored a phrase that this one does not know.
        words = PHRASES.get(entry.text, entry.text)
        self._announce("say", f"{seat.player} says: {words}")

    def _apply_return(self, entry: Entry) -> None:
        seat = self.seats[entry.seat]
        seat.bot, seat.replaced = entry.text, ""
        if not entry.text:
            seat.lates = seat.failures = 0
        who = "The bot" if entry.text else seat.player
        self._announce("seat", f"{who} is back as {self._part(entry.seat)}.")

    def _look(self) -> None:
        """Cache what is needed all the time, since reading fields of a NumPy record is slow."""
        self._over, self._mover = bool(self.state.over), int(self.state.seat)

    def _last_own(self, seat: int) -> int | None:
        """Index in :attr:`line` of the seat's last decision that no bot made."""
        own = [k for k, p in enumerate(self.line) if p.seat == seat and p.by != "bot"]
        return own[-1] if own else None

    def _part(self, seat: int) -> str:
        return self.game.seat_name(self.watches[NO_SEAT].known, seat)

    def _announce(self, kind: Any, text: str) -> None:
        for watch in self.watches.values():
            watch.announce(kind, text)

    def _ending(self) -> str:
        result = self.game.result(self.state)
        first = [self._part(k) for k, place in enumerate(result.places) if place == 1]
        if len(first) == 1:
            return f"The match is over: {agree(first[0], 'win')}."
        return f"The match is over: {', '.join(first[:-1])} and {first[-1]} win."


def restore(setup: Setup, journal: Sequence[Entry]) -> Match:
    """Rebuild a match from its journal.

    Raises:
        ServingError: ``unavailable`` if the rules have changed since.
    """
    game = load(setup.game)
    if game.rules_version != setup.rules_version:
        raise ServingError(
            "unavailable",
            f"the match was played by {setup.game} rules version {setup.rules_version}, "
            f"this server plays version {game.rules_version}",
        )
    match = Match(setup)
    for entry in journal:
        match.apply(entry)
    return match
