"""A network of your own as a bot: attention over the rows of an observation, taught by a heuristic.

    pip install 'gangland[train]'
    python examples/own_network.py --game five_points --games 300

The games say which numbers of an observation belong together (``game.observation_layout``). Each
row, such as a tile of the city, becomes a token here. The network learns by imitation, because that
is short; ``cleanrl_ppo.py`` trains any network that gives logits and values by self-play.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from torch import nn

from gangland.agents import BatchAgent, Decisions, make
from gangland.arena import play_table
from gangland.envs import load


class Attention(nn.Module):
    """Logits of all actions from tokens: one for each row, and one for all numbers together."""

    def __init__(self, game: Any, width: int = 64) -> None:
        super().__init__()
        blocks = [block for block in game.observation_layout if len(block.shape) == 2]
        self.rows = []
        self.encoders, self.places = nn.ModuleList(), nn.ParameterList()
        for block in blocks:
            # Some blocks are planes: a field's numbers of all rows stand together.
            numbers, rows = block.shape if block.planes else block.shape[::-1]
            self.rows.append((block.start, block.shape, block.planes))
            self.encoders.append(nn.Linear(numbers, width))
            self.places.append(0.02 * torch.randn(rows, width))
        self.whole = nn.Linear(game.observation_size, width)
        layer = nn.TransformerEncoderLayer(width, 4, 2 * width, 0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 2)
        self.policy = nn.Linear(2 * width, game.num_actions)

    def forward(self, seen: Any, masks: Any) -> Any:
        """Logits ``(B, actions)`` of observations ``(B, numbers)`` and masks ``(B, actions)``."""
        tokens = [self.whole(seen)[:, None]]
        for (start, shape, planes), encode, place in zip(
            self.rows, self.encoders, self.places, strict=True
        ):
            rows = seen[:, start : start + shape[0] * shape[1]].unflatten(1, shape)
            tokens.append(encode(rows.transpose(1, 2) if planes else rows) + place)
        out = self.body(torch.cat(tokens, 1))
        return self.policy(torch.cat([out[:, 0], out.mean(1)], 1)).masked_fill(~masks, -1e9)


class Watched(BatchAgent):
    """An agent whose decisions are kept: observations, masks and actions."""

    needs_records = True

    def __init__(self, agent: Any) -> None:
        self.agent, self.spec, self.kept = agent, agent.spec, []

    def decide_batch(self, views: Any) -> Decisions:
        decisions = self.agent.decide_batch(views)
        self.kept.append((views.observations.copy(), views.masks.copy(), decisions.actions.copy()))
        return decisions


class Learned(BatchAgent):
    """The network as an agent that plays the likeliest action."""

    spec = "attention"
    needs_records = False

    def __init__(self, network: Attention) -> None:
        self.network = network

    @torch.no_grad()
    def decide_batch(self, views: Any) -> Decisions:
        seen, masks = torch.from_numpy(views.observations), torch.from_numpy(views.masks)
        return Decisions(self.network(seen, masks).argmax(1).numpy())


def main() -> None:
    """Watch the heuristic, learn from it, and play against it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="five_points")
    parser.add_argument(
        "--games", type=int, default=300, help="games of the heuristic to learn from"
    )
    parser.add_argument("--passes", type=int, default=3, help="over what was seen")
    parser.add_argument("--eval-games", type=int, default=200)
    args = parser.parse_args()

    torch.manual_seed(1)
    game = load(args.game)
    seats = game.num_players(game.options.resolve({}))
    teacher = Watched(make("heuristic", game))
    play_table(game, [teacher] * seats, args.games)
    seen, masks, actions = (
        torch.from_numpy(np.concatenate(column)) for column in zip(*teacher.kept, strict=True)
    )
    network = Attention(game)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    for number in range(args.passes):
        right = 0
        for part in torch.randperm(len(actions)).split(256):
            logits = network(seen[part], masks[part])
            optimizer.zero_grad()
            nn.functional.cross_entropy(logits, actions[part]).backward()
            optimizer.step()
            right += int((logits.argmax(1) == actions[part]).sum())
        print(f"pass {number + 1}: {right / len(actions):.1%} of {len(actions):,} decisions")
    for rival in ("random", "heuristic"):
        table: list[Any] = [Learned(network), *[rival] * (seats - 1)]
        win = play_table(game, table, args.eval_games).of("attention").win
        print(f"wins {win.share:.1%} against {rival}")


if __name__ == "__main__":
    main()
