"""The stateless endpoint: positions of other people's engines, decisions of our bots."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.core.game import Game
from ..envs.core.rng import draw_seed
from .bots import Question
from .hub import Hub
from .problems import ServingError
from .protocol import BotReply, BotRequest
from .sandbox import Job


async def reply(hub: Hub, name: str, asked: BotRequest, bot: str | None) -> BotReply:
    """A bot's decision in a posted position.

    Raises:
        UnknownGameError: If there is no such game.
        ServingError: ``bad_request`` if the position makes no sense.
    """
    game = hub.game(name)
    spec = hub.bots.check(name, bot)
    if (asked.state is None) == (asked.observation is None):
        raise ServingError("bad_request", "give either state or observation and legal")
    seed = draw_seed() if asked.seed is None else asked.seed
    if asked.state is not None:
        offer = hub.bots.offers(name)[spec]
        job = Job(name, offer.made_from, asked.state, seed, asked.explain)
        return BotReply(bot=spec, **await hub.ask_sandbox(job))
    if not hub.bots.offers(name)[spec].takes_observations:
        raise ServingError("bad_request", f"{spec} needs a state, not an observation")
    question = from_arrays(game, asked, seed)
    answer = await hub.bots.ask(name, spec, question)
    return BotReply(
        bot=spec,
        action=answer.action,
        probabilities=_by_action(answer.probabilities, asked.legal or []),
        value=answer.value,
    )


def from_arrays(game: Game, asked: BotRequest, seed: int) -> Question:
    """The question of an observation and legal actions.

    Raises:
        ServingError: ``bad_request``, naming what does not fit the game.
    """
    with np.errstate(over="ignore"):
        observation = np.array(asked.observation, np.float32)
    if observation.shape != (game.observation_size,) or not np.isfinite(observation).all():
        raise ServingError(
            "bad_request", f"observation: must be {game.observation_size} finite numbers"
        )
    if not asked.legal or max(asked.legal) >= game.num_actions:
        raise ServingError("bad_request", f"legal: must be actions 0..{game.num_actions - 1}")
    if asked.role is None and len(game.roles) > 1:
        raise ServingError("bad_request", f"role: must be one of {', '.join(game.roles)}")
    if asked.role is not None and asked.role not in game.roles:
        raise ServingError("bad_request", f"role: must be one of {', '.join(game.roles)}")
    mask = np.zeros(game.num_actions, np.bool_)
    mask[asked.legal] = True
    role = 0 if asked.role is None else game.roles.index(asked.role)
    return Question(observation, mask, role, seed, None, asked.explain)


def _by_action(shares: Any, legal: list[int]) -> dict[int, float] | None:
    return None if shares is None else {a: float(shares[a]) for a in sorted(set(legal))}
