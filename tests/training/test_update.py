"""The compiled update does what sb3-contrib's does."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch as th

from gangland.training.config import parse
from gangland.training.loss import (
    APPROX_KL,
    CLIP_FRACTION,
    ENTROPY,
    POLICY_LOSS,
    STATISTICS,
    VALUE_LOSS,
    normalisation,
    ppo_gradients,
)
from gangland.training.selfplay import MaskablePPO, make_learner
from gangland.training.update import update
from tests.games import TOY


def batch(rows=64, actions=9):
    """Random logits, masks and targets, some ratios beyond the clipping."""
    rng = np.random.default_rng(3)
    masks = rng.random((rows, actions)) < 0.4
    masks[:, 0] = True
    chosen = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    return {
        "logits": rng.normal(0, 2, (rows, actions)).astype(np.float32),
        "values": rng.normal(0, 1, rows).astype(np.float32),
        "masks": masks,
        "actions": chosen,
        "old": np.log(rng.uniform(0.05, 1, rows)).astype(np.float32),
        "advantages": rng.normal(0, 1, rows).astype(np.float32),
        "returns": rng.normal(0, 1, rows).astype(np.float32),
    }


def by_torch(data, clip, entropy_coefficient, value_coefficient):
    """Loss terms and gradients by torch's own differentiation."""
    logits = th.tensor(data["logits"], requires_grad=True)
    values = th.tensor(data["values"], requires_grad=True)
    masked = logits.masked_fill(~th.tensor(data["masks"]), -1e8)
    log_probs = masked.log_softmax(1)
    chosen = log_probs.gather(1, th.tensor(data["actions"]).view(-1, 1)).squeeze(1)
    ratio = (chosen - th.tensor(data["old"])).exp()
    advantages = th.tensor(data["advantages"])
    policy = -th.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
    entropy = -(log_probs.exp() * log_probs).sum(1).mean()
    value = th.nn.functional.mse_loss(values, th.tensor(data["returns"]))
    (policy - entropy_coefficient * entropy + value_coefficient * value).backward()
    log_ratio = chosen - th.tensor(data["old"])
    terms = np.zeros(STATISTICS)
    terms[POLICY_LOSS], terms[VALUE_LOSS], terms[ENTROPY] = (
        float(term.detach()) for term in (policy, value, entropy)
    )
    terms[APPROX_KL] = float((ratio - 1 - log_ratio).mean().detach())
    terms[CLIP_FRACTION] = float(((ratio - 1).abs() > clip).float().mean())
    return logits.grad.numpy(), values.grad.numpy(), terms


def test_parts_of_a_minibatch_add_up_to_the_whole():
    data = batch()
    gradients, terms = np.zeros_like(data["logits"]), np.zeros(STATISTICS)
    for part in (slice(0, 64), slice(0, 20), slice(20, 64)):
        shares = np.full_like(data["logits"][part], np.nan)
        of_values, of_terms = np.zeros(len(shares), np.float32), np.zeros(STATISTICS)
        ppo_gradients(
            *(data[key][part] for key in ("logits", "values", "masks", "actions", "old")),
            *(data[key][part] for key in ("advantages", "returns")),
            0.2,
            0.03,
            0.5,
            64,
            shares,
            of_values,
            of_terms,
        )
        sign = 1 if len(shares) == 64 else -1
        gradients[part] += sign * shares
        terms += sign * of_terms
    np.testing.assert_allclose(gradients, 0.0, atol=1e-9)
    np.testing.assert_allclose(terms, 0.0, atol=1e-12)


def test_advantages_are_normalised_over_the_whole_minibatch():
    advantages = np.random.default_rng(0).normal(3, 2, 90).astype(np.float32)
    rows = np.arange(10, 80)
    mean, factor = normalisation(rows, advantages)
    normal = (advantages[rows] - mean) * factor
    assert normal.mean() == pytest.approx(0.0, abs=1e-6)
    assert normal.std(ddof=1) == pytest.approx(1.0, abs=1e-6)


def test_gradients_and_terms_are_those_of_torch():
    data = batch()
    logit_gradients = np.full_like(data["logits"], np.nan)
    value_gradients = np.full_like(data["values"], np.nan)
    terms = np.zeros(STATISTICS)
    ppo_gradients(
        *(data[key] for key in ("logits", "values", "masks", "actions", "old")),
        data["advantages"],
        data["returns"],
        0.2,
        0.03,
        0.5,
        len(data["actions"]),
        logit_gradients,
        value_gradients,
        terms,
    )
    wanted_logits, wanted_values, wanted_terms = by_torch(data, 0.2, 0.03, 0.5)
    assert 0.2 < wanted_terms[CLIP_FRACTION] < 1
    np.testing.assert_allclose(logit_gradients, wanted_logits, atol=1e-6)
    np.testing.assert_allclose(value_gradients, wanted_values, atol=1e-7)
    np.testing.assert_allclose(terms, wanted_terms, rtol=1e-4)
    assert not logit_gradients[~data["masks"]].any()


def learner_after_a_rollout(threads=1):
    config = parse(
        {
            "game": TOY,
            "steps": 1000,
            "threads": threads,
            "network": {"shared": [16], "policy": [8], "value": [8]},
            "ppo": {"tables": 16, "steps": 20, "batch_size": 100, "epochs": 2},
            "league": {"share": 0.0, "baselines": []},
        }
    )
    leader = make_learner(config, "cpu")
    leader.collector.collect(0.0)
    return leader


class Log:
    def __init__(self):
        self.values = {}

    def record(self, key, value, exclude=None):
        self.values[key] = value


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_an_update_moves_the_weights_as_maskable_ppo_does(threads):
    results = []
    for train in (MaskablePPO.train, update):
        th.manual_seed(0)
        leader = learner_after_a_rollout(threads)
        start = copy.deepcopy(leader.policy.state_dict())
        leader._logger = Log()
        train(leader)
        moved = {k: (v - start[k]).numpy() for k, v in leader.policy.state_dict().items()}
        assert any(np.abs(step).max() > 1e-4 for step in moved.values())
        results.append((moved, leader._logger.values))
        leader.collector.close()
    (theirs, their_log), (ours, our_log) = results
    for name, step in theirs.items():
        np.testing.assert_allclose(ours[name], step, atol=2e-5, err_msg=name)
    assert set(our_log) >= {key for key in their_log if key.startswith("train/")}
    for key in ("train/policy_gradient_loss", "train/value_loss", "train/entropy_loss"):
        assert our_log[key] == pytest.approx(float(their_log[key]), rel=1e-3, abs=1e-5)
