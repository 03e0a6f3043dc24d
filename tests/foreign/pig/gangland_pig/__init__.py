"""Pig, a dice game for two to four seats: roll on, or hold what the turn has brought."""

import numpy as np

from gangland.envs.core.game import Game, Rules
from gangland.envs.core.kernel import kernel
from gangland.envs.core.options import Option, OptionSet
from gangland.envs.core.rng import randint, roll_die, seed_chance
from gangland.envs.core.state import rank, record_dtype, settle

SEATS = 4
ROLL, HOLD = 0, 1
NUMBERS = [(name, "i2") for name in ("total", "die", "turns", "target", "max_turns")]
DTYPE = record_dtype(SEATS, [("banked", "i2", (SEATS,)), *NUMBERS])


@kernel
def reset(state, seed):
    seed_chance(state, seed)
    state.seat = randint(state, state.num_seats)


@kernel
def legal_actions(state, mask):
    mask[ROLL] = True
    mask[HOLD] = True


@kernel
def end_turn(state):
    """PIG-3."""
    state.total = 0
    state.turns += 1
    if state.banked[state.seat] < state.target and state.turns < state.max_turns:
        state.seat = (state.seat + 1) % state.num_seats
        return
    state.capped = state.banked[state.seat] < state.target
    keys = np.zeros(state.num_seats, np.int64)
    for seat in range(state.num_seats):
        state.scores[seat] = state.banked[seat]
        keys[seat] = state.banked[seat]
    rank(keys, state.places[: state.num_seats])
    settle(state)


@kernel
def apply(state, action):
    """PIG-1, PIG-2."""
    state.ply += 1
    state.die = 0
    if action == HOLD:
        state.banked[state.seat] += state.total
        end_turn(state)
        return
    state.die = roll_die(state)
    if state.die == 1:
        end_turn(state)
    else:
        state.total += state.die


@kernel
def observe(state, seat, out):
    out[:] = 0.0
    out[0] = min(2.0, state.total / state.target)
    out[1] = state.turns / state.max_turns
    for k in range(state.num_seats):
        other = (seat + k) % state.num_seats
        out[2 + 3 * k] = 1.0
        out[3 + 3 * k] = min(2.0, state.banked[other] / state.target)
        out[4 + 3 * k] = state.seat == other


@kernel
def redact(state, seat):
    state.rng = 0


@kernel
def resample_hidden(state, seat, seed):
    state.rng = seed


class Pig(Game):
    """The whole game, handed over."""

    name = "pig"
    title = "Pig"
    rules_version = 1
    dtype = DTYPE
    num_actions = 2
    observation_size = 2 + 3 * SEATS
    observation_range = (0.0, 2.0)
    max_seats = SEATS
    phases = ("TURN",)
    seat_arrays = ("banked",)
    score_scale = 100.0
    rules = Rules(reset, legal_actions, apply, observe, redact, resample_hidden)
    options = OptionSet(
        (
            Option("players", 2, "seats at the table", 2, SEATS),
            Option("target", 50, "points to win", 10, 200),
            Option("max_turns", 200, "turns after which the most points win", 1, 1000),
        )
    )

    def write_options(self, state, options):
        state.target, state.max_turns = options["target"], options["max_turns"]

    def read_options(self, state):
        names = ("num_seats", "target", "max_turns")
        return dict(zip(self.options.names, (int(state[name]) for name in names), strict=True))

    def action_text(self, state, action):
        return ("roll", "hold")[action]

    def describe(self, state, action):
        return f"Hold, and bank {state.total} points." if action == HOLD else "Roll the die."

    def narrate(self, before, action, after, viewer):
        done = "holds" if action == HOLD else f"rolls a {after.die}"
        return [f"{self.seat_name(before, before.seat)} {done}."]

    def position_text(self, state):
        fields = ("num_seats", "target", "max_turns", "seat", "total", "turns")
        return " ".join(["PIG/1", *(str(state[f]) for f in fields), *map(str, state.banked)])

    def parse_position(self, text):
        players, target, max_turns, seat, total, turns, *banked = map(int, text.split()[1:])
        state = self.new_state(0, players=players, target=target, max_turns=max_turns)
        state.seat, state.total, state.turns = seat, total, turns
        state.banked[:] = banked
        return state

    def text(self, state, viewer):
        banked = ", ".join(str(points) for points in state.banked[: state.num_seats])
        return f"banked {banked}; seat {state.seat} has {state.total} at stake"

    def svg(self, state, viewer, legal=(), last=""):
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 40" width="400" height="40">'
            f'<text x="4" y="24">{self.text(state, viewer)}</text></svg>'
        )
