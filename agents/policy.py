"""A trained policy from a checkpoint folder, in NumPy and one kernel: playing needs no torch."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.core.game import Game
from ..envs.core.kernel import kernel
from ..envs.core.rng import mix
from ..envs.core.view import View, ViewBatch
from .base import Agent
from .model_file import MODEL_FILE, WEIGHTS_FILE, CheckpointError, read_model
from .weights import Weights, read_weights


class Network:
    """A role's multi-layer perceptron: shared layers, then policy and value parts of their own.

    Args:
        weights: Arrays named ``shared.0.weight`` to ``value.head.bias``, each weight of shape
            ``(out, in)``.
        layout: ``shared``, ``policy``, ``value`` (lists of widths) and ``activation``; with a
            ``hint``, every input ends with an agent's advice, a number an action, and
            ``hint_weight`` is what 1 adds to the action's logit.
    """

    def __init__(
        self, weights: Mapping[str, NDArray[np.float32]], layout: Mapping[str, Any]
    ) -> None:
        self._parts = {
            part: [self._layer(weights, f"{part}.{i}") for i in range(len(layout[part]))]
            for part in ("shared", "policy", "value")
        }
        self._heads = {part: self._layer(weights, f"{part}.head") for part in ("policy", "value")}
        self._relu = layout["activation"] == "relu"
        self._hint_weight = layout["hint_weight"] if layout.get("hint") else None
        first = self._parts["shared"] or self._parts["policy"] or [self._heads["policy"]]
        self._inputs = len(first[0][0])

    @staticmethod
    def _layer(
        weights: Mapping[str, NDArray[np.float32]], name: str
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        # Transposed once, so that the kernel runs through contiguous memory.
        return np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]

    @property
    def size(self) -> int:
        """Number of weights."""
        layers = [layer for part in self._parts.values() for layer in part]
        return sum(weight.size for weight, _ in (*layers, *self._heads.values()))

    def _through(self, part: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
        for weight, bias in self._parts[part]:
            x = affine(x, weight, bias)
            x = np.maximum(x, 0.0, out=x) if self._relu else np.tanh(x, out=x)
        return x

    def _head(self, part: str, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        if inputs.ndim != 2 or inputs.shape[1] != self._inputs:
            raise ValueError(f"inputs of shape {inputs.shape}: must be (B, {self._inputs})")
        features = self._through("shared", inputs)
        return affine(self._through(part, features), *self._heads[part])

    def logits(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unmasked logits ``(B, actions)`` of inputs ``(B, observation_size)``.

        With a hint, inputs are longer by the number of actions.

        Raises:
            ValueError: If the inputs have another shape.
        """
        logits = self._head("policy", inputs)
        if self._hint_weight is not None:
            logits += np.float32(self._hint_weight) * inputs[:, -logits.shape[1] :]
        return logits

    def values(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Expected results ``(B,)`` of inputs as for :meth:`logits`."""
        return self._head("value", inputs)[:, 0]


@kernel
def affine(x: Any, weight: Any, bias: Any) -> Any:
    """``x @ weight + bias``, skipping zeros of ``x``; float32 of shape ``(B, out)``.

    Not NumPy's product: its BLAS keeps threads of its own, which cost a factor of ten where
    several agents or workers share the cores, and sums in another order for another batch.
    """
    rows, inner = x.shape
    out = np.empty((rows, weight.shape[1]), np.float32)
    for k in range(rows):
        out[k] = bias
        for i in range(inner):
            factor = x[k, i]
            if factor != 0.0:
                for j in range(weight.shape[1]):
                    out[k, j] += factor * weight[i, j]
    return out


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint folder holds for playing.

    Attributes:
        folder: Where it is.
        model: Checked contents of ``model.json``.
    """

    folder: Path
    model: dict[str, Any]

    @cached_property
    def weights(self) -> dict[str, Weights]:
        """Each role's weights.

        Raises:
            CheckpointError: If the file of weights is not what ``model.json`` says.
        """
        return read_weights(self.folder / WEIGHTS_FILE, self.model)

    @cached_property
    def networks(self) -> dict[str, Network]:
        """Each role's network.

        Raises:
            CheckpointError: If the file of weights is not what ``model.json`` says.
        """
        return {
            role: Network(weights, self.model["network"]) for role, weights in self.weights.items()
        }

    def check(self, game: Game) -> None:
        """Make sure that the checkpoint was trained for this game.

        Raises:
            CheckpointError: Naming everything that differs.
        """
        wanted = identity(game)
        differs = [
            f"{key} is {self.model.get(key)!r}, the game has {value!r}"
            for key, value in wanted.items()
            if self.model.get(key) != value
        ]
        if differs:
            raise CheckpointError(f"{self.folder} does not fit {game.name}: {'; '.join(differs)}")
        self._check_hint(game)

    def _check_hint(self, game: Game) -> None:
        from .heuristic import specs_of

        hint, known = self.model["network"]["hint"], specs_of(game)
        if hint is not None and hint not in known:
            raise CheckpointError(
                f"{self.folder} does not fit {game.name}: network.hint={hint!r}: "
                f"must be null or one of {', '.join(known) or 'none'}"
            )


def identity(game: Game) -> dict[str, Any]:
    """What a checkpoint and a game must agree on."""
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "observation_size": game.observation_size,
        "num_actions": game.num_actions,
        "roles": list(game.roles),
    }


