"""Pig, a dice game for two to four seats: roll on, or hold what the turn has brought."""

from typing import Annotated, NamedTuple

from gangland.envs.core import layout
from gangland.envs.core.game import Game, Rules
from gangland.envs.core.kernel import kernel
from gangland.envs.core.options import Option, OptionSet
from gangland.envs.core.record import Field, Record
from gangland.envs.core.rng import randint, roll_die, seed_chance
from gangland.envs.core.state import rank, settle

SEATS = 4
ROLL, HOLD = 0, 1
FIELDS = [
    Field("banked", "i2", (0, 1500), (SEATS,), per_seat=True),
    Field("total", "i2", (0, 1500)),
    Field("turns", "i2", (0, 1000)),
    Field("target", "i2", (10, 200)),
    Field("max_turns", "i2", (1, 1000)),
]
OPTIONS = (
    Option("players", 2, "seats at the table", 2, SEATS),
    Option("target", 50, "points to win", 10, 200),
    Option("max_turns", 200, "turns after which the most points win", 1, 1000),
)


class Blocks(NamedTuple):
    total: Annotated[int, layout.Field("points at stake over the target", high=2.0, unit=None)]
    turns: Annotated[int, layout.Field("turns played over the most", unit=None)]
    banked: Annotated[int, layout.Field("points, oneself first", SEATS, high=2.0, unit=None)]


AT = layout.Layout(Blocks).at


@kernel
def reset(state, seed):
    seed_chance(state, seed)
    state.seat = randint(state, state.num_seats)


@kernel
def legal_actions(state, mask):
    mask[:] = True


@kernel
def apply(state, action):
    """PIG-1, PIG-2, PIG-3."""
    state.ply += 1
    die = 0 if action == HOLD else roll_die(state)
    if die >= 2:
        state.total += die
        return
    state.banked[state.seat] += state.total if action == HOLD else 0
    state.total = 0
    state.turns += 1
    won = state.banked[state.seat] >= state.target
    if not won and state.turns < state.max_turns:
        state.seat = (state.seat + 1) % state.num_seats
        return
    state.capped = not won
    state.scores[:] = state.banked
    rank(state.scores[: state.num_seats], state.places[: state.num_seats])
    settle(state)


@kernel
def observe(state, seat, out):
    out[:] = 0.0
    out[AT.total] = min(2.0, state.total / state.target)
    out[AT.turns] = state.turns / state.max_turns
    for k in range(state.num_seats):
        out[AT.banked + k] = min(2.0, state.banked[(seat + k) % state.num_seats] / state.target)


@kernel
def redact(state, seat):
    state.rng = 0


@kernel
def resample_hidden(state, seat, seed):
    state.rng = seed


class Pig(Game):
    name, title, rules_version = "pig", "Pig", 1
    record = Record(SEATS, FIELDS)
    num_actions = 2
    observation_layout = layout.Layout(Blocks)
    score_scale = 100.0
    rules = Rules(reset, legal_actions, apply, observe, redact, resample_hidden)
    options = OptionSet(OPTIONS)

    def action_text(self, state, action):
        return ("roll", "hold")[action]
