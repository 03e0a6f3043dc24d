"""The table as text for a terminal."""

from __future__ import annotations

import numpy as np

from ...core.game import Game
from ...core.state import State
from ..actions import SIDE_NAMES
from ..data import KIND_OF_COPY
from ..state import CENTRE, TAKE
from .cards import crook_name, crook_power, racket_name, special_name
from .narration import as_seen, card_name
from .questions import who_decides


def text(game: Game, state: State, viewer: int | None) -> str:
    """The table as ``viewer`` sees it; ``None``: all open."""
    state = as_seen(game, state, viewer)
    lines = [
        f"Crime Lords, turn {state.turn}, {state.required} Rackets win, deck {state.deck_size}"
    ]
    lines.append("The game is over." if state.over else who_decides(game, state))
    if state.lot >= 0:
        name = card_name(int(state.lot))
        money = ", ".join(str(int(m)) for m in state.bid_money[: state.num_seats])
        lines.append(f"Lot: {name}, bid {state.bid}; bidding money {money}")
    if state.attacking:
        target = int(state.target)
        name = racket_name(target) if state.kind == TAKE else crook_name(target)
        kind = ("", "Recruitment of", "Hit on", "Takeover of")[state.kind]
        who = game.seat_name(state, int(state.attacker))
        lines.append(f"{kind} {name} by {who}: number {state.number}")
    for seat in range(int(state.num_seats)):
        lines += _seat(game, state, seat, viewer)
    centre = [
        f"{crook_name(int(c))} (Power {crook_power(state, int(c))})"
        for c in np.flatnonzero(state.crook_loc == CENTRE)
    ]
    centre += [racket_name(int(r)) for r in np.flatnonzero(state.racket_loc == CENTRE)]
    lines.append(f"Centre: {', '.join(centre) or 'empty'}")
    return "\n".join(lines)


def _seat(game: Game, state: State, seat: int, viewer: int | None) -> list[str]:
    name = game.seat_name(state, seat)
    if not state.alive[seat]:
        return [f"[{seat}] {name}: out"]
    open_money = viewer in (None, seat) or state.open_money
    money = f"{state.treasury[seat]} G" if open_money else f"about {state.ledger[seat]} G"
    own = [
        special_name(KIND_OF_COPY[s])
        for s in np.flatnonzero(state.special_loc == seat)
        if viewer in (None, seat) or state.shown[s]
    ]
    hidden = 0 if viewer in (None, seat) else int(state.hidden[seat])
    specials = ", ".join(own + ["?"] * hidden) or "none"
    mark = "*" if seat == state.active else " "
    lines = [
        f"[{seat}]{mark}{name}: count {state.count[seat]}, {money}, income "
        f"{state.mob_income[seat]}, pay {state.due[seat]}, Specials {specials}"
    ]
    boss = int(state.boss[seat])
    if boss >= 0:
        lines += _crook(state, boss, "    ", "Boss")
    for c in np.flatnonzero((state.crook_loc == seat) & (state.superior < 0)):
        if c != boss:
            lines += _crook(state, int(c), "    ", "waiting")
    rackets = [
        racket_name(int(r))
        + " (token)" * int(state.racket_token[r])
        + " (blocked)" * int(state.blocked[r])
        for r in np.flatnonzero(state.racket_loc == seat)
    ]
    lines.append(f"    Rackets: {', '.join(rackets) or 'none'}")
    return lines


def _crook(state: State, crook: int, indent: str, where: str) -> list[str]:
    marks = " token" * int(state.token[crook]) + f" unhappy {state.unhappy[crook]}" * bool(
        state.unhappy[crook]
    )
    lines = [f"{indent}{where} {crook_name(crook)}, Power {crook_power(state, crook)}{marks}"]
    for c in np.flatnonzero(state.superior == crook):
        lines += _crook(state, int(c), indent + "  ", SIDE_NAMES[state.side[c]])
    return lines
