"""PettingZoo's checks in one wrapper.

Each of PettingZoo's wrappers looks every attribute up in the one below: two of them take four
times as long as the games. This one refuses what they refuse, and asks the table itself.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from pettingzoo.utils.wrappers.order_enforcing import (
    AECOrderEnforcingIterable,
    AECOrderEnforcingIterator,
)

from .aec import GameEnv

Observation = dict[str, NDArray[Any]]


class CheckedEnv(OrderEnforcingWrapper[str, Observation, "int | None"]):  # type: ignore[misc]
    """What ``OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))`` does, in a quarter of the time.

    Actions outside the action space are illegal actions like others: the table refuses them.

    Args:
        env: The table.
    """

    env: GameEnv

    def step(self, action: int | None) -> None:
        """Play the deciding agent's action; ``None`` for an agent whose game is over.

        Raises:
            AttributeError: Before ``reset``.
            IllegalActionError: If it is no integer, or not legal now; nothing is changed.
        """
        table = self.env
        if not self._has_reset or not table.agents:
            super().step(action)
            return
        self._has_updated = True
        table.step(action)

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last decision, ends and info of the deciding agent.

        Raises:
            AttributeError: Before ``reset``.
        """
        last: tuple[Any, float, bool, bool, dict[str, Any]]
        last = self.env.last(observe) if self._has_reset else super().last(observe)
        return last

    def agent_iter(self, max_iter: int = 2**63) -> AECOrderEnforcingIterable[str, Any, Any]:
        """Deciding agents until all are gone; each has to step before the next comes.

        Raises:
            AssertionError: Before ``reset``.
        """
        super().agent_iter(max_iter)  # which refuses before reset
        return _Turns(self, max_iter)

    def __str__(self) -> str:
        return str(self.env)


class _Turns(AECOrderEnforcingIterable[str, Any, Any]):  # type: ignore[misc]
    def __iter__(self) -> _Turn:
        return _Turn(self.env, self.max_iter)


class _Turn(AECOrderEnforcingIterator[str, Any, Any]):  # type: ignore[misc]
    env: CheckedEnv

    def __next__(self) -> str:
        table = self.env.env
        if not table.agents or self.iters_til_term <= 0:
            raise StopIteration
        self.iters_til_term -= 1
        assert self.env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
        self.env._has_updated = False
        agent: str = table.agent_selection
        return agent
