"""The networks: sb3-contrib's masked policy with a lean softmax, and their weights as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn
from torch.nn import functional

from .config import NetworkConfig

ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}
HUGE_NEGATIVE = -1e8


class SharedLayers(BaseFeaturesExtractor):
    """Layers that policy and value share: ``(B, inputs)`` to ``(B, features)``.

    Args:
        observation_space: Of the observation, with the advice if there is any.
        widths: Of the layers.
        activation: Between them.
    """

    def __init__(
        self,
        observation_space: spaces.Box,
        widths: list[int],
        activation: type[nn.Module],
    ) -> None:
        size = int(observation_space.shape[0])
        super().__init__(observation_space, widths[-1] if widths else size)
        layers: list[nn.Module] = []
        for width in widths:
            layers += [nn.Linear(size, width), activation()]
            size = width
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: th.Tensor) -> th.Tensor:
        """Features of observations."""
        features: th.Tensor = self.layers(observations)
        return features


class MaskedPolicy(MaskableActorCriticPolicy):  # type: ignore[misc]
    """sb3-contrib's policy without a distribution object: one masked log-softmax instead.

    Values, log probabilities and entropies are the same (a test compares them); validating and
    building the distribution took about a tenth of an update.

    Args:
        hint_weight: What full advice adds to its action's logit. Observations end with the
            advice, a number an action; 0: they do not.
    """

    def __init__(self, *args: Any, hint_weight: float = 0.0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hint_weight = hint_weight

    def logits_and_values(self, observations: th.Tensor) -> tuple[th.Tensor, th.Tensor]:
        """Unmasked logits ``(B, actions)`` and values ``(B,)`` of float32 observations."""
        features = self.features_extractor(observations)
        policy, value = self.mlp_extractor(features)
        logits = self.action_net(policy)
        if self.hint_weight:
            logits = logits + self.hint_weight * observations[:, -logits.shape[1] :]
        return logits, self.value_net(value).flatten()

    def evaluate_actions(
        self,
        obs: th.Tensor,
        actions: th.Tensor,
        action_masks: th.Tensor | NDArray[Any] | None = None,
    ) -> tuple[th.Tensor, th.Tensor, th.Tensor]:
        """Values ``(B, 1)``, log probabilities ``(B,)`` and entropies ``(B,)``."""
        logits, values = self.logits_and_values(obs)
        if action_masks is not None:
            masks = th.as_tensor(action_masks, dtype=th.bool, device=logits.device)
            logits = logits.masked_fill(~masks.view(logits.shape), HUGE_NEGATIVE)
        log_probs = functional.log_softmax(logits, dim=1)
        # A masked action has probability 0 exactly, and 0 * -1e8 is 0.
        entropy = -(log_probs.exp() * log_probs).sum(1)
        chosen = log_probs.gather(1, actions.long().view(-1, 1)).squeeze(1)
        return values.unsqueeze(1), chosen, entropy


def policy_kwargs(network: NetworkConfig) -> dict[str, Any]:
    """Arguments of :class:`MaskedPolicy` for a network."""
    activation = ACTIVATIONS[network.activation]
    return {
        **({"hint_weight": network.hint_weight} if network.hint else {}),
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": activation,
        # SB3's own epsilon; one pass over each weight in place of a dozen.
        "optimizer_kwargs": {"eps": 1e-5, "fused": True},
        "features_extractor_class": SharedLayers,
        "features_extractor_kwargs": {
            "widths": list(network.shared),
            "activation": activation,
        },
        "normalize_images": False,
    }


def export_weights(policy: MaskedPolicy) -> dict[str, NDArray[np.float32]]:
    """Weights by layer, ``shared.0.weight`` to ``value.head.bias``, as float32 arrays."""
    weights: dict[str, NDArray[np.float32]] = {}
    for name, layer in _layers(policy).items():
        weights[f"{name}.weight"] = layer.weight.detach().cpu().numpy().copy()
        weights[f"{name}.bias"] = layer.bias.detach().cpu().numpy().copy()
    return weights


def import_weights(policy: MaskedPolicy, weights: Mapping[str, NDArray[np.float32]]) -> None:
    """Set the weights from :func:`export_weights`'s arrays.

    Raises:
        KeyError: If a layer is missing.
        ValueError: If a layer has another shape.
    """
    with th.no_grad():
        for name, layer in _layers(policy).items():
            for kind in ("weight", "bias"):
                given = weights[f"{name}.{kind}"]
                parameter = getattr(layer, kind)
                if tuple(given.shape) != tuple(parameter.shape):
                    raise ValueError(f"{name}.{kind}: {given.shape}, not {tuple(parameter.shape)}")
                parameter.copy_(th.as_tensor(given))


class FrozenNetwork:
    """Logits of one set of weights, policy part only, for opponents that do not learn.

    Args:
        weights: As from :func:`export_weights`.
        network: The network that they fill.
        device: Where to compute.
    """

    def __init__(
        self,
        weights: Mapping[str, NDArray[np.float32]],
        network: NetworkConfig,
        device: th.device | str = "cpu",
    ) -> None:
        names = [f"shared.{i}" for i in range(len(network.shared))]
        names += [f"policy.{i}" for i in range(len(network.policy))]
        self._hidden = [self._layer(weights, name, device) for name in names]
        self._head = self._layer(weights, "policy.head", device)
        self._activation = th.tanh if network.activation == "tanh" else th.relu
        self._hint_weight = network.hint_weight if network.hint else None
        self.device = th.device(device)

    @staticmethod
    def _layer(
        weights: Mapping[str, NDArray[np.float32]], name: str, device: th.device | str
    ) -> tuple[th.Tensor, th.Tensor]:
        weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        return th.tensor(weight, device=device), th.tensor(bias, device=device)

    def logits(self, observations: th.Tensor) -> th.Tensor:
        """Unmasked logits ``(B, actions)``."""
        x = observations
        for weight, bias in self._hidden:
            x = self._activation(functional.linear(x, weight, bias))
        logits = functional.linear(x, *self._head)
        if self._hint_weight is not None:
            logits = logits + self._hint_weight * observations[:, -logits.shape[1] :]
        return logits


def _layers(policy: MaskedPolicy) -> dict[str, nn.Linear]:
    parts = {
        "shared": policy.features_extractor.layers,
        "policy": policy.mlp_extractor.policy_net,
        "value": policy.mlp_extractor.value_net,
    }
    layers: dict[str, nn.Linear] = {}
    for part, sequence in parts.items():
        linear = [layer for layer in sequence if isinstance(layer, nn.Linear)]
        layers |= {f"{part}.{i}": layer for i, layer in enumerate(linear)}
    layers["policy.head"] = policy.action_net
    layers["value.head"] = policy.value_net
    return layers
