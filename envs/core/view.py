"""What a seat may know: the only thing that agents are shown."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import GanglandError
from .history import History
from .state import State, States

if TYPE_CHECKING:
    from .game import Game


class Detail(IntEnum):
    """What an agent is asked to give besides its action.

    Play asks for the action alone, so that nobody waits for numbers that nobody reads.
    """

    ACTION = 0
    """The action."""
    OWN = 1
    """Also the probability of every action and the deciding seat's chance of winning."""
    ALL = 2
    """Also the chances of the other seats, even if that takes much longer."""


class View:
    """A position as one seat knows it.

    Holds a redacted record, so that a search bot cannot look at rival hands or at the chance to
    come: what is not in the view is not in memory.

    Args:
        game: The game.
        known: The record without what the seat may not know.
        seat: The seat that looks.
        seed: Randomness that the agent may use for this decision.
        detail: What the agent is asked to give. An agent may always give more or less.
        history: What the seat has noticed of the game so far, for agents that need it.
    """

    def __init__(
        self,
        game: Game,
        known: State,
        seat: int,
        seed: int = 0,
        detail: Detail = Detail.ACTION,
        history: History | None = None,
    ) -> None:
        self.game = game
        self.known = known
        self.seat = seat
        self.seed = seed
        self.detail = detail
        self._history = history

    @property
    def has_history(self) -> bool:
        """Whether somebody has taken note of the game so far."""
        return self._history is not None

    @property
    def history(self) -> History:
        """What the seat has noticed of the game so far.

        Raises:
            NoHistoryError: If nobody took note of it, as for an agent without ``needs_history``.
        """
        if self._history is None:
            raise NoHistoryError(
                f"{self.game.name}: nobody took note of this game's history; an agent that reads "
                "it must have needs_history = True, and a position alone has none"
            )
        return self._history

    @property
    def deciding(self) -> bool:
        """Whether this seat is to decide."""
        return int(self.known.seat) == self.seat

    @property
    def role(self) -> int:
        """Index into the game's roles of this seat's role."""
        return role_of(self.game, self.known, self.seat)

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """Float32 of shape ``(observation_size,)``."""
        return self.game.observe(self.known, self.seat)

    @cached_property
    def action_mask(self) -> NDArray[np.bool_]:
        """Bool of shape ``(num_actions,)``; all false unless this seat is to decide."""
        if not self.deciding:
            return np.zeros(self.game.num_actions, np.bool_)
        return self.game.action_mask(self.known)

    @cached_property
    def legal_actions(self) -> list[int]:
        """Legal actions, ascending; empty unless this seat is to decide."""
        return [int(action) for action in np.flatnonzero(self.action_mask)]

    def action_text(self, action: int) -> str:
        """Notation of an action.

        Raises:
            IllegalActionError: If the action space has no such action.
        """
        return self.game.action_text(self.known, self.game.checked_action(action))

    def describe(self, action: int) -> str:
        """Sentence of an action.

        Raises:
            IllegalActionError: If the action space has no such action.
        """
        return self.game.describe(self.known, self.game.checked_action(action))

    def sample_state(self, seed: int) -> State:
        """A full position consistent with all that the seat knows (a determinization)."""
        return self.game.resample_hidden(self.known, self.seat, seed)

    def text(self) -> str:
        """The table as text, as the seat sees it."""
        return self.game.text(self.known, self.seat)

    def svg(self) -> str:
        """The table as SVG, as the seat sees it, legal actions marked."""
        return self.game.svg(self.known, self.seat, self.legal_actions)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to_dict(self) -> dict[str, Any]:
        """The view as a JSON-able dictionary."""
        return {**self.game.to_dict(self.known), "viewer": self.seat}


class NoRecordsError(GanglandError, RuntimeError):
    """An agent that said it needs no records reads one."""


class NoHistoryError(GanglandError, RuntimeError):
    """An agent reads a history of which nobody took note."""


