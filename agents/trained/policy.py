"""A trained policy from a checkpoint folder, run by NumPy: playing does not need torch."""

from __future__ import annotations

import hashlib
import importlib.resources
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.errors import reason_of
from ...envs.core.game import Game
from ...envs.core.kernel import kernel
from ...envs.core.rng import mix
from ...envs.core.view import Detail, NoRecordsError, View, ViewBatch
from ..base import BatchAgent
from ..decision import Decisions
from .items import described, item_blocks
from .model_file import (
    MODEL_FILE,
    MOST_BYTES,
    MOST_WEIGHTS,
    WEIGHTS_FILE,
    CheckpointError,
    architecture_of,
    read_bytes,
    read_model,
)
from .network import Weights
from .numpy_network import NumpyNetwork
from .weights import HEADER_BYTES, halved, read_weights
from .whole import whole_folder

BOT = "bot"
"""Folder of a game's bot among the shipped checkpoints; others are milestones."""

DEALS = 16
"""Sampled positions over which the values of other seats are averaged."""
HUB = "hf://"
"""Beginning of the name of a checkpoint on the Hugging Face Hub."""
QUICK = 1_000_000
"""Number of weights up to which a network answers faster, in a fifth of a millisecond at most, than
a busy server can pass the request to another thread and back."""


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

    @property
    def lineage(self) -> list[dict[str, Any]]:
        """Its lineage, itself included: what one that starts from it inherits."""
        data = read_bytes(self.folder / WEIGHTS_FILE, 4 * MOST_WEIGHTS + HEADER_BYTES)
        digest = hashlib.sha256(data).hexdigest()[:16]
        return [*self.model["lineage"], {"network": digest, "steps": self.model["steps"]}]

    @cached_property
    def networks(self) -> dict[str, NumpyNetwork]:
        """Each role's network.

        Raises:
            CheckpointError: If the file of weights is not what ``model.json`` says.
        """
        architecture = architecture_of(self.model)
        return {role: NumpyNetwork(architecture, weights) for role, weights in self.weights.items()}

    def write_half(self, folder: Path) -> int:
        """Write what is needed for playing into a new folder, weights as float16.

        Args:
            folder: Must not exist; the folder that it stands in must.

        Returns:
            The size of the file of weights in bytes.

        Raises:
            CheckpointError: If the folder exists or cannot be written, or a weight is too large for
                float16.
        """
        weights = halved(self.weights)
        model = read_bytes(self.folder / MODEL_FILE, MOST_BYTES)
        if folder.exists():
            raise CheckpointError(f"{folder} cannot be written: it exists")
        if not folder.parent.is_dir():
            raise CheckpointError(f"{folder} cannot be written: {folder.parent} is not a folder")
        try:
            with whole_folder(folder) as draft:
                (draft / WEIGHTS_FILE).write_bytes(weights)
                (draft / MODEL_FILE).write_bytes(model)
        except OSError as error:
            raise CheckpointError(f"{folder} cannot be written: {reason_of(error)}") from error
        return len(weights)

    def fitted(self, game: Game) -> Checkpoint:
        """Itself, once it is sure that it was trained for this game.

        Raises:
            CheckpointError: If it was not, naming everything that differs.
        """
        wanted = identity(game)
        differs = [
            f"{key} is {self.model.get(key)!r}, the game has {value!r}"
            for key, value in wanted.items()
            if self.model.get(key) != value
        ]
        if differs:
            raise CheckpointError(f"{self.folder} does not fit {game.name}: {'; '.join(differs)}")
        known, stored = described(item_blocks(game)), self.model["item_blocks"]
        other = [name for name, block in stored.items() if known.get(name) != block]
        if other:
            raise CheckpointError(
                f"{self.folder} does not fit {game.name}: other item_blocks: {', '.join(other)}"
            )
        return self


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
    """Names of the checkpoints that come with the package, ``chicago/bot`` for example.

    By game; first its milestones, then the game's bot.
    """
    root = _shipped_root()
    found = (p.parent.relative_to(root) for p in root.rglob(MODEL_FILE) if p.is_file())
    ordered = sorted(found, key=lambda path: (path.parts[0], path.name == BOT, path.name))
    return [path.as_posix() for path in ordered]


def is_shipped(name: str) -> bool:
    """Whether a name such as ``chicago/bot``, or ``chicago`` for short, is a shipped bot's."""
    return name in {one for bot in shipped_bots() for one in (bot, bot.split("/")[0])}


