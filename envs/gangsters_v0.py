"""Gangsters, the environment.

Two to four gangs fight over Prohibition Chicago; the five-player variant adds the Police Player.

| | |
|---|---|
| import | ``from gangland.envs import gangsters_v0`` |
| agents | ``gang_0 ... gang_3`` and ``police``; ``gangs=2..4`` without police |
| action space | ``Discrete(291)``, masked |
| observation | ``{"observation": Box(n,) float32, "action_mask": Box(291,) int8}`` |
| rewards | 0 until the end; then the winner gets +1, the others share -1 |
| ends | a victory terminates; ``max_rounds`` truncates, nobody is paid |
| render modes | ``human``, ``ansi``, ``svg``, ``rgb_array`` |

Usage::

    from gangland.envs import gangsters_v0

    env = gangsters_v0.env(render_mode="ansi")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    env.close()

Options (``gangsters_v0.env(gangs=3)``): ``gangs`` 2..4 (4), ``police`` (true with four gangs),
``heaters``, ``wheels``, ``dress`` (false), ``random_order`` (true; false only without police),
``salary_every_move`` (true), ``vamp_success_min`` 1..6 (1), ``trade_offers`` 0..5 (2),
``open_cash`` (false), ``max_rounds`` 1..500 (40). For every environment: ``reward`` ``result`` or
``score`` (in units of the whole way to victory), ``render_mode``, ``render_seat``.

Version history: v0, the rules of ``envs/gangsters/RULES.md``. The map and several tables are
reconstructions, and the data files say which.
"""

from __future__ import annotations

from .registration import entry_points

env, raw_env = entry_points("gangsters", 0)

__all__ = ["env", "raw_env"]