class ViewBatch:
    """Views of many tables at once, as arrays; row ``k`` is one seat that decides.

    As a view does, it holds redacted records only; the true ones cannot be reached from it.

    Attributes:
        game: The game.
        seats: Int64 of shape ``(B,)``: the deciding seat of each view.
        masks: Bool of shape ``(B, num_actions)``.
        seeds: Uint64 of shape ``(B,)``: randomness of each decision.
        detail: What the agent is asked to give besides the actions.

    Args:
        game: The game.
        states: Records of all tables; redacted copies of ``rows`` are kept, if any.
        rows: Int64 of shape ``(B,)``: the table of each view.
        seats: Int64 of shape ``(B,)``.
        observations: Float32 of shape ``(B, observation_size)``; ``None`` to have them made from
            the records: when they are first read, if records are kept, and else at once.
        masks: Bool of shape ``(B, num_actions)``.
        seeds: Uint64 of shape ``(B,)``.
        roles: Int64 of shape ``(B,)``; read from the records by default.
        records: Whether records will be read; without them neither :attr:`known` nor single views
            are to be had, which saves the copies.
        detail: What the agent is asked to give besides the actions.
        histories: What each deciding seat has noticed so far, for agents that need it.
    """

    def __init__(
        self,
        game: Game,
        states: States,
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        observations: NDArray[np.float32] | None,
        masks: NDArray[np.bool_],
        seeds: NDArray[np.uint64],
        *,
        roles: NDArray[np.int64] | None = None,
        records: bool = True,
        detail: Detail = Detail.ACTION,
        histories: Sequence[History | None] | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.masks = masks
        self.seeds = seeds
        self.detail = detail
        self._histories = histories
        if roles is None:
            roles = _roles(game, states, rows, seats)
        self._roles: NDArray[np.int64] | None = roles
        if observations is None and not records:
            observations = observed(game, states, rows, seats)
        self._observations: NDArray[np.float32] | None = observations
        # Observations that were posted come without a record.
        sizes = states["num_seats"][rows].astype(np.int64) if len(states) else None
        self._sizes: NDArray[np.int64] | None = sizes
        self._views: Sequence[View] | None = None
        self._known = _redacted(game, states, rows, seats) if records else None

    @classmethod
    def of(cls, views: Sequence[View]) -> ViewBatch:
        """A batch of single views, of one game and asked for the same detail; at least one."""
        batch = cls.__new__(cls)
        batch.game = views[0].game
        batch.seats = np.array([view.seat for view in views], np.int64)
        batch.masks = np.stack([view.action_mask for view in views])
        batch.seeds = np.array([view.seed for view in views], np.uint64)
        batch.detail = views[0].detail
        batch._views = views
        batch._observations = batch._known = batch._roles = batch._sizes = None
        batch._histories = None
        return batch

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def roles(self) -> NDArray[np.int64]:
        """Int64 of shape ``(B,)``: index into the game's roles of each seat's role."""
        if self._roles is None:
            assert self._views is not None
            self._roles = np.array([view.role for view in self._views], np.int64)
        return self._roles

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Int64 of shape ``(B,)``: number of seats at each table.

        Raises:
            NoRecordsError: If the views come from observations alone.
        """
        if self._sizes is None:
            if self._views is None:
                raise NoRecordsError(f"{self.game.name}: no record holds the number of seats")
            seats = [int(view.known.num_seats) for view in self._views]
            self._sizes = np.array(seats, np.int64)
        return self._sizes

    @property
    def observations(self) -> NDArray[np.float32]:
        """Float32 of shape ``(B, observation_size)``."""
        if self._observations is None:
            if self._views is not None:
                self._observations = np.stack([view.observation for view in self._views])
            else:
                every = np.arange(len(self))
                self._observations = observed(self.game, self.known, every, self.seats)
        return self._observations

    @property
    def known(self) -> States:
        """Redacted records of shape ``(B,)``.

        Raises:
            NoRecordsError: If the batch was made without records.
        """
        if self._known is None and self._views is not None:
            # Byte by byte: NumPy joins records field by field.
            records = b"".join(view.known.tobytes() for view in self._views)
            self._known = np.frombuffer(bytearray(records), self.game.dtype)
        if self._known is None:
            raise NoRecordsError(
                f"{self.game.name}: these views hold observations, masks and seeds only; an agent "
                "that reads records must have needs_records = True"
            )
        return self._known

    def __getitem__(self, k: int) -> View:
        """The view of row ``k``.

        Raises:
            NoRecordsError: If the batch was made without records.
        """
        if self._views is not None:
            return self._views[k]
        seat, seed = int(self.seats[k]), int(self.seeds[k])
        history = None if self._histories is None else self._histories[k]
        return View(self.game, self.known[k], seat, seed, self.detail, history)


def role_of(game: Game, state: State, seat: int) -> int:
    """Index into the game's roles of a seat's role."""
    if len(game.roles) == 1:
        return 0
    return game.seat_roles(game.read_options(state))[seat]


def roles_of_seats(game: Game, states: States) -> NDArray[np.int64]:
    """Role of each seat at each table, int64 of shape ``(N, max_seats)``; 0 for absent seats."""
    roles = np.zeros((len(states), game.max_seats), np.int64)
    if len(game.roles) > 1:
        for k, state in enumerate(states):
            found = game.seat_roles(game.read_options(state))
            roles[k, : len(found)] = found
    return roles


def _roles(
    game: Game, states: States, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> NDArray[np.int64]:
    if len(game.roles) == 1:
        return np.zeros(len(rows), np.int64)
    pairs = zip(rows.tolist(), seats.tolist(), strict=True)
    return np.array([role_of(game, states[row], seat) for row, seat in pairs], np.int64)


def observed(
    game: Game, states: States, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> NDArray[np.float32]:
    """What a seat observes at each of some tables.

    Args:
        game: The game.
        states: Records of all tables.
        rows: Int64 of shape ``(B,)``: the tables.
        seats: Int64 of shape ``(B,)``: the seat at each.

    Returns:
        Float32 of shape ``(B, observation_size)``.
    """
    observations = np.empty((len(rows), game.observation_size), np.float32)
    compiled = game.compiled
    compiled.batch["observe_batch"](compiled.pointers.observe, states, rows, seats, observations)
    return observations


def _redacted(
    game: Game, states: States, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> States:
    known = np.zeros(len(rows), game.dtype)
    compiled = game.compiled
    compiled.batch["redact_batch"](compiled.pointers.redact, states, rows, seats, known)
    return known
