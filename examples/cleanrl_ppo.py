"""PPO in one file, in the manner of CleanRL: masks, and every seat learns by self-play.

    pip install 'gangland[train]'
    python examples/cleanrl_ppo.py --total-decisions 2000000 --plot curve.png

One network plays all seats of all tables. Each seat at each table is a trajectory of its own: its
next state is what it sees at its own next decision, and what it is paid in between belongs to the
earlier one. Nothing here but the rules is Gangland's, so everything can be changed; ``gangland
train`` is the fast way to the same, with a league of opponents.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter

from gangland.agents import BatchAgent, Decisions
from gangland.arena import play_table
from gangland.envs import make_vec


def parse_args() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--game", default="chicago")
    add("--seed", type=int, default=1)
    add("--total-decisions", type=int, default=2_000_000, help="of all seats together")
    add("--num-envs", type=int, default=256, help="tables that are played side by side")
    add("--num-steps", type=int, default=64, help="decisions at each table in a rollout")
    add("--num-minibatches", type=int, default=8)
    add("--update-epochs", type=int, default=4)
    add("--learning-rate", type=float, default=5e-4, help="falls to zero in a straight line")
    add("--gamma", type=float, default=1.0, help="games end, so results need no discount")
    add("--gae-lambda", type=float, default=0.95)
    add("--clip-coef", type=float, default=0.2)
    add("--ent-coef", type=float, default=0.01)
    add("--vf-coef", type=float, default=0.5)
    add("--max-grad-norm", type=float, default=0.5)
    add("--hidden", type=int, default=128)
    add("--threads", type=int, default=1, help="of torch; small networks gain little by more")
    add("--eval-every", type=int, default=8, help="updates between two evaluations")
    add("--eval-games", type=int, default=400)
    add("--logdir", type=Path, default=Path("runs/cleanrl"))
    add("--plot", type=Path, help="file for a picture of the learning curve")
    return parser.parse_args()


def layer(inputs: int, outputs: int, std: float = np.sqrt(2)) -> nn.Linear:
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, std)
    nn.init.zeros_(linear.bias)
    return linear


class Network(nn.Module):
    """Policy and value of the seat that looks."""

    def __init__(self, observation_size: int, num_actions: int, hidden: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            layer(observation_size, hidden), nn.Tanh(), layer(hidden, hidden), nn.Tanh()
        )
        self.actor = layer(hidden, num_actions, 0.01)
        self.critic = layer(hidden, 1, 1.0)

    def forward(self, seen: Any, mask: Any) -> tuple[Categorical, Any]:
        """The distribution over legal actions, and the value, of shape ``(B,)``."""
        features = self.body(seen)
        logits = self.actor(features).masked_fill(~mask, -1e9)
        return Categorical(logits=logits), self.critic(features).squeeze(-1)

    @torch.no_grad()
    def value(self, seen: Any) -> Any:
        """NumPy values of observations of any leading shape."""
        return self.critic(self.body(torch.from_numpy(seen))).squeeze(-1).numpy()


class Learned(BatchAgent):
    """The network as an agent of the arena: it draws its actions, as it did when it learned."""

    spec = "cleanrl"
    needs_records = False

    def __init__(self, network: Network) -> None:
        self.network = network

    @torch.no_grad()
    def decide_batch(self, views: Any) -> Decisions:
        seen, masks = torch.from_numpy(views.observations), torch.from_numpy(views.masks)
        shares = self.network(seen, masks)[0].probs.double().numpy().cumsum(1)
        # A decision's seed is all the randomness that an agent may use.
        drawn = (views.seeds >> np.uint64(11)) * 2.0**-53 * shares[:, -1]
        return Decisions((shares > drawn[:, None]).argmax(1))


def win_share(network: Network, game: str, seats: int, rivals: str, games: int) -> float:
    """Share of the wins of one seat against ``rivals`` in all others; seats are rotated."""
    players: list[Any] = [Learned(network), *[rivals] * (seats - 1)]
    return play_table(game, players, games=games, seed=1).of("cleanrl").win.share


def rollout(tables: Any, network: Network, steps: int) -> dict[str, Any]:
    """Play so many decisions at each table; arrays of shape ``(steps, tables, ...)``."""
    n, seats = tables.num_envs, tables.num_seats
    kept: dict[str, Any] = {
        "observations": np.zeros((steps, *tables.observations.shape), np.float32),
        "masks": np.zeros((steps, *tables.action_masks.shape), np.bool_),
        "seats": np.zeros((steps, n), np.int64),
        "actions": np.zeros((steps, n), np.int64),
        "logprobs": np.zeros((steps, n), np.float32),
        "values": np.zeros((steps, n), np.float32),
        "rewards": np.zeros((steps, n, seats), np.float32),
        "dones": np.zeros((steps, n), np.bool_),
        # Values of what a truncation cut off; zero where a game ended by its rules.
        "cut": np.zeros((steps, n, seats), np.float32),
    }
    for t in range(steps):
        kept["observations"][t] = tables.observations
        kept["masks"][t] = tables.action_masks
        kept["seats"][t] = tables.seats
        with torch.no_grad():
            policy, values = network(
                torch.from_numpy(tables.observations), torch.from_numpy(tables.action_masks)
            )
            actions = policy.sample()
        kept["actions"][t], kept["values"][t] = actions.numpy(), values.numpy()
        kept["logprobs"][t] = policy.log_prob(actions).numpy()
        tables.step(kept["actions"][t])
        kept["rewards"][t] = tables.rewards[:, :seats]
        kept["dones"][t] = tables.dones
        cut = np.flatnonzero(tables.truncations)
        if len(cut):
            kept["cut"][t, cut] = network.value(tables.final_observations(cut))[:, :seats]
    return kept


def advantages(kept: dict[str, Any], last: Any, gamma: float, lam: float) -> Any:
    """Generalised advantage estimation along each seat's own decisions.

    Args:
        kept: What :func:`rollout` gave.
        last: Values of all seats where the rollout stopped, ``(tables, seats)``.
        gamma: Discount.
        lam: GAE's lambda.

    Returns:
        Float32 of shape ``(steps, tables)``.
    """
    steps, n = kept["values"].shape
    rows, found = np.arange(n), np.zeros((steps, n), np.float32)
    # Of each seat: what it is paid until its next decision, that decision's value and advantage.
    paid, value, advantage = np.zeros_like(last), last.copy(), np.zeros_like(last)
    for t in reversed(range(steps)):
        done, seat = kept["dones"][t], kept["seats"][t]
        paid[done], value[done] = kept["rewards"][t][done], kept["cut"][t][done]
        advantage[done] = 0.0
        own = kept["values"][t]
        delta = paid[rows, seat] + gamma * value[rows, seat] - own
        found[t] = delta + gamma * lam * advantage[rows, seat]
        paid[rows, seat], value[rows, seat], advantage[rows, seat] = 0.0, own, found[t]
    return found


def update(network: Network, optimizer: Any, kept: dict[str, Any], found: Any, args: Any) -> dict:
    """A few epochs of PPO over the rollout; returns the losses of the last minibatch."""
    flat = {
        key: torch.from_numpy(kept[key].reshape(-1, *kept[key].shape[2:]))
        for key in ("observations", "masks", "actions", "logprobs", "values")
    }
    flat["advantages"] = torch.from_numpy(found.reshape(-1))
    returns = flat["advantages"] + flat["values"]
    losses: dict[str, float] = {}
    for _ in range(args.update_epochs):
        for part in torch.randperm(len(returns)).chunk(args.num_minibatches):
            policy, values = network(flat["observations"][part], flat["masks"][part])
            logratio = policy.log_prob(flat["actions"][part]) - flat["logprobs"][part]
            ratio = logratio.exp()
            edge = flat["advantages"][part]
            edge = (edge - edge.mean()) / (edge.std() + 1e-8)
            clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
            policy_loss = -torch.min(edge * ratio, edge * clipped).mean()
            value_loss = 0.5 * (values - returns[part]).square().mean()
            # Illegal actions have probability 0 and so add nothing.
            entropy = policy.entropy().mean()
            loss = policy_loss - args.ent_coef * entropy + args.vf_coef * value_loss
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
            optimizer.step()
            losses = {
                "policy_loss": policy_loss.item(),
                "value_loss": value_loss.item(),
                "entropy": entropy.item(),
                "approx_kl": (ratio - 1 - logratio).mean().item(),
            }
    return losses


def draw(curve: list[tuple[int, float, float]], path: Path, game: str, par: float) -> None:
    """The learning curve as a picture."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    decisions, randoms, heuristics = zip(*curve, strict=True)
    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    axes.plot(decisions, randoms, label="against random")
    axes.plot(decisions, heuristics, label="against heuristic")
    axes.axhline(par, color="grey", linestyle=":", label="par")
    axes.set(title=f"{game}: one file of PPO", xlabel="decisions", ylabel="win share", ylim=(0, 1))
    axes.legend()
    figure.savefig(path, dpi=120)


