"""Our recipe on Kuhn and Leduc poker, as exploitability against decisions, beside OpenSpiel's.

``python benchmarks/exact_games.py`` trains as ``gangland train kuhn`` does, runs OpenSpiel's CFR,
MMD, A2C and PPO on the same games in the same process, computes the exact exploitability of each
along the way, and writes ``docs/exact/curves.json`` and ``curves.png``. All figures are NashConv
divided by the seats, in chips. OpenSpiel's tabular algorithms visit every decision node of the tree
in an iteration, which is counted as so many decisions; learners count the decisions they played.
"""

from __future__ import annotations

import json
import math
import platform
import time
from pathlib import Path
from typing import Any

import click
import numpy as np

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "docs" / "exact"
GAMES = (("kuhn", 2), ("kuhn", 3), ("kuhn", 4), ("kuhn", 5), ("leduc", 2))
POINTS = 16
ITERATIONS = 10_000
"""Of a tabular algorithm at most: half a million decisions of two-seat Kuhn would be 20,000."""

ACROSS = 3
"""Panels beside each other."""

Curve = list[tuple[int, float]]
"""Decisions, and the exploitability after them."""


def ours(name: str, players: int, decisions: int) -> dict[str, Curve]:
    """Our trainer: the latest network and the averaged one, as they play when they draw actions."""
    import torch as th
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.logger import Logger

    from gangland.arena.exact import PublicTree
    from gangland.envs import load
    from gangland.training.config import load_config
    from gangland.training.selfplay import make_trainer

    th.set_num_threads(1)
    changes = (f"options.players={players}", f"steps={decisions}", "threads=1")
    trainer = make_trainer(load_config(name, changes), "cpu")
    tree = PublicTree(load(name), players=players)
    observations = th.from_numpy(tree.observations)
    latest: Curve = []
    averaged: Curve = []

    def exploitability(network: Any) -> float:
        with th.inference_mode():
            logits = network.logits(observations).numpy().astype(np.float64)
        logits = np.where(tree.masks, logits, -np.inf)
        weights = np.exp(logits - logits.max(1, keepdims=True))
        return tree.evaluate(weights / weights.sum(1, keepdims=True)).exploitability

    class Watch(BaseCallback):
        def note(self) -> None:
            learner = trainer.learners[0]
            done = trainer.num_timesteps
            latest.append((done, exploitability(learner.network)))
            averaged.append((done, exploitability(learner.best_network)))

        def _on_step(self) -> bool:
            if trainer.num_timesteps >= len(latest) * decisions / POINTS:
                self.note()
            return True

    trainer.set_logger(Logger(None, []))
    watch = Watch()
    trainer.learn(decisions, watch)
    watch.note()
    trainer.collector.close()
    return {"gangland, latest": latest, "gangland, averaged": averaged}


