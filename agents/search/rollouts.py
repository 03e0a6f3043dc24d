"""Policy rollouts: positions that a seat may be in, played on by trained policies for a while.

Many rollouts advance in step, of many decisions if there are so many, so that each network reads
all positions that wait for it as one batch, beside rules that are compiled as well. Nothing of the
true position is read: every rollout begins with a new sample of all that the seat cannot know.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from ...envs.core.compiling.compiled import compile_all, signatures_of_rules
from ...envs.core.compiling.pointers import KernelPointer
from ...envs.core.game import Game
from ...envs.core.kernel import kernel
from ...envs.core.rng import stream
from ...envs.core.state import States
from ...envs.core.view import roles_of_seats
from ..trained.numpy_network import NumpyNetwork
from ..trained.policy import choose_actions, each_role, fill_chances
from .tree import add_win


class Rollouts:
    """Plays batches of rollouts from positions as those who decide there know them: the roots.

    Threads may play batches side by side.

    Args:
        game: The game.
        networks: The network of each role; their value parts give chances.
        known: Records ``(R,)``: what is known at each root.
        seats: Int64 ``(R,)``: the seat that decides there.
        seeds: Uint64 ``(R,)``: randomness of its rollouts.
        depth: Own later turns at whose beginning a rollout ends and is judged, at least 1: the seat
            decides again after others have.
        temperature: At which every seat draws its actions; 0 for the likeliest ones.
        longest: Decisions of all seats after which it ends in any case.
        whole: Whether ``known`` are the positions themselves, of which chance alone is sampled:
            for measuring what a seat's ignorance costs, never for playing.
    """

    def __init__(
        self,
        game: Game,
        networks: Sequence[NumpyNetwork],
        known: States,
        seats: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        *,
        depth: int,
        temperature: float,
        longest: int,
        whole: bool = False,
    ) -> None:
        self._game = game
        self._networks = networks
        self._roots = known
        self._seats = seats
        self._seeds = seeds
        self._depth = depth
        self._temperature = temperature
        self._longest = longest
        self._whole = whole
        self._players = known["num_seats"].astype(np.int64)
        self._roles = roles_of_seats(game, known)
        self._outputs = networks[0].architecture.value_outputs
        self._sample, self._share_wins = _compiled(game)

    @property
    def seats(self) -> int:
        """Most seats at a table of the game."""
        return self._game.max_seats

    def run(
        self,
        roots: NDArray[np.int64],
        actions: NDArray[np.int64],
        samples: NDArray[np.int64],
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Play rollouts that begin with given actions, and judge where they end.

        Rollouts of the same root and sample begin in the same position and meet the same chance, so
        that actions are compared on equal terms. None depends on what stands beside it.

        Args:
            roots: Int64 ``(B,)``: the root of each rollout.
            actions: Int64 ``(B,)``: the legal action of its seat that each begins with.
            samples: Int64 ``(B,)``: the number of each rollout's sample of what is hidden.

        Returns:
            Float64 ``(B, max_seats)``: each seat's chance of winning where the rollout ended, or
            its share of the win if the game did; and int64 ``(B,)``: how many positions of each
            networks read or found the game over in, at least one.
        """
        game, batch, pointers = self._game, self._game.compiled.batch, self._game.compiled.pointers
        count = len(actions)
        read = np.zeros(count, np.int64)
        chances = np.zeros((count, game.max_seats))
        states = np.zeros(count, game.dtype)
        seeds = np.zeros(count, np.uint64)
        self._sample(
            pointers.resample_hidden,
            self._roots,
            self._seats,
            self._seeds,
            self._whole,
            roots,
            samples,
            states,
            seeds,
        )
        batch["apply_batch"](pointers.apply, states, actions, 0, count)
        rows = np.arange(count)
        # From the seat to others and back: twice for each turn.
        changes = np.zeros(count, np.int64)
        observations = np.zeros((count, game.observation_size), np.float32)
        masks = np.zeros((count, game.num_actions), np.bool_)
        seats = np.zeros(count, np.int64)
        chosen = np.zeros(count, np.int64)
        for ply in range(1, self._longest + 1):
            running = states["over"] == 0
            if not running.all():
                over = rows[~running]
                read[over] += 1
                finals = np.zeros((len(over), game.max_seats))
                self._share_wins(states[~running], finals)
                chances[over] = finals
                rows, states, changes, seeds = (
                    rows[running],
                    states[running],
                    changes[running],
                    seeds[running],
                )
            count = len(rows)
            if not count:
                break
            batch["look_batch"](
                pointers.legal_actions,
                pointers.observe,
                states,
                observations[:count],
                masks[:count],
                seats[:count],
                0,
                count,
            )
            read[rows] += 1
            here = roots[rows]
            changes += (seats[:count] == self._seats[here]) == (changes % 2 == 1)
            last = (changes == 2 * self._depth) | (ply == self._longest)
            if last.any():
                chances[rows[last]] = self._judge(
                    observations[:count][last], seats[:count][last], here[last]
                )
            if last.all():
                break
            going = np.flatnonzero(~last)
            roles = self._roles[here[going], seats[going]]
            self._choose(observations, masks, roles, going, seeds, ply, chosen)
            rows, states, seeds = rows[going], states[going], seeds[going]
            changes = changes[going]
            batch["apply_batch"](pointers.apply, states, chosen[going], 0, len(going))
        return chances, read

    def _choose(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        roles: NDArray[np.int64],
        going: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        ply: int,
        chosen: NDArray[np.int64],
    ) -> None:
        """Each mover's action by the policy of its role, into ``chosen`` at the rows ``going``."""
        draws = _draws(seeds, ply)
        for network, rows in each_role(self._networks, roles):
            picked = going[rows]
            logits = network.logits(observations[picked], masks[picked])
            choose_actions(logits, masks, draws, picked, self._temperature, chosen)

    def _judge(
        self,
        observations: NDArray[np.float32],
        seats: NDArray[np.int64],
        roots: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """The chances ``(B, max_seats)`` that the movers' networks give."""
        outputs = np.zeros((len(seats), self._outputs), np.float32)
        for network, picked in each_role(self._networks, self._roles[roots, seats]):
            outputs[picked] = network.values(observations[picked])
        chances = np.zeros((len(seats), self.seats))
        fill_chances(outputs, seats, self._players[roots], chances)
        return chances


@kernel
def _draws(seeds: Any, ply: int) -> Any:
    """The randomness of one decision of each rollout, uint64 ``(B,)``."""
    draws = np.empty(len(seeds), np.uint64)
    for k in range(len(seeds)):
        draws[k] = stream(seeds[k], np.uint64(ply))
    return draws


@kernel
def sample_positions(
    resample_hidden: Any,
    known: Any,
    seats: Any,
    seeds: Any,
    whole: bool,
    roots: Any,
    samples: Any,
    states: Any,
    drawn: Any,
) -> None:
    """Fill ``states`` with positions that seats may be in, and ``drawn`` with their randomness.

    Args:
        resample_hidden: The game's kernel.
        known: Records ``(R,)``: what is known at each root.
        seats: Int64 ``(R,)``: who knows it.
        seeds: Uint64 ``(R,)``: of all samples of a root.
        whole: Whether nothing but chance is sampled.
        roots: Int64 ``(B,)``: the root of each position.
        samples: Int64 ``(B,)``: numbers of the samples; equal ones of a root give equal positions.
        states: Records ``(B,)``, filled.
        drawn: Uint64 ``(B,)``, filled.
    """
    for k in range(len(samples)):
        root = roots[k]
        bits = stream(seeds[root], np.uint64(samples[k]))
        states[k] = known[root]
        if whole:
            states[k].rng = bits
        else:
            resample_hidden(states[k], seats[root], bits)
        drawn[k] = stream(bits, np.uint64(1))


@kernel
def share_wins(states: Any, shares: Any) -> None:
    """Each seat's share of the win in games that are over; see :func:`.tree.add_win`.

    Args:
        states: Records ``(B,)``.
        shares: Float64 ``(B, max_seats)`` of zeros, filled.
    """
    for k in range(len(states)):
        add_win(states[k], shares[k])


@cache
def _compiled(game: Game) -> tuple[Any, Any]:
    """:func:`sample_positions` and :func:`share_wins` for a game."""
    record = numba.from_dtype(game.dtype)
    states = types.Array(record, 1, "C")
    ints, bits = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")
    resample = KernelPointer(signatures_of_rules(record)["resample_hidden"])
    sample, share = compile_all(
        f"{game.name} rollouts",
        [
            (
                sample_positions,
                types.void(resample, states, ints, bits, types.boolean, ints, ints, states, bits),
            ),
            (share_wins, types.void(states, types.Array(types.float64, 2, "C"))),
        ],
    )
    return sample, share
