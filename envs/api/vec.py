"""Thousands of tables stepped by one call: arrays filled in place, threads over the batch."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.batch import LEGAL, first_illegal
from ..core.codes import FITS, check_observation_dtype
from ..core.errors import IllegalActionError, ResetNeededError
from ..core.game import Game
from ..core.integers import MAX_TABLES, MAX_THREADS, as_seed, whole_number
from ..core.rng import stream
from ..core.state import blank, bytes_of, copy_states

NO_CODES = (
    np.empty((0, 0), np.uint8),
    np.empty((3, 0), np.float32),
    np.empty(0, np.int64),
)
"""Codes, scales and numbers kept in full of tables whose observations are float32."""

EVERY = slice(None)


class VecTables:
    """Many tables of one game, each with its own seed; finished tables start again at once.

    The arrays below are filled in place by :meth:`reset` and :meth:`step`; copy what must last.
    They are the caller's to change: no rule reads them, but for ``states`` and ``final_states``.

    Attributes:
        observations: Float32 ``(N, observation_size)``, of the seat that decides; with
            ``observation_dtype="uint8"`` uint8 ``(N, game.observation_codes.size)``, of which
            ``game.observation_codes.decode`` makes the same numbers.
        action_masks: Bool ``(N, num_actions)``, of the seat that decides.
        seats: Int64 ``(N,)``: who decides now.
        rewards: Float64 ``(N, max_seats)``: what the last step paid, zero unless a game ended.
        dones: Bool ``(N,)``: whether the last step ended a game (the next one has begun).
        truncations: Bool ``(N,)``: whether it ended by a cap that pays nobody, a truncation; all
            other ``dones`` are terminations. See :meth:`final_observations`.
        scores: Int32 ``(N, max_seats)``: final scores of each table's last finished game.
        places: Int8 ``(N, max_seats)``: final places of each table's last finished game.
        lengths: Int64 ``(N,)``: decisions in each table's last finished game.
        states: The records. Agents never see them; see :class:`gangland.envs.core.view.ViewBatch`.
        final_states: Where ``truncations`` is true: the record in which that game stopped.
        num_seats: Seats at each table.

    Args:
        game: The game.
        num_envs: Number of tables.
        seed: Table ``i`` plays the games of seeds ``stream(stream(seed, i), 0), 1, ...``, whatever
            the other tables do.
        threads: Threads that share a step; 1 runs in the caller.
        observation_dtype: What ``observations`` hold: ``float32``, or ``uint8`` for their codes,
            which are a third or a quarter as large.
        options: The game's options.

    Raises:
        OptionError: For an option that the game does not allow.
        IntegerError: If ``num_envs`` or ``threads`` is out of range, or ``seed`` no integer 0 to
            2**64 - 1.
        ValueError: For another ``observation_dtype``, or for ``uint8`` if the game does not say
            what its observations hold.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int = 0,
        *,
        threads: int = 1,
        observation_dtype: str = "float32",
        **options: Any,
    ) -> None:
        num_envs = whole_number("num_envs", num_envs, 1, MAX_TABLES)
        threads = whole_number("threads", threads, 1, MAX_THREADS)
        dtype = check_observation_dtype(observation_dtype)
        self._coded = dtype == np.uint8
        size = game.observation_codes.size if self._coded else game.observation_size
        self.game = game
        self.num_envs = num_envs
        self.options = game.options.resolve(options)
        self.num_seats = game.num_players(self.options)
        self._template = game.template(**options)
        self.states = blank(game.dtype, num_envs)
        self.observations = np.zeros((num_envs, size), dtype)
        self.action_masks = np.zeros((num_envs, game.num_actions), np.bool_)
        # Legality is checked with these alone, which nothing outside can write.
        self._legal = np.zeros_like(self.action_masks)
        self.seats = np.zeros(num_envs, np.int64)
        self.rewards = np.zeros((num_envs, game.max_seats), np.float64)
        self.dones = np.zeros(num_envs, np.bool_)
        self.truncations = np.zeros(num_envs, np.bool_)
        self.scores = np.zeros((num_envs, game.max_seats), np.int32)
        self.places = np.zeros((num_envs, game.max_seats), np.int8)
        self.lengths = np.zeros(num_envs, np.int64)
        # Zeroed pages cost no memory until a game is truncated.
        self.final_states = blank(game.dtype, num_envs)
        self._truncating = sum(1 << cap for cap in game.truncating_caps)
        self._table_seeds = np.zeros(num_envs, np.uint64)
        self._episodes = np.zeros(num_envs, np.uint64)
        bounds = np.linspace(0, num_envs, threads + 1).astype(int)
        self._slices = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        self._pool = self._start_threads()
        self.seed(seed)

    def _start_threads(self) -> ThreadPoolExecutor | None:
        return ThreadPoolExecutor(len(self._slices)) if len(self._slices) > 1 else None

    def seed(self, seed: int) -> None:
        """Give every table its seed; takes effect at the next :meth:`reset`.

        Raises:
            IntegerError: If it is no integer 0 to 2**64 - 1.
        """
        number = np.uint64(as_seed(seed))
        for i in range(self.num_envs):
            self._table_seeds[i] = stream(number, np.uint64(i))
        self._episodes[:] = 0

    def reset(self) -> None:
        """Start a new game at every table and fill the arrays."""
        self._forget_ends()
        self._each(self._reset_rows)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Play one decision at each table and fill the arrays.

        Args:
            actions: Integers of shape ``(N,)``, legal as ``action_masks`` said.

        Raises:
            ResetNeededError: Before the first :meth:`reset`.
            IllegalActionError: If they are no integers or of another shape, or naming the first
                table whose action is not legal; no table has been stepped then.
            ValueError: With ``observation_dtype="uint8"``, naming a number that has no code, by a
                mistake in the game's layout; all tables have been stepped.
        """
        chosen = self._as_actions(actions)
        wrong = first_illegal(self._legal, chosen)
        if wrong != LEGAL:
            if not self._legal[wrong].any():
                raise ResetNeededError(self.game.name)
            legal = np.flatnonzero(self._legal[wrong]).tolist()
            raise IllegalActionError(
                f"{self.game.name}: action {actions[wrong]} at table {wrong} is not legal: {legal}"
            )
        self._each(lambda first, last: self._step_rows(chosen, first, last))

    def _as_actions(self, actions: Any) -> NDArray[np.int64]:
        wanted = (self.num_envs,)
        try:
            given = np.asarray(actions)
        except ValueError as error:  # NumPy's, for lists of unequal length
            raise IllegalActionError(
                f"{self.game.name}: actions of unequal length: must be integers of shape {wanted}"
            ) from error
        if given.dtype.kind not in "iu" or given.shape != wanted:
            raise IllegalActionError(
                f"{self.game.name}: actions of shape {given.shape} and type {given.dtype}: "
                f"must be integers of shape {wanted}"
            )
        return np.ascontiguousarray(given, np.int64)

    def final_observations(self, tables: NDArray[np.int64]) -> NDArray[np.float32]:
        """What every seat saw last in games that the last step truncated, to bootstrap from.

        Observations are made on demand, so that steps without a truncation cost nothing.

        Args:
            tables: Int64 of shape ``(B,)``: tables at which ``truncations`` is true.

        Returns:
            Float32 of shape ``(B, max_seats, observation_size)``; zeros for absent seats.

        Raises:
            ValueError: Naming the first table at which no game was truncated.
        """
        game = self.game
        seen = np.zeros((len(tables), game.max_seats, game.observation_size), np.float32)
        for k, table in enumerate(tables):
            if not self.truncations[table]:
                raise ValueError(f"table {table}: its last step truncated no game")
            for seat in range(self.num_seats):
                seen[k, seat] = game.observe(self.final_states[table], seat)
        return seen

    def clone(self) -> VecTables:
        """Independent tables in the same positions, with the same games and arrays to come."""
        other = object.__new__(VecTables)
        other.__setstate__(self.__getstate__())
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> VecTables:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        del kept["_pool"]
        for name, value in kept.items():
            if isinstance(value, np.ndarray):
                # NumPy's own copy of records leaves garbage between the fields.
                kept[name] = copy_states(value) if value.dtype.names else value.copy()
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._pool = self._start_threads()

    def snapshot(self) -> dict[str, Any]:
        """Everything that decides what comes next, as arrays; see :meth:`restore`."""
        return {
            "states": bytes_of(self.states).copy(),
            "table_seeds": self._table_seeds.copy(),
            "episodes": self._episodes.copy(),
        }

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Go on where :meth:`snapshot` was taken."""
        bytes_of(self.states)[:] = snapshot["states"]
        self._table_seeds[:] = snapshot["table_seeds"]
        self._episodes[:] = snapshot["episodes"]
        self._forget_ends()
        self._each(self._look_rows)

    def place(self, tables: NDArray[np.int64], states: NDArray[np.uint8]) -> None:
        """Go on from other positions at some tables.

        Args:
            tables: Int64 ``(B,)``, each table once.
            states: Uint8 ``(B, bytes)``, from a :meth:`snapshot` of tables of the same game.
        """
        placed = blank(self.game.dtype, len(tables))
        bytes_of(placed)[:] = states
        seen = np.empty((len(tables), self.game.observation_size), np.float32)
        legal = np.zeros((len(tables), self.game.num_actions), np.bool_)
        seats = np.zeros(len(tables), np.int64)
        self._look(placed, seen, legal, seats)
        bytes_of(self.states)[tables] = states
        self.observations[tables] = self._as_stored(seen)
        self._legal[tables] = self.action_masks[tables] = legal
        self.seats[tables] = seats
        self._forget_ends(tables)

    def _forget_ends(self, tables: NDArray[np.int64] | slice = EVERY) -> None:
        self.rewards[tables] = 0
        self.dones[tables] = False
        self.truncations[tables] = False

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _each(self, work: Callable[[int, int], None]) -> None:
        if self._pool is None:
            work(0, self.num_envs)
        else:
            list(self._pool.map(lambda bounds: work(*bounds), self._slices))

    def _look_rows(self, first: int, last: int) -> None:
        seen = self.observations[first:last]
        if self._coded:
            seen = np.empty((last - first, self.game.observation_size), np.float32)
        legal = self._legal[first:last]
        self._look(self.states[first:last], seen, legal, self.seats[first:last])
        self.action_masks[first:last] = legal
        if self._coded:
            self.observations[first:last] = self._as_stored(seen)

    def _as_stored(self, seen: NDArray[np.float32]) -> NDArray[Any]:
        return self.game.observation_codes.encode(seen) if self._coded else seen

    def _look(
        self,
        states: NDArray[Any],
        seen: NDArray[np.float32],
        legal: NDArray[np.bool_],
        seats: NDArray[np.int64],
    ) -> None:
        """Fill in what the deciding seats see and may do, and which they are."""
        compiled = self.game.compiled
        rules = compiled.pointers.legal_actions, compiled.pointers.observe
        compiled.batch["look_batch"](*rules, states, seen, legal, seats, 0, len(states))

    def _reset_rows(self, first: int, last: int) -> None:
        compiled = self.game.compiled
        compiled.batch["reset_batch"](
            compiled.pointers.reset,
            self._template,
            self.states,
            self._table_seeds,
            self._episodes,
            first,
            last,
        )
        self._look_rows(first, last)

    def _step_rows(self, actions: NDArray[np.int64], first: int, last: int) -> None:
        game, compiled = self.game, self.game.compiled
        pointers = compiled.pointers
        wrong = compiled.batch["step_batch"](
            pointers.apply,
            pointers.legal_actions,
            pointers.observe,
            pointers.reset,
            self._template,
            self.states,
            self._table_seeds,
            self._episodes,
            actions,
            *self._seen,
            self._legal,
            self.seats,
            self.rewards,
            self.dones,
            self.truncations,
            self.scores,
            self.places,
            self.lengths,
            self.final_states,
            self._truncating,
            first,
            last,
        )
        self.action_masks[first:last] = self._legal[first:last]
        if wrong != FITS:
            seen = game.observe(self.states[wrong], int(self.seats[wrong]))
            raise game.observation_codes.refusal(seen)

    @property
    def _seen(self) -> tuple[NDArray[Any], ...]:
        """Where observations go, and what they are coded by, as ``step_batch`` takes them."""
        if self._coded:
            none = np.empty((0, self.game.observation_size), np.float32)
            return none, self.observations, *self.game.observation_codes.tables
        return self.observations, *NO_CODES
