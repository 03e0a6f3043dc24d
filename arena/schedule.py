"""Who sits where in an arena: line-ups drawn evenly, seats rotated, the same deals for all.

A *deal* is a game seed. Every line-up that is played on a deal is played in all its *rotations*:
agents move from seat to seat until every agent has played every seat. In games with several roles
(``Game.seat_roles``) agents rotate only among the seats of one role; roles with different numbers
of seats rotate at the same time, for the least common multiple of their sizes. Rotations that
seat the same agents (four equal ones of five, say) are played once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of an arena, in order of deals.

    Attributes:
        line_ups: Int64 of shape ``(G, seats)``: index of the agent in each seat.
        deals: Int64 of shape ``(G,)``: number of the game's seed.
    """

    line_ups: NDArray[np.int64]
    deals: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.deals)

    def spread(self) -> Schedule:
        """The same line-ups, each on a deal of its own.

        Games on one deal share its luck and count as one observation. Where a game costs much and
        there are few, each is therefore worth most on a deal of its own.
        """
        return Schedule(self.line_ups, np.arange(len(self)))


def rotations(line_up: Sequence[int], roles: Sequence[int]) -> list[tuple[int, ...]]:
    """All different seatings of a line-up, agents moving on within the seats of their role.

    Args:
        line_up: Agent of each seat.
        roles: Role of each seat.

    >>> rotations((7, 8, 8), (0, 0, 0))
    [(7, 8, 8), (8, 7, 8), (8, 8, 7)]
    >>> rotations((7, 8, 9), (0, 0, 1))
    [(7, 8, 9), (8, 7, 9)]
    """
    classes = [[s for s, r in enumerate(roles) if r == role] for role in sorted(set(roles))]
    found: dict[tuple[int, ...], None] = {}
    for shift in range(math.lcm(*(len(seats) for seats in classes))):
        turned = list(line_up)
        for seats in classes:
            for k, seat in enumerate(seats):
                turned[seats[(k + shift) % len(seats)]] = line_up[seat]
        found[tuple(turned)] = None
    return list(found)


def table_schedule(table: Sequence[int], roles: Sequence[int], games: int) -> Schedule:
    """One table in all its rotations, on enough deals for at least ``games`` games.

    Args:
        table: Agent of each seat.
        roles: Role of each seat.
        games: Games wanted; rounded up to full rotations.
    """
    turned = rotations(table, roles)
    deals = -(-games // len(turned))
    return Schedule(
        np.tile(np.array(turned, np.int64), (deals, 1)), np.repeat(np.arange(deals), len(turned))
    )


def pool_schedule(num_agents: int, roles: Sequence[int], games: int, seed: int) -> Schedule:
    """Line-ups of a pool of agents, drawn evenly, in all their rotations.

    Each line-up holds the agents as evenly as its seats allow: with ``k`` agents at ``n`` seats
    every agent gets ``n // k`` seats, and the remaining seats go to the agents that had the fewest
    of these so far, then to those that met the others of this line-up least often. Every deal is
    played by as many line-ups as it takes to give every agent the same number of games in every
    seat.

    Args:
        num_agents: Agents in the pool.
        roles: Role of each seat; seats are distributed role by role.
        games: Games wanted; rounded up to full deals.
        seed: Seed of the draw.
    """
    rng = np.random.default_rng(seed)
    classes = [[s for s, r in enumerate(roles) if r == role] for role in sorted(set(roles))]
    draws = [_EvenDraw(num_agents, len(seats), rng) for seats in classes]
    block = math.lcm(*(draw.block for draw in draws))
    line_ups: list[tuple[int, ...]] = []
    deals: list[int] = []
    deal = 0
    while len(line_ups) < games:
        for _ in range(block):
            line_up = [0] * len(roles)
            for seats, draw in zip(classes, draws, strict=True):
                for seat, agent in zip(seats, draw.next(), strict=True):
                    line_up[seat] = agent
            turned = rotations(line_up, roles)
            line_ups += turned
            deals += [deal] * len(turned)
        deal += 1
    return Schedule(np.array(line_ups, np.int64), np.array(deals, np.int64))


class _EvenDraw:
    """Distributes the seats of one role among the agents of a pool.

    Attributes:
        block: Line-ups after which every agent has had the same number of places.
    """

    def __init__(self, num_agents: int, seats: int, rng: np.random.Generator) -> None:
        self._base, self._extra = divmod(seats, num_agents)
        self.block = num_agents // math.gcd(num_agents, self._extra)
        self._rng = rng
        self._places = np.zeros(num_agents, np.int64)
        self._met = np.zeros((num_agents, num_agents), np.int64)

    def next(self) -> list[int]:
        """Agents of the next line-up, one per seat, in random order."""
        chosen: list[int] = []
        for _ in range(self._extra):
            free = [a for a in self._rng.permutation(len(self._places)) if a not in chosen]
            chosen.append(
                int(min(free, key=lambda a: (self._places[a], self._met[a, chosen].sum())))
            )
        self._places[chosen] += 1
        self._met[np.ix_(chosen, chosen)] += 1
        everyone = list(range(len(self._places))) * self._base + chosen
        while True:
            # An order that repeats itself (abab) has fewer rotations, and would count for less.
            order = [int(agent) for agent in self._rng.permutation(everyone)]
            different = len(rotations(order, [0] * len(order)))
            if different == len(order) or len(set(order)) == 1:
                return order