def shipped_bots() -> list[str]:
    """Names of the checkpoints that come with the package, ``chicago/v1`` for example."""
    root = _shipped_root()
    return sorted(
        p.parent.relative_to(root).as_posix() for p in root.rglob(MODEL_FILE) if p.is_file()
    )


def find_checkpoint(name: str) -> Path:
    """Folder of a checkpoint.

    Args:
        name: A checkpoint folder; a folder of checkpoints (the newest counts), as written by
            training; or the name of a shipped bot, ``chicago/v1``, or ``chicago`` for the newest.

    Raises:
        CheckpointError: If there is none, naming the shipped ones.
    """
    for candidate in (Path(name), Path(name) / "checkpoints", _shipped_root() / name):
        if (candidate / MODEL_FILE).is_file():
            return candidate
        if candidate.is_dir():
            found = [p.parent for p in candidate.glob(f"*/{MODEL_FILE}") if p.parent.name[0] != "."]
            if found:
                return max(found, key=lambda path: _natural(path.name))
    known = ", ".join(shipped_bots()) or "none"
    raise CheckpointError(f"no checkpoint at {name!r}; bots that come with the package: {known}")


def read_checkpoint(folder: Path) -> Checkpoint:
    """Read ``model.json``; the weights are read when they are first used.

    Raises:
        CheckpointError: If it is missing, damaged, of a later format, or not allowed.
    """
    return Checkpoint(folder, read_model(folder / MODEL_FILE))


