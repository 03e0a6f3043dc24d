"""An OpenEnv server: one seat of a game is played by a client, the others by agents.

The client, a language model or a program, is shown its seat's view as text and as numbers; see
:class:`SeatObservation`. It acts by :class:`SeatAction`. An action that is not legal plays nothing:
the same position is returned with the reason in ``error`` and no reward, because the protocol's
errors raise in its clients and end the rollout of a model that may well correct itself.

Nothing that is sent depends on what the seat cannot know; the protocol's state holds the episode's
name and the number of actions played. But whoever chooses the seed of a game can compute all of it.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import uuid4

from pydantic import BaseModel, StrictInt

from ..agents.outside.llm import chosen_action, correction, plain_table, question
from ..agents.seat_env import SeatEnv
from ..envs.core.errors import MissingDependencyError

try:
    from openenv.core.env_server import create_fastapi_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
except ImportError as error:
    raise MissingDependencyError(
        "gangland.adapters.openenv needs OpenEnv: pip install 'gangland[openenv]'"
    ) from error


class SeatAction(Action):  # type: ignore[misc]
    """A decision of the seat: ``text`` or ``index``.

    Attributes:
        text: The action's number in the list or its notation; or an answer of a language model,
            whose last line ``ACTION: ...`` counts.
        index: The action's place in the action mask, which takes precedence.
    """

    text: str = ""
    index: StrictInt | None = None


class LegalAction(BaseModel):
    """An action that the seat may take: its number from 1, its place in the mask, its text."""

    number: int
    index: int
    notation: str
    sentence: str


class SeatObservation(Observation):  # type: ignore[misc]
    """What the seat may know; the protocol adds ``reward`` and ``done``.

    Attributes:
        seat: The seat that is played.
        instructions: What a language model is asked to do, its system message.
        text: Events, table and numbered legal actions, its user message.
        events: Sentences on what has happened since the seat's last decision.
        legal_actions: The legal actions; none at the end.
        features: The seat's numeric observation.
        action_mask: 0 or 1 for every action of the game.
        truncated: Whether the game ended at a cap that pays nobody.
        error: Why the last action was not played; empty if it was.
    """

    seat: int
    instructions: str
    text: str
    events: list[str]
    legal_actions: list[LegalAction]
    features: list[float]
    action_mask: list[int]
    truncated: bool = False
    error: str = ""


class SeatEnvironment(Environment):  # type: ignore[misc]
    """A seat of a game; every session of the server has one of its own.

    Args:
        game: The game's name.
        settings: What :class:`~gangland.agents.seat_env.SeatEnv` takes: ``seat`` (0; ``None`` draws
            one for every game), ``opponents``, ``reward``, ``max_cycles`` and the game's options.

    Raises:
        OptionError: For an option that the game does not allow.
        ValueError: If the seat or the number of opponents does not fit the table.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, game: str = "chicago", **settings: Any) -> None:
        super().__init__()
        self._env = SeatEnv(game, history=True, **settings)
        self._state = State()
        self._done = self._truncated = False

    def reset(self, seed: int | None = None, episode_id: str | None = None) -> SeatObservation:
        """Start a game; the others play up to the seat's first decision.

        Args:
            seed: Seed of the games from here on; ``None`` goes on with those that follow.
            episode_id: The episode's name; by default a random one.

        Raises:
            IntegerError: If the seed is no integer 0 to 2**64 - 1.
        """
        state = State(episode_id=episode_id or str(uuid4()))
        self._env.reset(seed=seed)
        self._state, self._done, self._truncated = state, False, False
        return self._seen(None)

    def step(self, action: SeatAction, timeout_s: float | None = None) -> SeatObservation:
        """Play the seat's action and the others up to its next decision or the end.

        Raises:
            ResetNeededError: Before the first ``reset``.
            GameOverError: If the game has ended.
        """
        view = self._env.view()
        chosen = action.index if action.index is not None else chosen_action(view, action.text)
        if not self._done and chosen not in view.legal_actions:
            reason = correction(view)
            if action.index is not None:
                reason = f"index {chosen} is not legal; action_mask shows those that are"
            return self._seen(0.0, reason)
        _, reward, terminated, self._truncated, _ = self._env.step(chosen or 0)
        self._done = terminated or self._truncated
        self._state.step_count += 1
        return self._seen(reward)

    @property
    def state(self) -> State:
        """The episode's name and the number of actions that the seat has played in it."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """The game's name and version."""
        game = self._env.game
        return EnvironmentMetadata(
            name=game.name,
            description=f"One seat of {game.title}; agents play the others.",
            version=str(game.rules_version),
        )

    def close(self) -> None:
        """Close the table."""
        self._env.close()

    def _seen(self, reward: float | None, error: str = "") -> SeatObservation:
        view, game = self._env.view(), self._env.game
        system, user = question(game, view)
        events, text = view.history.since_own(), user["content"]
        if self._done:
            text = "\n".join([*events, "", "The game is over.", plain_table(view)])
        legal = [
            LegalAction(
                number=number,
                index=index,
                notation=view.action_text(index),
                sentence=view.describe(index),
            )
            for number, index in enumerate([] if self._done else view.legal_actions, 1)
        ]
        return SeatObservation(
            done=self._done,
            reward=reward,
            seat=view.seat,
            instructions=system["content"],
            text=text,
            events=events,
            legal_actions=legal,
            features=view.observation.tolist(),
            action_mask=self._env.action_masks().astype(int).tolist(),
            truncated=self._truncated,
            error=error,
        )


def make_app(game: str = "chicago", *, sessions: int = 16, **settings: Any) -> Any:
    """The server as an ASGI application.

    Args:
        game: The game's name.
        sessions: Sessions at a time; each has its own table.
        settings: As for :class:`SeatEnvironment`, which says what it raises; name opponents by
            their specs, so that sessions share no agent.
    """
    SeatEnvironment(game, **settings).close()
    table = partial(SeatEnvironment, game, **settings)
    return create_fastapi_app(table, SeatAction, SeatObservation, max_concurrent_envs=sessions)
