"""Pig, a dice game for two to four seats: roll on, or hold what the turn has brought."""

from typing import Annotated, NamedTuple

from gangland.envs.core.game import Game, Rules
from gangland.envs.core.kernel import kernel
from gangland.envs.core.layout import Field, Layout
from gangland.envs.core.options import Option, OptionSet
from gangland.envs.core.rng import randint, roll_die, seed_chance
from gangland.envs.core.state import rank, record_dtype, settle

SEATS = 4
ROLL, HOLD = 0, 1
NUMBERS = [(name, "i2") for name in ("total", "die", "turns", "target", "max_turns")]
DTYPE = record_dtype(SEATS, [("banked", "i2", (SEATS,)), *NUMBERS])


class Blocks(NamedTuple):
    total: Annotated[int, Field("points at stake, as a share of the target", high=2.0, unit=None)]
    turns: Annotated[int, Field("turns played, as a share of the most", unit=None)]
    present: Annotated[int, Field("seats at the table, oneself first", width=SEATS)]
    banked: Annotated[
        int, Field("their points, as shares of the target", width=SEATS, high=2.0, unit=None)
    ]
    decides: Annotated[int, Field("whose turn it is", width=SEATS)]


LAYOUT = Layout(Blocks)
AT = LAYOUT.at


@kernel
def reset(state, seed):
    seed_chance(state, seed)
    state.seat = randint(state, state.num_seats)


@kernel
def legal_actions(state, mask):
    mask[:] = True


@kernel
def end_turn(state):
    """PIG-3."""
    state.total = 0
    state.turns += 1
    if state.banked[state.seat] < state.target and state.turns < state.max_turns:
        state.seat = (state.seat + 1) % state.num_seats
        return
    state.capped = state.banked[state.seat] < state.target
    state.scores[:] = state.banked
    rank(state.scores[: state.num_seats], state.places[: state.num_seats])
    settle(state)


@kernel
def apply(state, action):
    """PIG-1, PIG-2."""
    state.ply += 1
    state.die = 0 if action == HOLD else roll_die(state)
    if action == HOLD:
        state.banked[state.seat] += state.total
    state.total += state.die
    if state.die < 2:
        end_turn(state)


@kernel
def observe(state, seat, out):
    out[:] = 0.0
    out[AT.total] = min(2.0, state.total / state.target)
    out[AT.turns] = state.turns / state.max_turns
    for k in range(state.num_seats):
        other = (seat + k) % state.num_seats
        out[AT.present + k] = 1.0
        out[AT.banked + k] = min(2.0, state.banked[other] / state.target)
        out[AT.decides + k] = state.seat == other


@kernel
def redact(state, seat):
    state.rng = 0


@kernel
def resample_hidden(state, seat, seed):
    state.rng = seed


class Pig(Game):
    name = "pig"
    title = "Pig"
    rules_version = 1
    dtype = DTYPE
    num_actions = 2
    observation_layout = LAYOUT
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
        return {k: int(state[name]) for k, name in zip(self.options.names, names, strict=True)}

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
        return f"banked {state.banked}; seat {state.seat} has {state.total} at stake"

    def svg(self, state, viewer, legal=(), last=""):
        frame = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 40" width="400" height="40"'
        return f'<svg {frame}><text x="4" y="24">{self.text(state, viewer)}</text></svg>'
