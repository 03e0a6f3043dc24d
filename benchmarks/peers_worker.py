"""Random legal play in other packages, each with observation and mask; prints JSON lines.

Runs in an environment of its own, which ``benchmarks/peers.py`` makes. Every peer is driven the way
its own documentation shows, with random legal actions, on one core.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
import warnings

os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
warnings.filterwarnings("ignore")

REPETITIONS = 3


def rate(work):
    """Median decisions a second of ``work(seconds)``, which returns how many it made."""
    rates = []
    for _ in range(REPETITIONS):
        started = time.perf_counter()
        made = work(2.0)
        rates.append(made / (time.perf_counter() - started))
    return statistics.median(rates)


def pettingzoo_classic(name):
    """A PettingZoo classic environment: ``env()`` with all wrappers, ``last`` and ``step``."""
    import importlib

    env = importlib.import_module(f"pettingzoo.classic.{name}").env()

    def work(seconds):
        made, stop = 0, time.perf_counter() + seconds
        while time.perf_counter() < stop:
            env.reset(seed=made)
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                else:
                    legal = observation["action_mask"].nonzero()[0]
                    env.step(int(legal[int(random.random() * len(legal))]))
                made += 1
        return made

    return work


def rlcard_holdem():
    """RLCard's no-limit hold'em with five seats: ``step`` with extracted state."""
    import rlcard

    env = rlcard.make("no-limit-holdem", config={"game_num_players": 5, "seed": 1})

    def work(seconds):
        made, stop = 0, time.perf_counter() + seconds
        while time.perf_counter() < stop:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                made += 1
        return made

    return work


def open_spiel(name, parameters):
    """OpenSpiel: observation (or information state) tensor and mask of every decision."""
    import pyspiel

    game = pyspiel.load_game(name, parameters)
    observes = game.get_type().provides_observation_tensor

    def work(seconds):
        made, stop = 0, time.perf_counter() + seconds
        while time.perf_counter() < stop:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(actions, chances)[0])
                    continue
                if observes:
                    state.observation_tensor()
                else:
                    state.information_state_tensor()
                state.legal_actions_mask()
                state.apply_action(random.choice(state.legal_actions()))
                made += 1
        return made

    return work


def catanatron():
    """Catanatron with four random players: whole games."""
    from catanatron import Color, Game, RandomPlayer

    def work(seconds):
        made, stop = 0, time.perf_counter() + seconds
        while time.perf_counter() < stop:
            game = Game([RandomPlayer(color) for color in Color])
            while game.winning_color() is None and game.state.num_turns < 1000:
                game.play_tick()
                made += 1
        return made

    return work


def pgx_sparrow_mahjong(batch=1024):
    """pgx sparrow mahjong: compiled, batched, with observation and mask."""
    import jax
    import pgx

    env = pgx.make("sparrow_mahjong")

    @jax.jit
    def play(state, key):
        key, choice, fresh = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(choice, logits, axis=1)
        step = jax.vmap(pgx.experimental.auto_reset(env.step, env.init))
        state = step(state, actions, jax.random.split(fresh, batch))
        return state, key

    from pgx import experimental  # noqa: F401

    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))
    state, key = play(state, key)
    jax.block_until_ready(state)
    kept = [state, key]

    def work(seconds):
        made, stop = 0, time.perf_counter() + seconds
        while time.perf_counter() < stop:
            kept[0], kept[1] = play(kept[0], kept[1])
            jax.block_until_ready(kept[0])
            made += batch
        return made

    return work


PEERS = {
    "PettingZoo connect_four (2 seats)": lambda: pettingzoo_classic("connect_four_v3"),
    "PettingZoo texas_holdem (2 seats)": lambda: pettingzoo_classic("texas_holdem_v4"),
    "RLCard no-limit hold'em (5 seats)": rlcard_holdem,
    "OpenSpiel oh_hell (5 seats)": lambda: open_spiel("oh_hell", {"players": 5}),
    "OpenSpiel hanabi (5 seats)": lambda: open_spiel("hanabi", {"players": 5}),
    "Catanatron (4 seats, no tensor)": catanatron,
    "pgx sparrow_mahjong (3 seats, batched)": pgx_sparrow_mahjong,
}


def main():
    for name, make in PEERS.items():
        try:
            work = make()
            work(0.2)
            row = {"name": name, "decisions_per_s": rate(work)}
        except Exception as error:  # a peer that breaks is reported, the others still run
            row = {"name": name, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    sys.exit(main())
