"""Five Points: Gangs of New York, the environment.

Political gangs of the 1800s push followers through a city of moving tiles and win its elections,
for three to five seats.

| | |
|---|---|
| import | ``from gangland.envs import five_points_v0`` |
| agents | ``player_0 ... player_4`` (``players=5``; 3 to 5) |
| action space | ``Discrete(285)``, masked |
| observation | ``{"observation": Box(677,) float32, "action_mask": Box(285,) int8}`` |
| rewards | 0 until the end; then the winners share +1, the others share -1 |
| ends | always terminations; ``max_rounds`` is scored |
| render modes | ``human``, ``ansi``, ``svg``, ``rgb_array`` |

Usage::

    from gangland.envs import five_points_v0

    env = five_points_v0.env(render_mode="ansi")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    env.close()

Options (``five_points_v0.env(players=4, control_markers=8)``): ``players`` 3..5 (5),
``control_markers`` 4..20 of each colour (12), ``marker_set`` ``full24`` or ``demo18``,
``election_limit`` ``every_round`` or ``first_round_only``, ``move_rule`` ``no_holes`` or
``adjacent_only``, ``adjacent_buildings`` ``forbid`` or ``allow``, ``start_seat`` ``random`` or a
seat, ``max_rounds`` 1..200 (30). For every environment: ``reward`` ``result`` or ``score``
(in units of 60 points), ``render_mode``, ``render_seat``.

Version history: v0, the rules of ``envs/five_points/RULES.md``.
"""

from __future__ import annotations

from .registration import entry_points

env, raw_env = entry_points("five_points", 0)

__all__ = ["env", "raw_env"]