def main() -> None:
    args = parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    tables = make_vec(args.game, args.num_envs, seed=args.seed)
    tables.reset()
    seats = tables.num_seats
    network = Network(tables.game.observation_size, tables.game.num_actions, args.hidden)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)
    writer = SummaryWriter(args.logdir)
    batch = args.num_envs * args.num_steps
    updates = max(1, args.total_decisions // batch)
    curve, started = [], time.perf_counter()
    for index in range(updates + 1):
        decisions = index * batch
        if index % args.eval_every == 0 or index == updates:
            shares = [
                win_share(network, args.game, seats, rivals, args.eval_games)
                for rivals in ("random", "heuristic")
            ]
            curve.append((decisions, *shares))
            print(f"{decisions:9,} decisions: {shares[0]:.1%} random, {shares[1]:.1%} heuristic")
            writer.add_scalar("charts/win_share_random", shares[0], decisions)
            writer.add_scalar("charts/win_share_heuristic", shares[1], decisions)
        if index == updates:
            break
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - index / updates)
        kept = rollout(tables, network, args.num_steps)
        # What every seat sees where the rollout stops, to bootstrap from.
        views = [[tables.game.observe(state, s) for s in range(seats)] for state in tables.states]
        found = advantages(kept, network.value(np.array(views)), args.gamma, args.gae_lambda)
        for name, value in update(network, optimizer, kept, found, args).items():
            writer.add_scalar(f"losses/{name}", value, decisions + batch)
        speed = (decisions + batch) / (time.perf_counter() - started)
        writer.add_scalar("charts/SPS", speed, decisions + batch)
    writer.close()
    if args.plot:
        draw(curve, args.plot, args.game, 1 / seats)


if __name__ == "__main__":
    main()
