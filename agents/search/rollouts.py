"""Policy rollouts: positions that a seat may be in, played on by trained policies for a while.

Many rollouts advance in step, so that each network reads all positions that wait for it as one
batch, beside rules that are compiled as well. Nothing of the true position is read: every rollout
begins with all that the seat cannot know drawn anew.
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
from ...envs.core.state import State
from ..trained.numpy_network import NumpyNetwork
from ..trained.policy import choose_actions, each_role, fill_chances
from .tree import add_win


class Rollouts:
    """Plays batches of rollouts from one position as a seat knows it.

    Threads may play batches side by side.

    Args:
        game: The game.
        networks: The network of each role; their value parts tell chances.
        known: The record that the seat knows.
        seat: The seat, which decides.
        seed: Randomness of the rollouts.
        depth: Own later decisions at which a rollout ends and is judged, at least 1.
        temperature: At which every seat draws its actions; 0 for the likeliest ones.
        longest: Decisions of all seats after which it ends in any case.
        whole: Whether ``known`` is the position itself, of which chance alone is drawn anew: for
            measuring what a seat's ignorance costs, never for playing.
    """

    def __init__(
        self,
        game: Game,
        networks: Sequence[NumpyNetwork],
        known: State,
        seat: int,
        seed: int,
        *,
        depth: int,
        temperature: float,
        longest: int,
        whole: bool = False,
    ) -> None:
        self._game = game
        self._networks = networks
        self._root = np.zeros(1, game.dtype)
        self._root[0] = known
        self._seat = seat
        self._seed = np.uint64(seed)
        self._depth = depth
        self._temperature = temperature
        self._longest = longest
        self._whole = whole
        self._players = game.num_seats(known)
        roles = game.seat_roles(game.read_options(known))
        self._roles = np.array(roles, np.int64)
        self._outputs = networks[0].architecture.value_outputs
        self._sample, self._share_wins = _compiled(game)

    @property
    def seats(self) -> int:
        """Most seats at a table of the game."""
        return self._game.max_seats

    def run(
        self, actions: NDArray[np.int64], samples: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], int]:
        """Play rollouts that begin with given actions, and judge where they end.

        Rollouts of the same sample begin in the same position and meet the same chance, so that
        actions are compared on equal terms.

        Args:
            actions: Int64 ``(B,)``: the legal action of the seat that each rollout begins with.
            samples: Int64 ``(B,)``: the number of each rollout's sample of what is hidden.

        Returns:
            Float64 ``(B, max_seats)``: each seat's chance of winning where the rollout ended, or
            its share of the win if the game did; and the number of positions that networks read or
            in which the game was over, at least one for each rollout.
        """
        game, batch, pointers = self._game, self._game.compiled.batch, self._game.compiled.pointers
        count, read = len(actions), 0
        chances = np.zeros((count, game.max_seats))
        states = np.zeros(count, game.dtype)
        seeds = np.zeros(count, np.uint64)
        self._sample(
            pointers.resample_hidden,
            self._root,
            self._seat,
            self._seed,
            self._whole,
            samples,
            states,
            seeds,
        )
        batch["apply_batch"](pointers.apply, states, actions, 0, count)
        rows = np.arange(count)
        own = np.zeros(count, np.int64)
        observations = np.zeros((count, game.observation_size), np.float32)
        masks = np.zeros((count, game.num_actions), np.bool_)
        seats = np.zeros(count, np.int64)
        chosen = np.zeros(count, np.int64)
        for ply in range(1, self._longest + 1):
            running = states["over"] == 0
            if not running.all():
                ended = ~running
                over = int(ended.sum())
                read += over
                finals = np.zeros((over, game.max_seats))
                self._share_wins(states[ended], finals)
                chances[rows[ended]] = finals
                rows, states, own, seeds = (
                    rows[running],
                    states[running],
                    own[running],
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
            read += count
            own += seats[:count] == self._seat
            last = (own >= self._depth) | (ply == self._longest)
            if last.any():
                self._judge(observations[:count][last], seats[:count][last], rows[last], chances)
            if last.all():
                break
            going = np.flatnonzero(~last)
            self._choose(observations, masks, seats, going, seeds, ply, chosen)
            rows, states, own, seeds = rows[going], states[going], own[going], seeds[going]
            batch["apply_batch"](pointers.apply, states, chosen[going], 0, len(going))
        return chances, read

    def _choose(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        seats: NDArray[np.int64],
        going: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        ply: int,
        chosen: NDArray[np.int64],
    ) -> None:
        """Each mover's action by its policy, into ``chosen`` at the rows ``going``."""
        draws = _draws(seeds, ply)
        roles = self._roles[seats[going]]
        for network, rows in each_role(self._networks, roles):
            picked = going[rows]
            logits = network.logits(observations[picked], masks[picked])
            choose_actions(logits, masks, draws, picked, self._temperature, chosen)

    def _judge(
        self,
        observations: NDArray[np.float32],
        seats: NDArray[np.int64],
        rows: NDArray[np.int64],
        chances: NDArray[np.float64],
    ) -> None:
        """Fill in the chances that the movers' networks tell."""
        outputs = np.zeros((len(rows), self._outputs), np.float32)
        for network, picked in each_role(self._networks, self._roles[seats]):
            outputs[picked] = network.values(observations[picked])
        told = np.zeros((len(rows), chances.shape[1]))
        fill_chances(outputs, seats, np.full(len(rows), self._players), told)
        chances[rows] = told


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
    root: Any,
    seat: int,
    seed: np.uint64,
    whole: bool,
    samples: Any,
    states: Any,
    seeds: Any,
) -> None:
    """Fill ``states`` with positions that ``seat`` may be in, and ``seeds`` with their randomness.

    Args:
        resample_hidden: The game's kernel.
        root: Records of shape ``(1,)``: what ``seat`` knows.
        seat: The seat.
        seed: Of all samples.
        whole: Whether nothing but chance is drawn anew.
        samples: Int64 ``(B,)``: numbers of the samples; equal ones give equal positions.
        states: Records ``(B,)``, filled.
        seeds: Uint64 ``(B,)``, filled.
    """
    for k in range(len(samples)):
        bits = stream(seed, np.uint64(samples[k]))
        states[k] = root[0]
        if whole:
            states[k].rng = bits
        else:
            resample_hidden(states[k], seat, bits)
        seeds[k] = stream(bits, np.uint64(1))


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
                types.void(
                    resample, states, types.int64, types.uint64, types.boolean, ints, states, bits
                ),
            ),
            (share_wins, types.void(states, types.Array(types.float64, 2, "C"))),
        ],
    )
    return sample, share
