"""Training configuration: one pydantic model that holds all that a run may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from ...agents.baseline.heuristic import has_heuristic, specs_of
from ...agents.trained.items import item_blocks
from ...agents.trained.model_file import Count, Number, Whole
from ...envs import load
from ...envs.core.game import Game
from ...envs.core.integers import as_integer, as_seed
from ...envs.registry import ENTRIES
from .sections import (
    EvaluationConfig,
    ImitationConfig,
    LeagueConfig,
    NetworkConfig,
    PPOConfig,
    Strict,
)


def _as_list(options: Any) -> Any:
    return [options] if isinstance(options, Mapping) else options


class TrainConfig(Strict):
    """What decides a training run, beside the constants of the algorithm, which stand in the code.

    Attributes:
        game: Name of the game.
        options: The game's options, or a list of several, one for each kind of table to train at:
            each gets an equal share of the tables, and one that is listed twice two shares.
        rewards: ``result`` (winners share 1, all others lose as much in equal parts), ``score`` (a
            seat's score less the mean of the others, divided by the game's ``score_scale``) or
            ``mixed`` (the sum of both); ``null`` for the game's ``objective``.
        seed: Seed of all randomness.
        start_from: Checkpoint with the initial weights, a folder or the name of a shipped bot,
            whose layers must be those of ``network``; ``null`` for random weights.
        steps: Length of the training in decisions of learning seats; ``null`` for no limit.
        minutes: Length of the training in minutes; ``null`` for no limit. At least one of the two
            limits is required.
        checkpoint_minutes: Minutes between checkpoints.
        temperature: How the trained bot plays, in evaluations too, and how its snapshots play in
            the league: 0 for the likeliest action; above 0 they draw from the softmax of ``logits /
            temperature``; ``null`` for 1 in a game that is played for points, else 0. A bot that
            draws is harder to foresee; `gangland exploit` says by how much.
        threads: Parts of the tables and of every minibatch that are worked on side by side, no more
            at a time than there are cores. Results depend on this number, not on the machine.
        network: The networks.
        ppo: The learning algorithm.
        league: Frozen opponents.
        imitation: Behaviour cloning at the beginning; ``null`` for none, as also with
            ``start_from`` and in games without a heuristic.
        evaluation: Matches against baselines.
    """

    game: str
    options: Annotated[
        list[dict[str, int | str | bool]], BeforeValidator(_as_list), Field(min_length=1)
    ] = Field([{}])
    rewards: Literal["result", "score", "mixed"] = "result"
    seed: Annotated[Whole, AfterValidator(as_seed)] = 0
    start_from: str | None = None
    steps: Annotated[Count | None, Field(ge=1)] = None
    minutes: Annotated[Number | None, Field(gt=0.0)] = None
    checkpoint_minutes: Annotated[Number, Field(ge=0.0)] = 1.0
    temperature: Annotated[Number, Field(ge=0.0, le=1e6)] = 0.0
    threads: Annotated[Whole, Field(ge=1, le=256)]
    network: NetworkConfig
    ppo: PPOConfig
    league: LeagueConfig
    imitation: ImitationConfig | None
    evaluation: EvaluationConfig

    @model_validator(mode="before")
    @classmethod
    def _fit_for_the_game(cls, data: Any) -> Any:
        """Fill in what the game decides, so that one file serves all games."""
        game = data.get("game") if isinstance(data, Mapping) else None
        if not isinstance(game, str) or game not in ENTRIES:
            return data
        changed = dict(data)
        if data.get("rewards") is None:
            changed["rewards"] = load(game).objective
        if data.get("temperature") is None:
            # Its likeliest actions alone would tell which cards a player of poker holds.
            changed["temperature"] = 1.0 if load(game).objective == "score" else 0.0
        network = data.get("network")
        if isinstance(network, Mapping):
            changed["network"] = _fitted(network, load(game))
        # A bot that is continued would unlearn what it knows.
        if not has_heuristic(load(game)) or data.get("start_from") is not None:
            changed["imitation"] = None
        return changed

    @model_validator(mode="after")
    def _fits_together(self) -> TrainConfig:
        if self.steps is None and self.minutes is None:
            raise ValueError("steps, minutes: at least one of them must be given")
        if self.ppo.magnet != 0.0 and self.imitation is None and not self.ppo.averaging:
            raise ValueError("ppo.magnet: needs an imitation, or ppo.averaging above 0")
        for options in self.distinct_options() if self.game in ENTRIES else ():
            load(self.game).options.resolve(options)
        return self

    def pool(self) -> list[str]:
        """Specs of the agents that the policy is evaluated against."""
        given = self.evaluation.baselines
        return baselines_of(self.game) if given is None else given

    def opponents(self) -> list[str]:
        """Specs of the league's opponents that are there from the start."""
        given = self.league.baselines
        return baselines_of(self.game) if given is None else given

    def distinct_options(self) -> list[dict[str, Any]]:
        """Options of each kind of table, once."""
        every = self.options
        return [options for at, options in enumerate(every) if options not in every[:at]]


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
