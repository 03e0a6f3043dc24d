"""Gangsters as a :class:`Game`: its parts handed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import OptionError
from ..core.game import Game, Rules
from ..core.options import Option, OptionSet, OptionValue
from ..core.state import State, States
from . import actions, guide
from .actions import ITEM_ACTIONS
from .data import CRIMINALS_PER_LEVEL, SIDES
from .hidden import redact, resample_hidden
from .observation.layout import LAYOUT
from .observation.observe import observe
from .picture import svg as picture
from .rules.engine import apply, legal_actions, refill, reset
from .rules.shootout.targets import SHOOTERS
from .state import (
    ALLOC,
    E_ARRESTS,
    E_BRIBES,
    E_DOUBLES,
    E_EXTORTION,
    E_HQ_BOUGHT,
    E_HQ_LOST,
    E_LEVEL,
    E_OFFICERS,
    E_ORGANISED,
    E_PAYOFFS,
    E_PLAYED,
    E_PUBLICS,
    E_RAIDS,
    E_SALARY,
    E_SEDUCED,
    E_SHOT,
    E_STOPS,
    E_TRADES,
    E_TURNS,
    GANGS,
    MAX_SEATS,
    NO_WINNER,
    NUM_ACTIONS,
    PHASES,
    POLICE,
    RECORD,
    RETURN,
    SET_T,
    TARGET,
    U_JOINT,
    WIN_CASH,
    WIN_COLOUR,
    WIN_HQ,
    WIN_JOINTS,
)
from .words import chronicle, narration, notation, reasons, terminal

UNIT_ARRAYS = ("target", "returns", "hits", "loss", "arrest", "twice")
EVENT_NAMES = {
    E_SEDUCED: "members seduced", E_SHOT: "members shot",
    E_ARRESTS: "arrests (cops that fired)", E_RAIDS: "raids",
    E_HQ_BOUGHT: "headquarters bought", E_HQ_LOST: "headquarters destroyed",
    E_BRIBES: "bribes bought", E_STOPS: "stops", E_DOUBLES: "doubles",
    E_PLAYED: "markers played to move", E_SALARY: "salary", E_PAYOFFS: "raid and arrest payoffs",
    E_EXTORTION: "extortion", E_ORGANISED: "organised crime", E_TRADES: "trades",
}  # fmt: skip
"""Names in statistics. An arrest is a cop who fires at criminals, hit or not (G-9.15)."""
TURN_NAMES = {
    E_LEVEL: "crime level, end of turn", E_OFFICERS: "officers out, end of turn",
    E_PUBLICS: "publics out, end of turn",
}  # fmt: skip
FLAGS = (
    "heaters", "wheels", "dress", "random_order", "salary_every_move", "open_cash",
    "public_actions",
)  # fmt: skip
NUMBERS = ("gangs", "vamp_success_min", "trade_offers", "max_rounds", "criminals_per_level")


def _turn_shootout(state: State, turned: State, shift: int) -> None:
    """The unit that is asked, and the place in the order of return fire or of allocation."""
    gangs = int(state.gangs)

    def gang_after(gang: int) -> int:
        return (gang + shift) % gangs if gang < gangs else gang

    if state.phase in (TARGET, RETURN) and state.asked < U_JOINT:
        turned.asked = gang_after(int(state.asked) // 3) * 3 + state.asked % 3
    if state.phase == RETURN:
        turned.cursor = gang_after(int(state.cursor) // 3) * 3 + state.cursor % 3
    if state.phase == ALLOC:
        part, place = divmod(int(state.cursor), SHOOTERS)
        if place >= SHOOTERS - 2 * GANGS:
            kind, gang = divmod(place - (SHOOTERS - 2 * GANGS), GANGS)
            place = SHOOTERS - 2 * GANGS + kind * GANGS + gang_after(gang)
        step, side = divmod(part, MAX_SEATS)
        turned.cursor = (step * MAX_SEATS + gang_after(side)) * SHOOTERS + place


class GangstersOptions(OptionSet):
    """Options with the combinations that the specification forbids (G-19.12)."""

    def resolve(self, given: Mapping[str, Any]) -> dict[str, OptionValue]:
        """Full options; ``gangs`` below four means no police unless police is asked for.

        Raises:
            OptionError: Naming the option, the value and what is allowed.
        """
        chosen = super().resolve(given)
        if int(chosen["gangs"]) < GANGS:
            if given.get("police"):
                raise OptionError(
                    f"police=True: must be false with gangs={chosen['gangs']}; "
                    "the Police Player needs gangs=4"
                )
            chosen["police"] = False
        if chosen["police"] and not chosen["random_order"]:
            raise OptionError("random_order=False: must be true with police=True")
        return chosen


class Gangsters(Game):
    """Gangsters with the five-player variant: two to four gangs, and the Police Player."""

    name = "gangsters"
    title = "Gangsters"
    about = guide.ABOUT
    rules_version = 4
    record = RECORD
    num_actions = NUM_ACTIONS
    observation_layout = LAYOUT
    item_actions = ITEM_ACTIONS
    roles = ("gang", "police")
    score_unit = "12600ths of the way to victory"
    score_scale = 12600.0
    """A victory (G-15.7)."""
    truncating_caps = (NO_WINNER,)
    options = GangstersOptions(
        (
            Option("gangs", GANGS, "gangs at the table", 2, GANGS),
            Option("police", True, "whether the Police Player takes part", flag=True),
            Option("heaters", False, "heaters may be bought", flag=True),
            Option("wheels", False, "wheels may be bought", flag=True),
            Option("dress", False, "a dress may be bought", flag=True),
            Option("random_order", True, "pawns are drawn for the order of moves", flag=True),
            Option("donuts", False, "not used", flag=True, fixed=True),
            Option("squirt_gun", False, "not used", flag=True, fixed=True),
            Option("salary_every_move", True, "salary on every player move", flag=True),
            Option("vamp_success_min", 1, "die needed for a seduction", 1, 6),
            Option("trade_offers", 2, "offers in a Buy Phase", 0, 5),
            Option("open_cash", False, "cash of all seats is open", flag=True),
            Option("max_rounds", 40, "rounds after which the game is drawn", 1, 500),
            Option(
                "criminals_per_level",
                CRIMINALS_PER_LEVEL,
                "criminal pieces for each crime level",
                1,
                12,
            ),
            Option(
                "public_actions",
                False,
                "whether moving or bringing a Public takes one of the gang's actions",
                flag=True,
            ),
            Option("clock", False, "only for programs with people", flag=True, fixed=True),
        )
    )
    phases = tuple(PHASES)
    rules = Rules(reset, legal_actions, apply, observe, redact, resample_hidden)
    action_text = actions.action_text
    describe = narration.describe
    narrate = chronicle.narrate
    recap = chronicle.recap
    position_text = notation.position_text
    parse_position = notation.parse_position
    text = terminal.text
    svg = picture.svg
    pieces = guide.pieces
    question = guide.question
    choice = guide.choice
    reason = reasons.reason
    turn = guide.turn

    def num_players(self, options: Mapping[str, OptionValue]) -> int:
        """Gangs, and the Police Player."""
        return int(options["gangs"]) + bool(options["police"])

    def agent_names(self, options: Mapping[str, OptionValue]) -> tuple[str, ...]:
        """``gang_0`` to ``gang_3``, then ``police`` (G-19.12)."""
        gangs = tuple(f"gang_{gang}" for gang in range(int(options["gangs"])))
        return (*gangs, "police") if options["police"] else gangs

    def seat_roles(self, options: Mapping[str, OptionValue]) -> tuple[int, ...]:
        """0 for gangs, 1 for the Police Player."""
        return (0,) * int(options["gangs"]) + (1,) * bool(options["police"])

    def score_text(self, score: int) -> str:
        """The way to victory in whole percent."""
        return f"{100 * score // 12600} % of the way to victory"

    def rotate(self, state: State, shift: int) -> State:
        """The same position with every gang ``shift`` gangs further on; the police stay.

        The actions on rivals count all seats (G-21.1), so beside the police their numbers change
        with the seat; what they mean, and all else that a seat is shown, stays.
        """
        gangs = int(state.gangs)
        turned = self.clone(state)
        for name in ("places", "rewards", "scores", *RECORD.seat_arrays):
            turned[name][:gangs] = np.roll(state[name][:gangs], shift, axis=0)
        for name in ("seat", *RECORD.seat_indices):
            seats = np.asarray(state[name])
            turned[name] = np.where((seats >= 0) & (seats < gangs), (seats + shift) % gangs, seats)
        for name in UNIT_ARRAYS:
            turned[name][: 3 * gangs] = np.roll(turned[name][: 3 * gangs], 3 * shift)
        _turn_shootout(state, turned, shift)
        if state.police and not state.over:
            refill(turned)
        return turned

    def event_counts(self, states: States) -> dict[str, NDArray[np.float64]]:
        """Kinds of victory (shares of games), counts and sums of money a game, turn means."""
        police = states["places"][:, POLICE] == 1
        won = states["win_kind"]
        cash = won == WIN_CASH
        found = {
            "won by a gang's cash": cash & ~police,
            "won by ten joints": won == WIN_JOINTS,
            "won by one colour": won == WIN_COLOUR,
            "won by the police": (won != 0) & police,
            "won by seven headquarters": won == WIN_HQ,
            "rounds": states["round_number"],
        }
        for event, name in EVENT_NAMES.items():
            found[name] = states["events"][:, event]
        turns = np.maximum(states["events"][:, E_TURNS], 1)
        for event, name in TURN_NAMES.items():
            found[name] = states["events"][:, event] / turns
        return {name: np.asarray(values, np.float64) for name, values in found.items()}

    def seat_name(self, state: State, seat: int) -> str:
        """Colour of a gang, or Police."""
        return SIDES[seat]

    def hides_decision(self, state: State, viewer: int) -> bool:
        """Whether a rival is asked for his Thugs depends on his Racketeers (G-4.1, G-18.5)."""
        return not state.over and int(state.phase) == SET_T and int(state.seat) != viewer

    def inconsistency(self, state: State) -> str:
        """What no position can be, of a record of unknown origin."""
        gangs, seats = int(state.gangs), int(state.num_seats)
        if seats != gangs + int(state.police):
            return f"num_seats={seats}: must be the gangs and the police"
        if sorted(state.order[:gangs]) != list(range(gangs)):
            return f"order: must hold the gangs 0..{gangs - 1} once each"
        if not state.legal.any():
            return "legal: the decision that is due must allow something"
        return ""