def find_checkpoint(name: str) -> Path:
    """Folder of a checkpoint.

    Args:
        name: The name of a shipped bot, ``chicago/bot``, or ``chicago`` for short; a checkpoint
            folder (``./chicago`` where a shipped bot has its name); a folder of checkpoints (the
            newest counts), as written by training; or ``hf://ORG/NAME`` on the Hugging Face Hub,
            see :mod:`gangland.agents.trained.hub`. A ``ppo:`` in front, as in the agent's spec, is
            left out.

    Raises:
        CheckpointError: If there is none, naming the shipped ones.
    """
    name = name.removeprefix("ppo:")
    if name.startswith(HUB):
        from .hub import download

        return download(name)
    candidates = [Path(name), Path(name) / "checkpoints"]
    for candidate in [_shipped_root() / name] if is_shipped(name) else candidates:
        for folder in (candidate, candidate / BOT):
            if (folder / MODEL_FILE).is_file():
                return folder
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


def load_checkpoint(name: str) -> Checkpoint:
    """Find a checkpoint by what :func:`find_checkpoint` takes, and read it.

    Raises:
        CheckpointError: If there is none, or it cannot be read.
    """
    return read_checkpoint(find_checkpoint(name))


class PolicyAgent(BatchAgent):
    """Plays a checkpoint's policy.

    **Chances of winning.** A network that learns chances (``network.chances``) gives those of all
    seats by what the deciding one sees. A network with one value learns the rewards of the
    deciding seat: its chance is the one at which a single winner would expect that reward, clipped
    to 0 to 1. Asked for all seats (``Detail.ALL``), it takes the means of the others' values over
    :data:`DEALS` positions that the deciding seat cannot distinguish, and the chances of all are
    scaled to the sum 1, the deciding seat's with them. Where the configuration's ``rewards`` are
    ``mixed`` or ``score``, such a value holds score differences, too, and its chances are only
    approximate.

    Attributes:
        networks: The network of each role.
        temperature: How it draws its actions; see below.

    Args:
        game: The game.
        path: What :func:`find_checkpoint` takes.
        temperature: 0 plays the likeliest action; above, actions are drawn from the softmax of
            ``logits / temperature``, by the decision's own seed alone. By default as the checkpoint
            says.

    Raises:
        CheckpointError: If there is no checkpoint, or it does not fit the game.
        ValueError: If the temperature is negative.
    """

    needs_records = False

    def __init__(self, game: Game, path: str | Path, *, temperature: float | None = None) -> None:
        if temperature is not None and not temperature >= 0.0:
            raise ValueError(f"temperature={temperature}: must be at least 0")
        self.game = game
        self.checkpoint = load_checkpoint(str(path)).fitted(game)
        own: float = self.checkpoint.model["temperature"]
        self.temperature = own if temperature is None else temperature
        setting = f"?temperature={self.temperature:g}" if self.temperature != own else ""
        self.spec = f"ppo:{path}{setting}"
        self.folder = self.checkpoint.folder
        self.networks = [self.checkpoint.networks[role] for role in game.roles]
        self._outputs = self.networks[0].architecture.value_outputs
        self.quick = max(network.size for network in self.networks) <= QUICK

    @property
    def gives_chances(self) -> bool:
        """Whether its networks estimate how likely each seat is to win."""
        return bool(self.checkpoint.model["network"]["chances"])

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """The policy's actions; probabilities and chances where the views ask for them.

        Probabilities are those of temperature 1. Where no record holds the number of seats, a
        network that learns chances gives the deciding seat's own, and another one gives none.

        Raises:
            CheckpointError: If the weights give logits that are no numbers.
            NoRecordsError: If chances of all seats are wanted of a network with one value, and the
                views have no records.
        """
        inputs = views.observations
        actions = np.full(len(views), -1, np.int64)
        shares = outputs = None
        if views.detail >= Detail.OWN:
            shares = np.zeros(views.masks.shape)
            outputs = np.zeros((len(views), self._outputs), np.float32)
        for network, rows in each_role(self.networks, views.roles):
            masks = views.masks[rows]
            if shares is None or outputs is None:
                logits = network.logits(inputs[rows], masks)
            else:
                logits, outputs[rows] = network.logits_and_values(inputs[rows], masks)
                shares[rows] = masked_softmax(logits, masks)
            choose_actions(logits, views.masks, views.seeds, rows, self.temperature, actions)
        if (actions < 0).any():
            raise CheckpointError(f"{self.spec}: no legal action, or logits that are no numbers")
        return Decisions(
            actions, shares, None if outputs is None else self._chances(views, outputs)
        )

    def strategy(self, views: ViewBatch) -> NDArray[np.float64]:
        """The likeliest action alone at temperature 0, else the softmax at the temperature."""
        inputs = views.observations
        shares = np.zeros(views.masks.shape)
        for network, rows in each_role(self.networks, views.roles):
            masks = views.masks[rows]
            logits = network.logits(inputs[rows], masks)
            if self.temperature:
                shares[rows] = masked_softmax(logits / np.float32(self.temperature), masks)
            else:
                shares[rows, np.where(masks, logits, -np.inf).argmax(1)] = 1.0
        return shares

    def logits(self, views: ViewBatch) -> NDArray[np.float64]:
        """Unmasked logits, float64 of shape ``(B, num_actions)``."""
        inputs = views.observations
        logits = np.zeros(views.masks.shape)
        for network, rows in each_role(self.networks, views.roles):
            logits[rows] = network.logits(inputs[rows])
        return logits

    def _chances(
        self, views: ViewBatch, outputs: NDArray[np.float32]
    ) -> NDArray[np.float64] | None:
        """Chances of winning as the views ask for them, of shape ``(B, max_seats)``.

        Args:
            views: Of the deciding seats.
            outputs: Float32 ``(B, outputs)`` of the value parts.
        """
        try:
            sizes = views.sizes
        except NoRecordsError:
            if not self.gives_chances:
                return None
            sizes = np.zeros(len(views), np.int64)
        chances = np.full((len(views), self.game.max_seats), np.nan)
        if self.gives_chances:
            fill_chances(outputs, views.seats, sizes, chances)
        elif views.detail == Detail.ALL:
            for k in range(len(views)):
                values = self._all_values(views[k], float(outputs[k, 0]))
                chances[k, : sizes[k]] = share_out(chances_of_values(values, sizes[k]))
        else:
            rows = np.arange(len(views))
            chances[rows, views.seats] = chances_of_values(outputs[:, 0].astype(np.float64), sizes)
        return chances

    def _all_values(self, view: View, own: float) -> NDArray[np.float64]:
        """Values of all seats at the table, those of other seats from sampled positions."""
        game = self.game
        roles = game.seat_roles(game.read_options(view.known))
        deals = [view.sample_state((view.seed + k) % 2**64) for k in range(DEALS)]
        values = np.full(len(roles), own)
        for seat, role in enumerate(roles):
            if seat != view.seat:
                seen = np.stack([game.observe(deal, seat) for deal in deals])
                values[seat] = self.networks[role].values(seen)[:, 0].mean()
        return values


