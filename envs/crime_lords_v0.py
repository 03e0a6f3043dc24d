"""Crime Lords, the environment.

Mobs of the big city: recruit Crooks, take over their Rackets, rub out rivals' men, and hold enough
of the city at the end of a turn; for two to eight seats.

| | |
|---|---|
| import | ``from gangland.envs import crime_lords_v0`` |
| agents | ``player_0 ... player_4`` (``players=5``; 2 to 8) |
| action space | ``Discrete(488)``, masked |
| observation | ``{"observation": Box(2050,) float32, "action_mask": Box(488,) int8}`` |
| rewards | 0 until the end; then share - (1 - share) / (n - 1) of the k winners' shares 1 / k |
| ends | ``max_rounds`` terminates with rewards; ``max_decisions`` truncates, nobody is paid |
| render modes | ``human``, ``ansi``, ``svg``, ``rgb_array`` |

Usage::

    from gangland.envs import crime_lords_v0

    env = crime_lords_v0.env(render_mode="ansi")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    env.close()

Options (``crime_lords_v0.env(players=4, victory="long")``): ``players`` 2..8 (5), ``victory``
``short`` or ``long``, ``victory_target`` ``none`` or 1..52 Rackets, ``bonus_counts`` (on),
``end_mode`` ``rackets``, ``domination`` or ``last_standing``, ``agreement`` (on), ``trade`` (on),
``offers_per_turn`` 0..6 (2), ``show_specials`` (on), ``auction_crooks`` (3) and
``auction_rackets`` (2) a Mob as far as the deck goes, ``bid_money`` 0..25 (25), ``start_money``
0..500 (50), ``retoken`` ``end`` or ``start``, ``max_backouts`` 0..10 (2), ``max_rounds`` 1..500
(40), ``max_decisions`` 100..10000000 (50000), ``open_money`` (off), ``allow_quit`` (off). For
every environment: ``reward`` ``result`` or ``score`` (in units of 16 Rackets), ``render_mode``,
``render_seat``.

Version history: v0, the rules of ``envs/crime_lords/RULES.md``.
"""

from __future__ import annotations

from .registration import entry_points

env, raw_env = entry_points("crime_lords", 0)

__all__ = ["env", "raw_env"]
