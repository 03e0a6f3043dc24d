"""High card: every seat holds a hidden card 0..9 and may swap it once; the highest card wins.

After a swap the next seat is asked, out of turn, whether it challenges: it then loses a point and
the swapper's new card is drawn again. Optimal play is easy to state: the game is a learning test.
"""

from __future__ import annotations

import numpy as np

from gangland.envs.core.game import Game, Rules
from gangland.envs.core.kernel import kernel
from gangland.envs.core.options import Option, OptionSet
from gangland.envs.core.rng import randint, seed_chance
from gangland.envs.core.state import rank, record_dtype, settle

SEATS = 4
TURN, CHALLENGE = 0, 1
KEEP, SWAP, PASS, CHALLENGE_IT = 0, 1, 2, 3
OBS = 12 + 3 * SEATS

DTYPE = record_dtype(
    SEATS,
    [
        ("cards", "i1", (SEATS,)),
        ("swapped", "i1", (SEATS,)),
        ("points", "i1", (SEATS,)),
        ("turn", "i1"),
        ("highest", "i1"),
    ],
)


@kernel
def reset(state, seed):
    seed_chance(state, seed)
    for seat in range(state.num_seats):
        state.cards[seat] = randint(state, state.highest + 1)
    state.seat = 0


@kernel
def legal_actions(state, mask):
    mask[:] = False
    if state.phase == TURN:
        mask[KEEP] = True
        mask[SWAP] = True
    else:
        mask[PASS] = True
        mask[CHALLENGE_IT] = True


@kernel
def next_turn(state):
    state.turn += 1
    state.phase = TURN
    state.seat = state.turn
    if state.turn == state.num_seats:
        keys = np.zeros(state.num_seats, np.int64)
        for seat in range(state.num_seats):
            state.scores[seat] = 4 * state.cards[seat] + state.points[seat]
            keys[seat] = state.scores[seat]
        rank(keys, state.places[: state.num_seats])
        state.turn = -1
        settle(state)


@kernel
def apply(state, action):
    state.ply += 1
    if action == SWAP:
        state.cards[state.turn] = randint(state, state.highest + 1)
        state.swapped[state.turn] = 1
        state.phase = CHALLENGE
        state.seat = (state.turn + 1) % state.num_seats
        return
    if action == CHALLENGE_IT:
        state.points[state.seat] -= 1
        state.cards[state.turn] = randint(state, state.highest + 1)
    next_turn(state)


@kernel
def observe(state, seat, out):
    out[:] = 0.0
    out[state.cards[seat]] = 1.0
    out[10] = state.phase
    out[11] = state.seat == seat
    for k in range(state.num_seats):
        other = (seat + k) % state.num_seats
        out[12 + k] = state.swapped[other]
        out[12 + SEATS + k] = state.points[other]
        out[12 + 2 * SEATS + k] = state.turn == other


@kernel
def redact(state, seat):
    state.rng = 0
    for other in range(state.num_seats):
        if other != seat and state.over == 0:
            state.cards[other] = 0


@kernel
def resample_hidden(state, seat, seed):
    state.rng = seed
    for other in range(state.num_seats):
        if other != seat and state.over == 0:
            state.cards[other] = randint(state, state.highest + 1)


class HighCard(Game):
    name = "highcard"
    title = "High card"
    rules_version = 1
    dtype = DTYPE
    num_actions = 4
    observation_size = OBS
    max_seats = SEATS
    score_scale = 36.0
    """The highest card of the default game."""
    options = OptionSet(
        (
            Option("players", 3, "seats at the table", 2, SEATS),
            Option("highest", 9, "highest card", 1, 9),
        )
    )
    phases = ("TURN", "CHALLENGE")
    seat_arrays = ("cards", "swapped", "points")
    seat_indices = ("turn",)
    rules = Rules(reset, legal_actions, apply, observe, redact, resample_hidden)

    def write_options(self, state, options):
        state.highest = options["highest"]

    def read_options(self, state):
        return {"players": int(state.num_seats), "highest": int(state.highest)}

    def action_text(self, state, action):
        return ("keep", "swap", "pass", "challenge")[action]

    def describe(self, state, action):
        return self.action_text(state, action).capitalize() + "."

    def narrate(self, before, action, after, viewer):
        return [f"{self.seat_name(before, before.seat)} plays {self.action_text(before, action)}."]

    def position_text(self, state):
        cards = ",".join(str(c) for c in state.cards)
        return f"HC/1 players={state.num_seats} highest={state.highest} cards={cards}"

    def parse_position(self, text):
        players, highest, cards = (field.split("=")[1] for field in text.split()[1:])
        state = self.new_state(0, players=int(players), highest=int(highest))
        state.cards[:] = [int(c) for c in cards.split(",")]
        return state

    def text(self, state, viewer):
        return " ".join(
            str(c) if viewer in (None, seat) else "?" for seat, c in enumerate(state.cards)
        )

    def svg(self, state, viewer, legal=(), last=""):
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 20" width="100" height="20">'
            f'<text x="2" y="14">{self.text(state, viewer)}</text></svg>'
        )
