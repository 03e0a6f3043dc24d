"""PPO in one file, in the manner of CleanRL: masks, and every seat learns by self-play.

    pip install 'gangland[train]'
    python examples/cleanrl_ppo.py --total-decisions 2000000

One network plays all seats of all tables. Each seat at each table is a trajectory of its own: its
next state is what it sees at its own next decision, and what it is paid in between belongs to the
earlier one. Rewards are not
discounted, as games end. Nothing here but the rules is Gangland's, so all of it can be changed.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter

from gangland.agents import BatchAgent, Decisions
from gangland.arena import play_table
from gangland.envs import make_vec

LEARNING_RATE, GAE_LAMBDA, CLIP, ENTROPY, EPOCHS, MINIBATCHES = 5e-4, 0.95, 0.2, 0.01, 4, 8
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--game", default="chicago")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--total-decisions", type=int, default=2_000_000, help="of all seats together")
parser.add_argument("--num-envs", type=int, default=256, help="tables that are played side by side")
parser.add_argument("--num-steps", type=int, default=64, help="decisions of a rollout per table")
parser.add_argument("--eval-games", type=int, default=400, help="games of an evaluation")


class Network(nn.Module):
    """Policy and value of the seat that looks."""

    def __init__(self, observation_size: int, num_actions: int, hidden: int = 128) -> None:
        super().__init__()
        first, second = nn.Linear(observation_size, hidden), nn.Linear(hidden, hidden)
        self.body = nn.Sequential(first, nn.Tanh(), second, nn.Tanh())
        self.actor, self.critic = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)  # to begin with nearly equal probabilities

    def forward(self, seen: Any, mask: Any) -> tuple[Categorical, Any]:
        """The distribution over legal actions, and the value, of shape ``(B,)``."""
        features = self.body(seen)
        logits = self.actor(features).masked_fill(~mask, -1e9)
        return Categorical(logits=logits), self.critic(features).squeeze(-1)


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


@torch.no_grad()
def rollout(tables: Any, network: Network, args: Any) -> list[Any]:
    """Tensors ``(decisions, ...)``: seen, masks, actions, log probabilities, values, advantages."""
    n, seats, rows = args.num_envs, tables.num_seats, np.arange(args.num_envs)
    kept, played = [], []

    def values_of(seen: Any) -> Any:
        return network.critic(network.body(torch.from_numpy(seen))).squeeze(-1).numpy()

    for _ in range(args.num_steps):
        seen, mask, seat = map(np.copy, (tables.observations, tables.action_masks, tables.seats))
        policy, value = network(torch.from_numpy(seen), torch.from_numpy(mask))
        action = policy.sample()
        kept.append((seen, mask, action.numpy(), policy.log_prob(action).numpy(), value.numpy()))
        tables.step(action.numpy())
        # Values of what a truncation cut off; zero where a game ended by its rules.
        rest = np.zeros((n, seats), np.float32)
        if len(cut := np.flatnonzero(tables.truncations)):
            rest[cut] = values_of(tables.final_observations(cut))[:, :seats]
        played.append((seat, tables.rewards[:, :seats].copy(), tables.dones.copy(), rest))
    # Of each seat: what it is paid until its next decision, that decision's value and advantage.
    views = [[tables.game.observe(state, s) for s in range(seats)] for state in tables.states]
    value = values_of(np.array(views))
    paid, ahead, found = np.zeros_like(value), np.zeros_like(value), []
    for (*_, own), (seat, rewards, done, rest) in zip(kept[::-1], played[::-1], strict=True):
        paid[done], value[done], ahead[done] = 0.0, rest[done], 0.0
        paid += rewards
        found.append(paid[rows, seat] + value[rows, seat] - own + GAE_LAMBDA * ahead[rows, seat])
        paid[rows, seat], value[rows, seat], ahead[rows, seat] = 0.0, own, found[-1]
    data = [*map(np.array, zip(*kept, strict=True)), np.array(found[::-1], np.float32)]
    return [torch.from_numpy(array).flatten(0, 1) for array in data]


def update(network: Network, optimizer: Any, data: list[Any]) -> dict[str, Any]:
    """A few epochs of PPO over the rollout; returns the losses of the last minibatch."""
    for _ in range(EPOCHS):
        for part in torch.randperm(len(data[0])).chunk(MINIBATCHES):
            seen, mask, action, logprob, was, advantage = (tensor[part] for tensor in data)
            policy, value = network(seen, mask)
            ratio = (policy.log_prob(action) - logprob).exp()
            edge = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            policy_loss = -torch.min(edge * ratio, edge * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            value_loss = 0.5 * (value - was - advantage).square().mean()
            entropy = policy.entropy().mean()  # illegal actions, of probability 0, add nothing
            optimizer.zero_grad()
            (policy_loss - ENTROPY * entropy + 0.5 * value_loss).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            losses = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy}
    return losses


def main() -> None:
    """Train, and print from time to time how often one seat wins with bots in all others."""
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # small networks gain little by more
    tables = make_vec(args.game, args.num_envs, seed=args.seed)
    tables.reset()
    network = Network(tables.game.observation_size, tables.game.num_actions)
    optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE, eps=1e-5)
    writer, batch = SummaryWriter("runs/cleanrl"), args.num_envs * args.num_steps
    updates = max(1, args.total_decisions // batch)
    for index in range(updates + 1):
        if index % 8 == 0 or index == updates:
            for rival in ("random", "heuristic"):
                table = [Learned(network), *[rival] * (tables.num_seats - 1)]
                win = play_table(args.game, table, args.eval_games).of("cleanrl").win
                print(f"{index * batch:,} decisions: wins {win.share:.1%} against {rival}")
                writer.add_scalar(f"charts/win_share_{rival}", win.share, index * batch)
        if index < updates:
            optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - index / updates)
            for name, loss in update(network, optimizer, rollout(tables, network, args)).items():
                writer.add_scalar(f"losses/{name}", loss.item(), (index + 1) * batch)
    writer.close()


if __name__ == "__main__":
    main()