def each_role(
    networks: Sequence[NumpyNetwork], roles: NDArray[np.int64]
) -> Iterator[tuple[NumpyNetwork, NDArray[np.int64]]]:
    """The network of each role that decides, and the rows where it does.

    Args:
        networks: The network of each role.
        roles: Int64 ``(B,)``: the role that decides in each row.
    """
    for role, network in enumerate(networks):
        rows = np.flatnonzero(roles == role)
        if len(rows):
            yield network, rows


def masked_softmax(
    logits: NDArray[np.floating[Any]], mask: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Probabilities of the legal actions, in proportion to ``exp(logits)``; 0 for all others.

    Args:
        logits: ``(..., actions)``.
        mask: Bool of the same shape, True for at least one action each.
    """
    masked = np.where(mask, logits.astype(np.float64), -np.inf)
    weights = np.exp(masked - masked.max(-1, keepdims=True))
    shares: NDArray[np.float64] = weights / weights.sum(-1, keepdims=True)
    return shares


def chances_of_values(values: NDArray[np.float64], sizes: Any) -> NDArray[np.float64]:
    """Chances at which seats expect these results, each clipped to 0 to 1.

    A single winner is paid 1, and all others share -1: of ``n`` seats, one that wins with
    probability ``p`` expects ``(n * p - 1) / (n - 1)``.

    Args:
        values: Float64 of any shape.
        sizes: Number of seats of the table, or of each table; where it is 0, the chance is NaN.
    """
    seats = np.where(np.asarray(sizes) > 0, sizes, np.nan)
    return np.clip((values * (seats - 1.0) + 1.0) / seats, 0.0, 1.0)


def share_out(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances scaled to the sum 1; equal ones where nobody has any."""
    total = chances.sum()
    return chances / total if total > 0.0 else np.full(len(chances), 1.0 / len(chances))


@kernel
def fill_chances(outputs: Any, seats: Any, sizes: Any, chances: Any) -> None:
    """Chances of all seats, which add up to 1 at each table.

    Args:
        outputs: Float32 ``(B, 1 + max_seats)``: see
            :class:`gangland.agents.trained.network.Architecture`.
        seats: Int64 ``(B,)``: the deciding seats.
        sizes: Int64 ``(B,)``: seats of each table. Where it is not known, 0: all logits are counted
            then, those of absent seats with them, which training has made small.
        chances: Float64 ``(B, max_seats)``, filled for the seats at the table, or for the deciding
            one if their number is not known.
    """
    for k in range(len(outputs)):
        size = sizes[k]
        counted = size if size > 0 else chances.shape[1]
        highest = -np.inf
        for seat in range(counted):
            highest = max(highest, outputs[k, 1 + seat])
        total = 0.0
        for seat in range(counted):
            total += np.exp(outputs[k, 1 + seat] - highest)
        if size == 0:
            chances[k, seats[k]] = np.exp(outputs[k, 1] - highest) / total
        for seat in range(size):
            chances[k, (seats[k] + seat) % size] = np.exp(outputs[k, 1 + seat] - highest) / total


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
