"""Dominate the Chicago Underworld, the environment.

Territories, henchmen, hit men and two jokers: a card game of the 1920s for two to six seats.

| | |
|---|---|
| import | ``from gangland.envs import chicago_v0`` |
| agents | ``player_0 ... player_4`` (``players=5``; 2 to 6) |
| action space | ``Discrete(66)``, masked |
| observation | ``{"observation": Box(190,) float32, "action_mask": Box(66,) int8}`` |
| rewards | 0 until the end; then the winners share +1, the others share -1 |
| ends | always terminations; ``turn_cap`` is scored |
| render modes | ``human``, ``ansi``, ``svg``, ``rgb_array`` |

Usage::

    from gangland.envs import chicago_v0

    env = chicago_v0.env(render_mode="ansi")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    env.close()

Options (``chicago_v0.env(players=4, hand_limit=6)``): ``players`` 2..6 (5), ``deck_end``
``first_empty`` or ``reshuffle``, ``bribe`` 5..60 (50), ``hand_limit`` 3..10 (5), ``turn_cap`` 0 for
the default or 1..10000, ``start_seat`` ``random`` or a seat. For every environment: ``reward``
``result`` or ``score`` (in units of 180 points), ``render_mode``, ``render_seat``.

Version history: v0, the rules of ``envs/chicago/RULES.md``.
"""

from __future__ import annotations

from .registration import entry_points

env, raw_env = entry_points("chicago", 0)

__all__ = ["env", "raw_env"]
