"""The end of a training run: the bot as it was saved, against each baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..agents.policy import PolicyAgent
from ..agents.registry import make
from ..envs import load
from ..envs.core.rng import stream
from .config import TrainConfig
from .evaluation import Match, agent_chooser, play_match

if TYPE_CHECKING:
    from rich.table import Table

Z_95 = 1.959964


def rate_against_baselines(config: TrainConfig, spec: str) -> list[Match]:
    """One bot against a table of each baseline, ``final_games`` each, seats rotated.

    Args:
        config: The training configuration.
        spec: The bot, ``ppo:PATH``.
    """
    game = load(config.game)
    bot = PolicyAgent(game, spec.partition(":")[2])
    seed = int(stream(np.uint64(config.seed), np.uint64(999)))
    return [
        play_match(
            game,
            config.table_options(),
            agent_chooser(bot),
            make(baseline, game),
            config.evaluation.final_games,
            seed,
        )
        for baseline in config.evaluation.baselines
    ]


def as_ratings(matches: list[Match]) -> dict[str, Any]:
    """Results for ``model.json``: win share with its 95 % interval by baseline."""
    return {
        match.baseline: {
            "games": match.games,
            "win_share": round(match.win_share, 4),
            "interval": [round(bound, 4) for bound in wilson(match.win_share, match.games)],
            "par": round(match.par, 4),
            "score": round(match.score, 2),
        }
        for match in matches
    }


def as_table(matches: list[Match], bot: str) -> Table:
    """The results for people."""
    from rich.table import Table

    table = Table(title=f"{bot} in one seat, the baseline in all others")
    for name in ("baseline", "games", "win share", "95 % interval", "par", "score", "by seat"):
        table.add_column(name, justify="left" if name == "baseline" else "right")
    for match in matches:
        low, high = wilson(match.win_share, match.games)
        seats = [share for share in match.seat_shares if not np.isnan(share)]
        table.add_row(
            match.baseline,
            f"{match.games:,}",
            f"{match.win_share:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{match.par:.1%}",
            f"{match.score:.1f}",
            " ".join(f"{share:.0%}" for share in seats),
        )
    return table


def wilson(share: float, games: int, z: float = Z_95) -> tuple[float, float]:
    """Interval of a share (Wilson, 1927)."""
    spread = z * np.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    middle, scale = share + z * z / (2 * games), 1 + z * z / games
    return float((middle - spread) / scale), float((middle + spread) / scale)