def tabular(name: str, players: int, decisions: int) -> dict[str, Curve]:
    """OpenSpiel's CFR and, for two players, MMD, for as many visits of decision nodes."""
    import pyspiel
    from open_spiel.python.algorithms import cfr, mmd_dilated
    from open_spiel.python.algorithms.exploitability import nash_conv

    game = pyspiel.load_game(f"{name}_poker(players={players})")
    nodes = _decision_nodes(game.new_initial_state())
    curves: dict[str, Curve] = {"OpenSpiel CFR, average": []}
    iterations = min(ITERATIONS, max(1, decisions // nodes))
    solver = cfr.CFRSolver(game)
    marks = {int(k) for k in np.geomspace(1, iterations, POINTS)}
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration in marks:
            value = nash_conv(game, solver.average_policy()) / players
            curves["OpenSpiel CFR, average"].append((iteration * nodes, value))
    if players == 2:
        curves["OpenSpiel MMD, alpha 0.05"] = []
        mirror = mmd_dilated.MMDDilatedEnt(game, 0.05)
        for iteration in range(1, iterations + 1):
            mirror.update_sequences()
            if iteration in marks:
                value = nash_conv(game, mirror.get_policies()) / players
                curves["OpenSpiel MMD, alpha 0.05"].append((iteration * nodes, value))
    return curves


def _decision_nodes(state: Any) -> int:
    if state.is_terminal():
        return 0
    return int(not state.is_chance_node()) + sum(
        _decision_nodes(state.child(action)) for action in state.legal_actions()
    )


def learners(name: str, players: int, decisions: int) -> dict[str, Curve]:
    """OpenSpiel's A2C and PPO in torch, an agent for each seat."""
    return {
        "OpenSpiel A2C, latest": _learn(name, players, decisions, _A2C),
        "OpenSpiel PPO, latest": _learn(name, players, decisions, _PPO),
    }


class _A2C:
    """A seat that learns by OpenSpiel's policy gradient; it learns within its own steps."""

    def __init__(self, seat: int, size: int, actions: int, players: int) -> None:
        from open_spiel.python.pytorch import policy_gradient

        del players  # it need not know

        self.agent = policy_gradient.PolicyGradient(
            seat, size, actions, loss_str="a2c", hidden_layers_sizes=(64, 64), entropy_cost=0.05
        )

    def act(self, step: Any) -> int:
        return int(self.agent.step(step).action)

    def end(self, step: Any) -> None:
        self.agent.step(step)

    def shares(self, step: Any) -> Any:
        return self.agent.step(step, is_evaluation=True).probs


class _PPO:
    """A seat that learns by OpenSpiel's PPO, which leaves rewards and updates to its caller."""

    BATCH = 256

    def __init__(self, seat: int, size: int, actions: int, players: int) -> None:
        from open_spiel.python.pytorch import ppo

        self.seat = seat
        self.agent = ppo.PPO(
            (size,),
            actions,
            players,
            seat,
            steps_per_batch=self.BATCH,
            gamma=1.0,
            entropy_coef=0.05,
            agent_fn=ppo.PPOAgent,
        )
        self.waiting = False

    def act(self, step: Any) -> int:
        self._note(step)
        self.waiting = True
        return int(self.agent.step([step])[0].action)

    def end(self, step: Any) -> None:
        self._note(step)

    def _note(self, step: Any) -> None:
        """What the last decision came to: these games pay at their end only."""
        if not self.waiting:
            return
        reward = step.rewards[self.seat] if step.last() else 0.0
        self.agent.post_step([reward], [step.last()])
        self.waiting = False
        if self.agent.cur_batch_idx == self.BATCH:
            self.agent.learn([step])

    def shares(self, step: Any) -> Any:
        return self.agent.step([step], is_evaluation=True)[0].probs


def _learn(name: str, players: int, decisions: int, kind: type[_A2C | _PPO]) -> Curve:
    import pyspiel
    import torch as th
    from open_spiel.python import policy, rl_environment
    from open_spiel.python.algorithms.exploitability import nash_conv

    env = rl_environment.Environment(f"{name}_poker", players=players)
    # The agents draw from global generators.
    env.seed(0)
    np.random.seed(0)
    th.manual_seed(0)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agents = [kind(seat, size, actions, players) for seat in range(players)]

    class Joint(policy.Policy):
        def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
            seat = state.current_player()
            legal = state.legal_actions(seat)
            step = rl_environment.TimeStep(
                observations={
                    "info_state": [state.information_state_tensor(s) for s in range(players)],
                    "legal_actions": [legal if s == seat else [] for s in range(players)],
                    "current_player": seat,
                },
                rewards=None,
                discounts=None,
                step_type=None,
            )
            shares = agents[seat].shares(step)
            return {action: float(shares[action]) for action in legal}

    game = pyspiel.load_game(f"{name}_poker(players={players})")
    joint = Joint(game, list(range(players)))
    curve: Curve = []
    played = 0
    while played < decisions:
        if played >= len(curve) * decisions / POINTS:
            curve.append((played, nash_conv(game, joint) / players))
        step = env.reset()
        while not step.last():
            seat = step.observations["current_player"]
            step = env.step([agents[seat].act(step)])
            played += 1
        for agent in agents:
            agent.end(step)
    curve.append((played, nash_conv(game, joint) / players))
    return curve


def draw(results: dict[str, dict[str, Curve]], path: Path) -> None:
    """All curves, a panel for each game."""
    from matplotlib.figure import Figure

    rows = math.ceil(len(results) / ACROSS)
    figure = Figure(figsize=(5.2 * ACROSS, 4.0 * rows), layout="constrained")
    colours = {"gangland": "#b91c1c", "OpenSpiel": "#1d4ed8"}
    styles = ["-", "--", "-.", ":"]
    for place, (title, curves) in enumerate(results.items(), 1):
        axes = figure.add_subplot(rows, ACROSS, place)
        used = dict.fromkeys(colours, 0)
        for label, curve in curves.items():
            family = next(name for name in colours if label.startswith(name))
            steps = [max(1, decisions) for decisions, _ in curve]
            axes.plot(
                steps,
                [value for _, value in curve],
                color=colours[family],
                linestyle=styles[used[family]],
                label=label,
            )
            used[family] += 1
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("decisions")
        axes.set_ylabel("exploitability, chips")
        axes.set_title(title, fontsize=10)
        axes.legend(fontsize=7)
    figure.savefig(path, dpi=130)


@click.command()
@click.option("--decisions", default=500_000, show_default=True, help="Of each algorithm.")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, help="Folder.")
def main(decisions: int, out: Path) -> None:
    """Measure everything, and write results and picture again after each game."""
    results: dict[str, dict[str, Curve]] = {}
    seconds: dict[str, float] = {}
    out.mkdir(parents=True, exist_ok=True)
    for name, players in GAMES:
        title = f"{name}, {players} seats"
        curves: dict[str, Curve] = {}
        for run in (ours, tabular, learners):
            started = time.process_time()
            curves.update(run(name, players, decisions))
            took = time.process_time() - started
            seconds[f"{title}: {run.__name__}"] = round(took, 1)
            click.echo(f"{title}: {run.__name__} in {took:.0f} s of processor time", err=True)
        results[title] = curves
        for label, curve in curves.items():
            click.echo(f"{title}: {label}: {curve[-1][1]:.4f} after {curve[-1][0]:,}")
        found = {
            "made": time.strftime("%Y-%m-%d"),
            "machine": platform.processor() or platform.machine(),
            "seconds of processor time": seconds,
            "curves": results,
        }
        (out / "curves.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        draw(results, out / "curves.png")


if __name__ == "__main__":
    main()
