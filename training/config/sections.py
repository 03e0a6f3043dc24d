"""The sections of a configuration: network, PPO, imitation, league, evaluation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from ...agents.trained.model_file import Count, NetworkDescription, Number, Whole, Widths
from ...envs.core.integers import MAX_GAMES, MAX_TABLES
from .schedules import Linear, Schedule, Strict, check_schedule

HEURISTIC = "heuristic"


class NetworkConfig(NetworkDescription):
    """The networks.

    These are the fields of :class:`gangland.agents.trained.model_file.NetworkDescription`, with
    default widths. What a file leaves to the game: ``chances: null`` stands for its most seats, and
    a number as ``items`` for encoders of that width for all blocks whose rows actions concern.
    """

    model_config = ConfigDict(validate_assignment=True)

    shared: Widths = Field(default=[256])
    policy: Widths = Field(default=[128])
    value: Widths = Field(default=[128])
    activation: Literal["tanh", "relu"] = "tanh"


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
        gamma: Discount factor from a seat's decision to its next one.
        gae_lambda: Lambda of the generalised advantage estimate (Schulman et al., 2016).
        value_coefficient: Weight of the value loss.
        max_grad_norm: Norm to which gradients are clipped.
        target_kl: An update stops when the policy has moved by 1.5 times this approximate KL
            divergence; ``null`` for never.
        averaging: Decay of the exponential moving average of the weights, which is evaluated,
            frozen and saved in place of the latest weights; 0 for no averaging.
        magnet: Weight of the divergence of the policy from the magnet: constant or linear schedule.
            The magnet is the policy as the imitation has left it, which keeps self-play from
            forgetting that before it has found anything better (as piKL does with human play: Jacob
            et al., "Modeling strong and human-like gameplay with KL-regularized search", 2022).
            Without an imitation it is the policy of the averaged weights, which keeps self-play
            from cycling.
        normalize_advantages: Whether the advantages of a minibatch are scaled to a standard
            deviation of 1. Without this, the weights of the entropy bonus and the magnet relative
            to the rewards do not depend on how much is at stake in a decision.
        sparse_inputs: Whether networks on a CPU read only the nonzero numbers of observations. This
            is faster, and results are equal up to rounding.
        observation_dtype: What the rollout buffer keeps observations in: ``float32``, or ``uint8``
            for their codes, which take a quarter to a half of the memory (see
            :mod:`gangland.envs.core.codes`). The weights that are learnt are the same.
        precision: What networks multiply matrices in while they train: ``float32``, or
            ``bfloat16``, for which accelerators have units of their own. Weights, gradients, the
            loss and checkpoints are float32 either way.
    """

    tables: Annotated[Whole, Field(ge=2, le=MAX_TABLES)] = 512
    steps: Annotated[Whole, Field(ge=1, le=2**24)] = 64
    epochs: Annotated[Count, Field(ge=1)] = 4
    batch_size: Annotated[Count, Field(ge=2)] = 4096
    learning_rate: Schedule = Linear(start=1e-3, end=1e-4)
    entropy: Schedule = Linear(start=0.02, end=0.002)
    clip_range: Schedule = 0.2
    gamma: Annotated[Number, Field(gt=0.0, le=1.0)] = 1.0
    gae_lambda: Annotated[Number, Field(ge=0.0, le=1.0)] = 0.95
    value_coefficient: Annotated[Number, Field(ge=0.0)] = 0.5
    max_grad_norm: Annotated[Number, Field(gt=0.0)] = 0.5
    target_kl: Annotated[Number | None, Field(gt=0.0)] = None
    averaging: Annotated[Number, Field(ge=0.0, lt=1.0)] = 0.0
    magnet: Schedule = 0.0
    normalize_advantages: bool = True
    sparse_inputs: bool = True
    observation_dtype: Literal["float32", "uint8"] = "float32"
    precision: Literal["float32", "bfloat16"] = "float32"

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

    The teacher plays the learning seats. The policy learns its decisions, and the value function
    their results.

    Attributes:
        teacher: Its agent spec. A game without a heuristic goes without ``heuristic``.
        until: Fraction of the training after which self-play takes over.
        smoothing: Share of the target distribution that is spread evenly over all legal actions,
            so that self-play still explores.
    """

    teacher: str = HEURISTIC
    until: Annotated[Number, Field(gt=0.0, le=1.0)] = 0.2
    smoothing: Annotated[Number, Field(ge=0.0, lt=1.0)] = 0.05


class ExploitersConfig(Strict):
    """Best responses to the current policy, trained at intervals, that join the league.

    As in a double oracle, what beats the policy becomes one of its opponents. Exploiters are
    trained by the recipe of ``gangland exploit``, one role after the other, from one start after
    the other. Their decisions do not count as the training's. The training waits for each; on a
    cluster it goes on, and an exploiter joins when it is trained.

    Attributes:
        every: Iterations between two exploiters.
        starts: What they are trained from, in turn: ``itself`` (the policy's own weights),
            ``nothing``, or ``taught`` (a new network that imitates the heuristic first). A network
            that plays otherwise than the policy may find at once what the policy's own weights
            never come to. One that starts from ``itself`` draws its actions as an opponent; others
            play as they are served.
        roles: Roles that they play, in turn; ``null`` for all.
        decisions: Number of decisions that each learns from.
        games: Number of games in which its win share is measured.
        most: Maximum number of exploiters in the league and, on a cluster, of those that are
            trained at the same time. A new one replaces the one that the policy beats most often.
    """

    every: Annotated[Count, Field(ge=1)] = 200
    starts: list[Literal["itself", "nothing", "taught"]] = Field(["itself"], min_length=1)
    roles: Annotated[list[str], Field(min_length=1)] | None = None
    decisions: Annotated[Count, Field(ge=1)] = 600_000
    games: Annotated[Whole, Field(ge=1, le=MAX_GAMES)] = 1000
    most: Annotated[Count, Field(ge=1)] = 6


class LeagueConfig(Strict):
    """Frozen opponents that play beside the current policy.

    Attributes:
        share: Fraction of the tables at which opponents from the league play.
        seat_share: Probability that a seat at such a table is given to an opponent. At least one
            seat is always played by the current policy.
        single_opponent: Probability that such a table has one seat for the current policy and the
            same opponent in all other seats.
        learner_role: Role that the current policy plays at such a table of a single opponent;
            ``null`` for all roles in turn.
        lone_stranger: Probability that such a table, instead, has one seat for an opponent and the
            current policy in all others.
        baselines: Agent specs of the opponents in the league from the start; ``null`` for the
            game's heuristics, or ``random`` where it has none.
        size: Maximum number of snapshots of the policy in the league.
        snapshot_every: Iterations between snapshots.
        active: Number of opponents that play at the same time.
        refresh_every: Iterations after which an active opponent is replaced by another one.
        compare: What beats the current policy: ``places``, to finish ahead of one of its seats, or
            ``wins``, to win the game that the seat does not win; games that a third one wins are
            then no comparison. Who wins or comes last is feared by ``wins`` alone.
        power: Opponents are drawn with a weight: the share of comparisons in which they beat the
            current policy, raised to this power.
        floor: Minimum weight of an opponent in the draw, compared with what the power has left:
            with a power of 2 a floor of 0.1 levels all opponents that beat it in less than 32 %.
        decay: Factor by which an opponent's earlier results are discounted with each new game.
        exploiters: Exploiters of the policy that join the league; ``null`` for none.
    """

    share: Annotated[Number, Field(ge=0.0, le=1.0)] = 0.5
    seat_share: Annotated[Number, Field(gt=0.0, le=1.0)] = 0.5
    single_opponent: Annotated[Number, Field(ge=0.0, le=1.0)] = 0.25
    learner_role: str | None = None
    lone_stranger: Annotated[Number, Field(ge=0.0, le=1.0)] = 0.0
    baselines: list[str] | None = None
    size: Count = 16
    snapshot_every: Annotated[Count, Field(ge=1)] = 20
    active: Annotated[Whole, Field(ge=1, le=1024)] = 4
    refresh_every: Annotated[Count, Field(ge=1)] = 4
    compare: Literal["places", "wins"] = "places"
    power: Annotated[Number, Field(ge=0.0)] = 1.0
    floor: Annotated[Number, Field(gt=0.0)] = 0.02
    decay: Annotated[Number, Field(gt=0.0, le=1.0)] = 0.995
    exploiters: ExploitersConfig | None = None


class EvaluationConfig(Strict):
    """Matches of the current policy in one seat against each agent of a pool in all other seats.

    The policy is judged by its worst match. The checkpoint with the best worst match is kept in
    addition to the last one.

    Attributes:
        every: Iterations between evaluations; 0 for none.
        games: Games against each agent of the pool.
        baselines: Agent specs of the pool; ``null`` for the game's heuristics, or ``random`` where
            it has none.
        final_games: Games against each of them at the end of the training; 0 for none.
    """

    every: Count = 25
    games: Annotated[Whole, Field(ge=1, le=MAX_GAMES)] = 200
    baselines: list[str] | None = None
    final_games: Annotated[Whole, Field(ge=0, le=MAX_GAMES)] = 1000
