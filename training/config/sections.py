"""The sections of a configuration: network, PPO, imitation, league, evaluation.

What has no default here has its value in ``configs/selfplay.yaml``. Some values are constant or
change linearly over a training.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from ...agents.trained.model_file import Count, NetworkDescription, Number, Whole
from ...envs.core.integers import MAX_GAMES, MAX_TABLES


class Strict(BaseModel):
    """A section of a configuration; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True, allow_inf_nan=False)


class Linear(Strict):
    """A value that changes linearly from ``start`` to ``end`` over the training.

    Attributes:
        start: Value at the beginning.
        end: Value from the fraction ``until`` of the training on.
        until: Fraction of the training, in (0, 1], at which ``end`` is reached.
    """

    start: Number
    end: Number
    until: Annotated[Number, Field(gt=0.0, le=1.0)] = 1.0

    def __call__(self, progress: float) -> float:
        """Value at a progress from 0 to 1."""
        return self.start + (self.end - self.start) * min(1.0, max(0.0, progress) / self.until)


def _kind_of_schedule(value: Any) -> str:
    return "linear" if isinstance(value, (Mapping, Linear)) else "constant"


Schedule = Annotated[
    Annotated[Number, Tag("constant")] | Annotated[Linear, Tag("linear")],
    Discriminator(_kind_of_schedule),
]
"""A constant or a linear schedule."""

SCHEDULES = "a finite number, or a linear schedule such as {start: 0.01, end: 0.001}"


def check_schedule(name: str, schedule: float | Linear, *, above_zero: bool) -> None:
    """Make sure that a schedule is nowhere negative, nor zero where that would be no value.

    Raises:
        ValueError: Naming the schedule and what is allowed.
    """
    linear = isinstance(schedule, Linear)
    ends = (schedule.start, schedule.end) if isinstance(schedule, Linear) else (schedule,)
    if min(ends) < 0.0 or (above_zero and min(ends) == 0.0):
        shown = f"{{start: {ends[0]}, end: {ends[-1]}}}" if linear else f"{schedule}"
        wanted = "above 0" if above_zero else "at least 0"
        raise ValueError(f"{name}={shown}: must be {wanted}")


def value_at(schedule: float | Linear, progress: float) -> float:
    """Value of a constant or a linear schedule at a progress from 0 to 1, the end of training."""
    return schedule(progress) if isinstance(schedule, Linear) else float(schedule)


class NetworkConfig(NetworkDescription):
    """The networks.

    These are the fields of :class:`gangland.agents.trained.model_file.NetworkDescription`. What a
    file leaves to the game: ``chances: null`` stands for its most seats, and a number as ``items``
    for encoders of that width for all blocks whose rows actions concern.
    """

    model_config = ConfigDict(validate_assignment=True)