class PolicyAgent(Agent):
    """Plays a checkpoint's policy.

    Args:
        game: The game.
        path: What :func:`find_checkpoint` takes.
        temperature: 0 plays the likeliest action; above, actions are drawn from the softmax of
            ``logits / temperature``, by the decision's own seed alone.

    Raises:
        CheckpointError: If there is no checkpoint, or it does not fit the game.
        ValueError: If the temperature is negative.
    """

    def __init__(self, game: Game, path: str | Path, *, temperature: float = 0.0) -> None:
        if not temperature >= 0.0:
            raise ValueError(f"temperature={temperature}: must be at least 0")
        self.game = game
        self.temperature = temperature
        self.spec = f"ppo:{path}" + (f"?temperature={temperature:g}" if temperature else "")
        self.checkpoint = read_checkpoint(find_checkpoint(str(path)))
        self.checkpoint.check(game)
        self._networks = [self.checkpoint.networks[role] for role in game.roles]
        self.hinter = self._make_hinter()
        self._hint_scale = float(self.checkpoint.model["network"].get("hint_scale", 0.0))
        told = self.hinter is not None and self.hinter.needs_records
        self.needs_records = told or len(self._networks) > 1

    def _make_hinter(self) -> Agent | None:
        """The agent whose advice the networks are given, if they are."""
        spec = self.checkpoint.model["network"].get("hint")
        if not spec:
            return None
        from .registry import make_built_in

        return make_built_in(spec, self.game)

    def inputs(self, view: View) -> NDArray[np.float32]:
        """What the network is given for a view: float32 ``(1, inputs)``.

        The observation and, for networks that are given an agent's advice, that: 0 everywhere
        if the seat is not to decide.
        """
        if self.hinter is None:
            return view.observation[None]
        advice = np.zeros(self.game.num_actions, np.float32)
        if view.deciding:
            advice = self.hinter.advise(view, self._hint_scale)
        return np.concatenate([view.observation, advice])[None]

    def act(self, view: View) -> int:
        """The policy's action for the deciding seat."""
        actions = self._choose(
            self.inputs(view),
            view.action_mask[None],
            np.array([self._role(view.known, view.seat)]),
            np.array([view.seed], np.uint64),
        )
        return int(actions[0])

    def act_batch(self, views: ViewBatch) -> NDArray[np.int64]:
        """The policy's actions, int64 of shape ``(B,)``."""
        inputs = views.observations
        if self.hinter is not None:
            advice = self.hinter.advise_batch(views, self._hint_scale)
            inputs = np.concatenate([inputs, advice], axis=1)
        return self._choose(inputs, views.masks, self._roles(views), views.seeds)

    def probabilities(self, view: View) -> NDArray[np.float64]:
        """Probability of every action at temperature 1, of shape ``(num_actions,)``."""
        network = self._networks[self._role(view.known, view.seat)]
        logits = network.logits(self.inputs(view))[0].astype(np.float64)
        masked = np.where(view.action_mask, logits, -np.inf)
        weights = np.exp(masked - masked.max())
        shares: NDArray[np.float64] = weights / weights.sum()
        return shares

    def value(self, view: View) -> float:
        """Expected result for the view's seat, in the rewards that it was trained on."""
        network = self._networks[self._role(view.known, view.seat)]
        return float(network.values(self.inputs(view))[0])

    def _role(self, known: Any, seat: int) -> int:
        if len(self._networks) == 1:
            return 0
        return self.game.seat_roles(self.game.read_options(known))[seat]

    def _roles(self, views: ViewBatch) -> NDArray[np.int64]:
        if len(self._networks) == 1:
            return np.zeros(len(views), np.int64)
        return np.array(
            [self._role(views.known[k], int(views.seats[k])) for k in range(len(views))]
        )

    def _choose(
        self,
        inputs: NDArray[np.float32],
        masks: NDArray[np.bool_],
        roles: NDArray[np.int64],
        seeds: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        actions = np.full(len(masks), -1, np.int64)
        for role, network in enumerate(self._networks):
            rows = np.flatnonzero(roles == role)
            if len(rows):
                logits = network.logits(inputs[rows])
                choose_actions(logits, masks, seeds, rows, self.temperature, actions)
        if (actions < 0).any():
            raise CheckpointError(f"{self.spec}: no legal action, or logits that are no numbers")
        return actions


@kernel
def choose_actions(
    logits: Any, masks: Any, seeds: Any, rows: Any, temperature: float, actions: Any
) -> None:
    """Pick legal actions; -1 where there is none.

    Args:
        logits: Float32 ``(B, actions)``.
        masks: Bool ``(N, actions)``.
        seeds: Uint64 ``(N,)``: randomness of each decision.
        rows: Int64 ``(B,)``: row of ``masks``, ``seeds`` and ``actions`` of each row of logits.
        temperature: 0 for the likeliest action.
        actions: Int64 ``(N,)``, filled at ``rows``.
    """
    for k in range(len(rows)):
        row = rows[k]
        best = -1
        for action in range(masks.shape[1]):
            legal = masks[row, action] and np.isfinite(logits[k, action])
            if legal and (best < 0 or logits[k, action] > logits[k, best]):
                best = action
        actions[row] = best
        if best < 0 or temperature == 0.0:
            continue
        total = 0.0
        for action in range(masks.shape[1]):
            if masks[row, action]:
                total += np.exp((logits[k, action] - logits[k, best]) / temperature)
        left = np.float64(mix(seeds[row]) >> np.uint64(11)) * 2.0**-53 * total
        for action in range(masks.shape[1]):
            if masks[row, action]:
                actions[row] = action
                left -= np.exp((logits[k, action] - logits[k, best]) / temperature)
                if left < 0.0:
                    break


def _shipped_root() -> Path:
    return Path(str(importlib.resources.files("gangland.checkpoints")))


def _natural(name: str) -> list[tuple[int, int | str]]:
    """Sort key by which ``v10`` comes after ``v9``."""
    import re

    parts = re.split(r"(\d+)", name)
    return [(1, int(part)) if part.isdigit() else (0, part) for part in parts]
