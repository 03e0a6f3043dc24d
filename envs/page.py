"""The page of a game's environment, made from the game: the documentation of its version module."""

from __future__ import annotations

import inspect
import sys
import textwrap

from .api.aec import RENDER_MODES
from .core.game import Game
from .core.options import Option

PAGE = """\
{title}, the environment.

{about}

| | |
|---|---|
| import | ``from gangland.envs import {module}`` |
| agents | {agents} |
| action space | ``Discrete({actions})``, masked |
| observation | ``{{"observation": Box({low:g}, {high:g}, ({size},), float32), \
"action_mask": Box(0, 1, ({actions},), int8)}}`` |
| rewards | 0 until the end; then more than 0 for winners, less for the others, 0 in sum |
| ends | {ends} |
| render modes | {modes} |

Usage::

    from gangland.envs import {module}

    env = {module}.env(render_mode="ansi")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    env.close()

Options, with their defaults:

{options}

For every environment: ``reward`` ``result`` or ``score`` (in units of {scale:g} {unit}),
``render_mode``, ``render_seat``, ``max_cycles`` (truncates after so many decisions of a seat, on
average), ``history`` (whether each seat's is kept).
"""

SCORED = "terminations"
STOPPED = "terminations; where a cap of the rules stops the game without a result, truncations"


def page(game: Game, version: int) -> str:
    """The page, as Markdown.

    Args:
        game: The game.
        version: Version of its environments.
    """
    defaults = game.options.resolve({})
    low, high = game.observation_range
    return PAGE.format(
        title=game.title,
        about=_about(game),
        module=f"{game.name}_v{version}",
        agents=", ".join(f"``{agent}``" for agent in game.agent_names(defaults)),
        actions=game.num_actions,
        low=low,
        high=high,
        size=game.observation_size,
        ends=STOPPED if game.truncating_caps else SCORED,
        modes=", ".join(f"``{mode}``" for mode in RENDER_MODES),
        options="\n".join(_option(option, option.allowed(defaults)) for option in game.options),
        scale=game.score_scale,
        unit=game.score_unit,
    )


def _about(game: Game) -> str:
    """What the game's package says of itself, else its class."""
    module = sys.modules[type(game).__module__]
    package = sys.modules.get(module.__package__ or "", module)
    return inspect.cleandoc(package.__doc__ or type(game).__doc__ or game.title)


def _option(option: Option, allowed: str) -> str:
    default = str(option.default).lower() if option.flag else option.default
    text = f"- ``{option.name}`` (``{default}``; {allowed}): {option.doc}."
    return textwrap.fill(text, 100, subsequent_indent="  ")