class PPOConfig(Strict):
    """Proximal policy optimisation (Schulman et al., 2017), with all seats learning.

    Attributes:
        tables: Number of tables played in parallel.
        steps: Decisions at each table in a rollout; a rollout is ``tables * steps`` decisions.
        epochs: Passes over each rollout.
        batch_size: Approximate number of decisions in a minibatch of the role that decides most;
            other roles make as many updates with smaller minibatches, so that all learn at the same
            pace. All minibatches of a rollout are equally large.
        learning_rate: Adam's learning rate: constant or linear schedule.
        entropy: Coefficient of the entropy bonus: constant or linear schedule.
        clip_range: Distance from 1 at which the probability ratio is clipped: constant or linear
            schedule.
        gae_lambda: Lambda of the generalised advantage estimate (Schulman et al., 2016).
        averaging: Decay of the exponential moving average of the weights, which is evaluated,
            frozen and saved in place of the latest weights; 0 for no averaging. It is less in the
            first rollouts, whose weights would stay in the average for long.
        magnet: Weight of the divergence of the policy from the magnet: constant or linear schedule.
            The magnet is the policy as the imitation has left it, which keeps self-play from
            forgetting that before it has found anything better (as piKL does with human play: Jacob
            et al., "Modeling strong and human-like gameplay with KL-regularized search", 2022), and
            later the policy of a few million decisions before (as in R-NaD: Perolat et al.,
            "Mastering the game of Stratego with model-free multiagent reinforcement learning",
            2022). Without an imitation it is the policy of the averaged weights, which keeps
            self-play from cycling.
        lookahead: Share of the decisions at tables of the current policy alone at which other
            actions are tried in copies of the game; 0 for none. See
            :mod:`gangland.training.rollout.lookahead`.
        normalize_advantages: Whether the advantages of a minibatch are scaled to a standard
            deviation of 1. Without this, the weights of the entropy bonus and the magnet relative
            to the rewards do not depend on how much is at stake in a decision.
    """

    tables: Annotated[Whole, Field(ge=2, le=MAX_TABLES)]
    steps: Annotated[Whole, Field(ge=1, le=2**24)]
    epochs: Annotated[Count, Field(ge=1)]
    batch_size: Annotated[Count, Field(ge=2)]
    learning_rate: Schedule
    entropy: Schedule
    clip_range: Schedule
    gae_lambda: Annotated[Number, Field(ge=0.0, le=1.0)]
    averaging: Annotated[Number, Field(ge=0.0, lt=1.0)]
    magnet: Schedule
    lookahead: Annotated[Number, Field(ge=0.0, le=1.0)]
    normalize_advantages: bool = True

    @model_validator(mode="after")
    def _schedules_are_in_range(self) -> PPOConfig:
        # A rate that falls to zero ends the learning, which is a way to end a training.
        rate = self.learning_rate
        first = rate.start if isinstance(rate, Linear) else rate
        check_schedule("ppo.learning_rate", first, above_zero=True)
        check_schedule("ppo.learning_rate", rate, above_zero=False)
        check_schedule("ppo.clip_range", self.clip_range, above_zero=True)
        check_schedule("ppo.entropy", self.entropy, above_zero=False)
        check_schedule("ppo.magnet", self.magnet, above_zero=False)
        return self


class ImitationConfig(Strict):
    """Behaviour cloning before self-play, for games in which untrained play never wins.

    The game's heuristic plays the learning seats. The policy learns its decisions, and the value
    function their results. A game without a heuristic goes without.

    Attributes:
        until: Fraction of the training after which self-play takes over.
        decisions: Decisions after which it does so at the latest: a longer training needs no more.
    """

    until: Annotated[Number, Field(gt=0.0, le=1.0)]
    decisions: Annotated[Count, Field(ge=1)]


class LeagueConfig(Strict):
    """Frozen opponents that play beside the current policy.

    Attributes:
        share: Fraction of the tables at which opponents from the league play.
        single_opponent: Probability that such a table has one seat for the current policy and the
            same opponent in all other seats.
        learner_role: Role that the current policy plays at such a table of a single opponent;
            ``null`` for all roles in turn.
        baselines: Agent specs of the opponents in the league from the start; ``null`` for the
            game's heuristics, or ``random`` where it has none.
        size: Maximum number of snapshots of the policy in the league. One of them plays at a
            time.
        snapshot_every: Iterations between snapshots.
    """

    share: Annotated[Number, Field(ge=0.0, le=1.0)]
    single_opponent: Annotated[Number, Field(ge=0.0, le=1.0)]
    learner_role: str | None = None
    baselines: list[str] | None = None
    size: Annotated[Whole, Field(ge=0, le=1024)]
    snapshot_every: Annotated[Count, Field(ge=1)]


class EvaluationConfig(Strict):
    """Matches of the current policy in one seat against each agent of a pool in all other seats.

    The policy is judged by its worst match. The latest checkpoint whose worst match is within the
    interval of the best one is kept in addition to the last.

    Attributes:
        every: Iterations between evaluations; 0 for none.
        games: Games against each agent of the pool.
        baselines: Agent specs of the pool; ``null`` for the game's heuristics, or ``random`` where
            it has none.
        final_games: Games against each of them at the end of the training; 0 for none.
    """

    every: Count
    games: Annotated[Whole, Field(ge=1, le=MAX_GAMES)]
    baselines: list[str] | None = None
    final_games: Annotated[Whole, Field(ge=0, le=MAX_GAMES)]
