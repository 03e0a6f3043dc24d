"""TorchRL's own PettingZoo wrapper takes our environments as they are."""

from __future__ import annotations

import warnings

import pytest

from gangland.envs import chicago_v0, gangsters_v0

pytest.importorskip("torchrl", reason="needs gangland[torchrl]; see docs/testing.md")
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import check_env_specs


def wrapped(env):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is tested with PettingZoo 1.24
        return PettingZooWrapper(env, use_mask=True)


@pytest.mark.parametrize("module", [chicago_v0, gangsters_v0])
def test_torchrls_own_checker(module):
    check_env_specs(wrapped(module.env()))


def test_random_play_is_legal_and_every_seat_gets_its_reward():
    """An illegal action would raise. Losers are paid, too, when a rival ends the game."""
    env = wrapped(chicago_v0.env(players=3))
    env.set_seed(3)
    played = env.rollout(5000, break_when_any_done=True)
    assert bool(played["next", "done"][-1])
    table = env._env.unwrapped
    result = table.game.result(table.record)
    deciding = 0
    for seat, agent in enumerate(table.possible_agents):
        assert played["next", agent, "reward"].sum().item() == result.rewards[seat]
        # `mask` says whose turn it is; only then is there anything to choose.
        turns = played[agent, "mask"].squeeze(-1)
        chosen = played[agent, "action"].squeeze(-1)[turns]
        masks = played[agent, "action_mask"].squeeze(1)[turns]
        assert masks.gather(1, chosen[:, None]).all()
        deciding += int(turns.sum())
    assert deciding == len(played) == int(table.record.ply)
