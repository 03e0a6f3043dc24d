"""Training configuration: one pydantic model that holds every hyper-parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    model_validator,
)

from ..agents.baseline.heuristic import has_heuristic, specs_of
from ..agents.trained.items import item_blocks
from ..agents.trained.model_file import Count, NetworkDescription, Number, Whole, Widths
from ..envs import load
from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.integers import MAX_GAMES, MAX_TABLES, as_integer, as_seed, shown
from ..envs.registry import ENTRIES


class ConfigError(GanglandError, ValueError):
    """A configuration has an unknown key or a value that is not allowed."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_assignment=True, allow_inf_nan=False)


class Linear(_Strict):
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

HEURISTIC = "heuristic"
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

    These are the fields of :class:`gangland.agents.trained.model_file.NetworkDescription`, with
    default widths. What a file leaves to the game: ``chances: null`` stands for its most seats, and
    a number as ``items`` for encoders of that width for all blocks whose rows actions concern.
    """

    model_config = ConfigDict(validate_assignment=True)

    shared: Widths = Field(default=[256])
    policy: Widths = Field(default=[128])
    value: Widths = Field(default=[128])
    activation: Literal["tanh", "relu"] = "tanh"


class PPOConfig(_Strict):
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
        magnet: Weight of the divergence of the policy from the magnet, which keeps self-play from
            cycling: constant or linear schedule.
        magnet_at: What the magnet is: the policy of the averaged weights (``average``, which needs
            averaging), or the one that the imitation has left (``imitation``), which keeps
            self-play from forgetting it before it has found anything better (as piKL does with
            human play: Jacob et al., "Modeling strong and human-like gameplay with KL-regularized
            search", 2022).
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
    magnet_at: Literal["average", "imitation"] = "average"
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

    @model_validator(mode="after")
    def _magnet_has_an_average(self) -> PPOConfig:
        if self.magnet != 0.0 and self.magnet_at == "average" and not self.averaging:
            raise ValueError("ppo.magnet: needs ppo.averaging above 0, whose weights it is")
        return self


class ShapingConfig(_Strict):
    """Potential-based reward shaping, which does not change which policies are optimal.

    After Ng, Harada and Russell, "Policy invariance under reward transformations", 1999.

    Attributes:
        potential: Kernel ``potential(state, seat) -> float``, as ``module:function``.
        weight: Weight of the shaping reward: constant or linear schedule. By default it is
            annealed to zero.
    """

    potential: str = Field(pattern=r"^\w+(\.\w+)*:\w+$")
    weight: Schedule = Linear(start=1.0, end=0.0, until=0.5)

    @model_validator(mode="after")
    def _weight_is_in_range(self) -> ShapingConfig:
        check_schedule("shaping.weight", self.weight, above_zero=False)
        return self


class ImitationConfig(_Strict):
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


class ExploitersConfig(_Strict):
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
    starts: Annotated[list[Literal["itself", "nothing", "taught"]], Field(min_length=1)] = [
        "itself"
    ]
    roles: Annotated[list[str], Field(min_length=1)] | None = None
    decisions: Annotated[Count, Field(ge=1)] = 600_000
    games: Annotated[Whole, Field(ge=1, le=MAX_GAMES)] = 1000
    most: Annotated[Count, Field(ge=1)] = 6


class LeagueConfig(_Strict):
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
        team_share: Weight of the others' results in what each seat of the policy is paid at a table
            with one stranger: its own result plus this weight times the sum of theirs. At 0 each
            plays for itself. Above 0 the policy also learns to keep a stranger from winning where
            that does not pay for the seat that does it.
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
    team_share: Annotated[Number, Field(ge=0.0, le=1.0)] = 0.0
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


class EvaluationConfig(_Strict):
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


class TrainConfig(_Strict):
    """Everything that decides a training run.

    Attributes:
        game: Name of the game.
        options: The game's options.
        variants: Kinds of tables to train with, each at an equal share of the tables: options that
            override or extend ``options``. One that is listed twice gets two shares. ``null`` for
            ``options`` only.
        rewards: ``result`` (winners share +1, all others get -1), ``score`` (a seat's score less
            the mean of the others, divided by the game's ``score_scale``, times ``score_weight``)
            or ``mixed`` (the sum of both).
        score_weight: Weight of score differences in the rewards.
        seed: Seed of all randomness.
        start_from: Checkpoint with the initial weights, a folder or the name of a shipped bot,
            whose layers must be those of ``network``; ``null`` for random weights.
        steps: Length of the training in decisions of learning seats; ``null`` for no limit.
        minutes: Length of the training in minutes; ``null`` for no limit. At least one of the two
            limits is required.
        checkpoint_minutes: Minutes between checkpoints.
        temperature: How the trained bot plays, in evaluations too: 0 for its likeliest action;
            above 0 it draws from the softmax of ``logits / temperature``. A bot that draws is
            harder to foresee; `gangland exploit` says by how much.
        threads: Number of threads that play and learn side by side, each with its share of the
            tables and of every minibatch. Results depend on this number, not on the machine.
        network: The networks.
        ppo: The learning algorithm.
        league: Frozen opponents.
        shaping: Potential-based reward shaping; ``null`` for none.
        imitation: Behaviour cloning at the beginning; ``null`` for none.
        evaluation: Matches against baselines.
    """

    game: str
    options: dict[str, int | str | bool] = {}
    variants: list[dict[str, int | str | bool]] | None = None
    rewards: Literal["result", "score", "mixed"] = "result"
    score_weight: Annotated[Number, Field(gt=0.0)] = 1.0
    seed: Annotated[Whole, AfterValidator(as_seed)] = 0
    start_from: str | None = None
    steps: Annotated[Count | None, Field(ge=1)] = None
    minutes: Annotated[Number | None, Field(gt=0.0)] = None
    checkpoint_minutes: Annotated[Number, Field(ge=0.0)] = 1.0
    temperature: Annotated[Number, Field(ge=0.0, le=1e6)] = 0.0
    threads: Annotated[Whole, Field(ge=1, le=256)] = 2
    network: NetworkConfig = NetworkConfig()
    ppo: PPOConfig = PPOConfig()
    league: LeagueConfig = LeagueConfig()
    shaping: ShapingConfig | None = None
    imitation: ImitationConfig | None = None
    evaluation: EvaluationConfig = EvaluationConfig()

    @model_validator(mode="before")
    @classmethod
    def _fit_for_the_game(cls, data: Any) -> Any:
        """Fill in what the game decides, so that one file serves all games."""
        game = data.get("game") if isinstance(data, Mapping) else None
        if not isinstance(game, str) or game not in ENTRIES:
            return data
        changed = dict(data)
        network, imitation = data.get("network"), data.get("imitation")
        if isinstance(network, Mapping):
            changed["network"] = _fitted(network, load(game))
        teacher = imitation.get("teacher", HEURISTIC) if isinstance(imitation, Mapping) else None
        if teacher == HEURISTIC and not has_heuristic(load(game)):
            changed["imitation"] = None
        return changed

    @model_validator(mode="after")
    def _has_an_end(self) -> TrainConfig:
        if self.steps is None and self.minutes is None:
            raise ValueError("steps, minutes: at least one of them must be given")
        if self.network.chances and self.ppo.gamma != 1.0:
            raise ValueError("ppo.gamma: must be 1 where network.chances are learnt")
        if self.league.single_opponent + self.league.lone_stranger > 1.0:
            raise ValueError("league: single_opponent and lone_stranger must not exceed 1 together")
        if self.league.team_share and not (self.network.chances and self.rewards == "result"):
            raise ValueError("league.team_share: needs network.chances, and rewards: result")
        if self.ppo.magnet_at == "imitation" and self.imitation is None:
            raise ValueError("ppo.magnet_at: imitation needs an imitation")
        if self.variants is not None and not self.variants:
            raise ValueError("variants: must not be empty; null for options alone")
        return self

    def pool(self) -> list[str]:
        """Specs of the agents that the policy is evaluated against."""
        given = self.evaluation.baselines
        return baselines_of(self.game) if given is None else given

    def opponents(self) -> list[str]:
        """Specs of the league's opponents that are there from the start."""
        given = self.league.baselines
        return baselines_of(self.game) if given is None else given

    def table_options(self) -> list[dict[str, Any]]:
        """Options of the tables, each with an equal share of them; some may be equal."""
        return [{**self.options, **variant} for variant in self.variants or [{}]]

    def distinct_options(self) -> list[dict[str, Any]]:
        """Options of each kind of table, once."""
        tables = self.table_options()
        return [options for at, options in enumerate(tables) if options not in tables[:at]]


def _fitted(network: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """A network's description with what it leaves to the game; see :class:`NetworkConfig`."""
    fitted = dict(network)
    if network.get("chances", 0) is None:
        fitted["chances"] = game.max_seats
    width = as_integer(network.get("items"))
    if width is not None:
        blocks = item_blocks(game)
        fitted["items"] = {name: width for name, block in blocks.items() if block.kinds}
    return fitted


def baselines_of(game: str) -> list[str]:
    """Specs of a game's heuristics, or ``random`` where it has none."""
    return list(specs_of(load(game))) or ["random"]


def parse(data: Any, name: str = "configuration") -> TrainConfig:
    """A validated configuration from plain values.

    Args:
        data: The values.
        name: What holds them, for the message: a file or a shipped configuration.

    Raises:
        ConfigError: Naming each key that is wrong and what is allowed, in one line.
    """
    if not isinstance(data, Mapping):
        raise ConfigError(f"{name}: is {type(data).__name__}, must be keys and values")
    try:
        return TrainConfig.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{name}: {'; '.join(_mistakes(error))}") from error


def _mistakes(error: ValidationError) -> list[str]:
    found = []
    for detail in error.errors():
        # Errors in unions carry the kind of value that was tried.
        kinds = ("constant", "linear", "int", "str", "bool")
        parts = [str(part) for part in detail["loc"] if part not in kinds]
        key = ".".join(parts)
        if detail["type"] == "extra_forbidden":
            known = _known(parts[:-1])
            found.append(f"unknown key {key}: must be {either(known)}")
        elif detail["type"] == "missing":
            found.append(f"{key}: must be given")
        elif detail["type"] == "value_error":
            found.append(str(detail["ctx"]["error"]))
        elif "constant" in detail["loc"]:
            found.append(f"{key}={shown(detail['input'])}: must be {SCHEDULES}")
        else:
            found.append(f"{key}={shown(detail['input'])}: {detail['msg']}")
    return found


def _known(path: list[str]) -> list[str]:
    model: Any = TrainConfig
    for part in path:
        model = next(_models_in(model.model_fields[part].annotation))
    return list(model.model_fields)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Models in an annotation, which may be a union."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for choice in get_args(annotation):
        yield from _models_in(choice)


def either(names: list[str]) -> str:
    """What is allowed, in the words of errors."""
    return "one of " + ", ".join(names)
