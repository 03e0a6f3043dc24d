"""One seat at each of many tables, with bots in the others: what vector environments stand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from ..agents.seat_env import Opponents, opponent_agents
from ..agents.seeds import decision_seeds, players_key
from ..agents.table import PendingDecisions, ask_each
from ..envs import load
from ..envs.api.aec import check_seat, check_terms, payments
from ..envs.core.batch import LEGAL, first_illegal
from ..envs.core.errors import GameOverError, IllegalActionError, ResetNeededError
from ..envs.core.integers import MAX_TABLES, as_seed, whole_number
from ..envs.core.state import State, States, blank, bytes_of, copy_states, read_only
from ..envs.core.view import observed


class SeatTables:
    """The learner's own decisions at many tables; bots play the other seats between them.

    Table ``i`` plays, decision for decision, what a
    :class:`~gangland.agents.seat_env.SeatEnv` with the same arguments and the seed of table ``i``
    plays. Bots are asked once for all the tables at which they decide. Arrays are read-only views
    of what :meth:`reset` and :meth:`step` fill in place; copy what must last.

    Attributes:
        game: The game.

    Args:
        game: The game's name.
        num_envs: Number of tables.
        seat: The learner's seat; ``None`` draws one at every reset.
        opponents: Agents or their specs, one for every other seat in order, or one for all of
            them; ``None`` for the game's heuristic, or ``random`` if it has none.
        reward: ``result`` or ``score``.
        max_cycles: Truncate after this many decisions a seat on average.
        options: The game's options.

    Raises:
        OptionError: For an option that the game does not allow.
        ValueError: If a number, the seat, the reward or the opponents do not fit the table.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        seat: int | None = 0,
        opponents: Opponents = None,
        reward: str = "result",
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self.game = load(game)
        resolved = self.game.options.resolve(options)
        n = self.game.num_players(resolved)
        num_envs = whole_number("num_envs", num_envs, 1, MAX_TABLES)
        self.reward = reward
        self.num_seats = n
        self._roles = np.array(self.game.seat_roles(resolved), np.int64)
        self._chosen_seat = seat = check_seat("seat", seat, n)
        self._max_plies = check_terms(n, reward, max_cycles)
        bots = opponent_agents(self.game, n, opponents)
        # Agents keep no memory, so one can play all seats that have the same spec.
        self._agents = list(dict.fromkeys(bots))
        self._agent_of = np.array([self._agents.index(bot) for bot in bots], np.int64)
        self._template = self.game.template(**options).view(np.uint8)
        self._states = blank(self.game.dtype, num_envs)
        self._bytes = bytes_of(self._states)
        self._keys = np.zeros((num_envs, 2), np.uint64)
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._seats = np.full(num_envs, 0 if seat is None else seat, np.int64)
        self._observations = np.zeros((num_envs, self.game.observation_size), np.float32)
        self._action_masks = np.zeros((num_envs, self.game.num_actions), np.bool_)
        self._rewards = np.zeros(num_envs, np.float64)
        self._terminations = np.zeros(num_envs, np.bool_)
        self._truncations = np.zeros(num_envs, np.bool_)

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        del kept["_bytes"]
        # NumPy's own copy of records leaves garbage between the fields.
        kept["_states"] = copy_states(self._states)
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bytes = bytes_of(self._states)

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def seats(self) -> NDArray[np.int64]:
        """Int64 ``(N,)``: the learner's seat at each table."""
        return read_only(self._seats)

    @property
    def observations(self) -> NDArray[np.float32]:
        """Float32 ``(N, observation_size)``, of the learner."""
        return read_only(self._observations)

    @property
    def action_masks(self) -> NDArray[np.bool_]:
        """Bool ``(N, num_actions)``; all false at a table whose game is over."""
        return read_only(self._action_masks)

    @property
    def rewards(self) -> NDArray[np.float64]:
        """Float64 ``(N,)``: what the learner was paid since its last decision."""
        return read_only(self._rewards)

    @property
    def terminations(self) -> NDArray[np.bool_]:
        """Bool ``(N,)``: whether the game is over, and paid."""
        return read_only(self._terminations)

    @property
    def truncations(self) -> NDArray[np.bool_]:
        """Bool ``(N,)``: whether it was stopped without pay."""
        return read_only(self._truncations)

    @property
    def dones(self) -> NDArray[np.bool_]:
        """Bool ``(N,)``: tables whose game is over."""
        return self._terminations | self._truncations

    def reset(
        self, tables: NDArray[np.int64] | None = None, seeds: Sequence[int | None] | None = None
    ) -> None:
        """Start games and play the bots up to the learner's first decision.

        Args:
            tables: Int64 ``(B,)``: where; everywhere by default.
            seeds: A seed for each of all tables; ``None`` continues with the seeds that follow from
                the last one given.

        Raises:
            IntegerError: If a seed is no integer 0 to 2**64 - 1; nothing is changed.
        """
        given = None if seeds is None else [None if s is None else as_seed(s) for s in seeds]
        rows = np.arange(len(self)) if tables is None else np.asarray(tables, np.int64)
        for row in rows.tolist():
            seed = None if given is None else given[row]
            if seed is not None or self._generators[row] is None:
                self._generators[row] = seeding.np_random(seed)[0]
            if self._chosen_seat is None:
                self._seats[row] = self._generator(row).integers(self.num_seats)
        # A game can end before the learner ever decides: then the next one is played.
        while len(rows):
            for row in rows.tolist():
                self._deal(row)
            self._rewards[rows] = 0.0
            self._terminations[rows] = self._truncations[rows] = False
            self._play_bots(rows)
            rows = rows[self.dones[rows]]

    def step(self, actions: NDArray[np.int64], tables: NDArray[np.int64] | None = None) -> None:
        """Play the learner's actions and the bots up to its next decision or the end.

        Args:
            actions: Integers ``(N,)``; only those of ``tables`` are read.
            tables: Int64 ``(B,)``: where; everywhere by default.

        Raises:
            ResetNeededError: Before the first :meth:`reset`.
            GameOverError: If the game of one of the tables is over.
            IllegalActionError: Naming the first table whose action is not legal; nothing is played.
        """
        rows = np.arange(len(self)) if tables is None else np.asarray(tables, np.int64)
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (len(self),):
            raise IllegalActionError(
                f"{self.game.name}: actions of shape {given.shape} and type {given.dtype}: "
                f"must be integers of shape {(len(self),)}"
            )
        over = rows[self.dones[rows]]
        if len(over):
            raise GameOverError(f"{self.game.name}: the game of table {over[0]} is over: reset it")
        chosen = given[rows].astype(np.int64)
        wrong = first_illegal(self._action_masks[rows], chosen)
        if wrong != LEGAL:
            if not self._action_masks[rows[wrong]].any():
                raise ResetNeededError(self.game.name)
            refusal = self.game.refusal(self.state(int(rows[wrong])), int(chosen[wrong]))
            raise IllegalActionError(f"table {rows[wrong]}: {refusal}")
        self._rewards[rows] = 0.0
        if len(rows):
            self._apply(self._copies(rows), rows, chosen)
            self._play_bots(rows)

    def state(self, table: int) -> State:
        """The record of a table, live; not to be shown to agents."""
        return self._states[table]

    def _generator(self, row: int) -> np.random.Generator:
        generator = self._generators[row]
        assert generator is not None
        return generator

    def _deal(self, row: int) -> None:
        """Begin a game, with the draws of a ``SeatEnv`` in the same order."""
        generator = self._generator(row)
        self._keys[row] = players_key(int(generator.integers(2**64, dtype=np.uint64)))
        seed = generator.integers(2**64, dtype=np.uint64)
        self._bytes[row] = self._template
        self.game.compiled.reset(self._states[row], seed)

    def _copies(self, rows: NDArray[np.int64]) -> States:
        """Records of some tables; bytes are copied, since NumPy copies records field by field."""
        return self._bytes[rows].reshape(-1).view(self.game.dtype)

    def _apply(self, states: States, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Play an action at each of the copies, and put them back."""
        compiled = self.game.compiled
        compiled.batch["apply_batch"](compiled.pointers.apply, states, actions, 0, len(states))
        self._bytes[rows] = bytes_of(states)

    def _play_bots(self, rows: NDArray[np.int64]) -> None:
        """Play the bots at some tables until the learner decides there or the game is over."""
        game, compiled = self.game, self.game.compiled
        while len(rows):
            states = self._copies(rows)
            masks = np.empty((len(rows), game.num_actions), np.bool_)
            deciders = np.empty(len(rows), np.int64)
            compiled.batch["mask_batch"](
                compiled.pointers.legal_actions, states, masks, deciders, 0, len(rows)
            )
            ended = (states["over"] != 0) | (states["ply"] >= self._max_plies)
            self._finish(rows[ended])
            own = ~ended & (deciders == self._seats[rows])
            self._observations[rows[own]] = observed(
                game, states, np.flatnonzero(own), deciders[own]
            )
            self._action_masks[rows[own]] = masks[own]
            going = np.flatnonzero(~ended & ~own)
            rows = rows[going]
            if len(rows):
                states = self._copies(rows)
                actions = self._ask(rows, states, deciders[going], masks[going])
                self._apply(states, rows, actions)

    def _ask(
        self,
        rows: NDArray[np.int64],
        states: States,
        seats: NDArray[np.int64],
        masks: NDArray[np.bool_],
    ) -> NDArray[np.int64]:
        """Actions of the bots that decide, each asked once for all its tables."""
        seeds = np.zeros(len(rows), np.uint64)
        decision_seeds(self._keys, rows, states["ply"].astype(np.int64), seats, seeds)
        movers = self._agent_of[seats - (seats > self._seats[rows])]
        actions = np.zeros(len(rows), np.int64)
        pending = PendingDecisions(
            self.game,
            states,
            masks,
            np.arange(len(rows)),
            seats,
            self._roles[seats],
            seeds,
        )
        for _, mine, answers, _ in ask_each(self._agents, movers, pending):
            actions[mine] = answers.actions
        return actions

    def _finish(self, rows: NDArray[np.int64]) -> None:
        """Pay the learner, and show it the last position."""
        compiled = self.game.compiled
        for row in rows.tolist():
            state, seat = self._states[row], int(self._seats[row])
            paid = bool(state.over) and not self.game.is_truncated(state)
            if paid:
                self._rewards[row] = payments(self.game, state, self.reward)[seat]
            self._terminations[row], self._truncations[row] = paid, not paid
            compiled.batch["observe_row"](
                compiled.pointers.observe, self._states, row, seat, self._observations[row]
            )
        self._action_masks[rows] = False
