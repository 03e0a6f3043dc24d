"""The log: a line for each deed, with its reason and its price, and one for each round."""

from __future__ import annotations

from typing import Final

from ...core.game import Game
from ...core.presentation.sentences import DICE, agree, listed
from ...core.state import State
from .. import actions as act
from ..data import (
    BRIBE_PIP,
    BUILDING_NAMES,
    EQUIPMENT_COST,
    HIRE_PIP,
    OFFICER_IDS,
    PRICE,
    PUBLIC_IDS,
    SIDES,
    STREETS,
)
from ..state import (
    BUY,
    DOUBLE,
    E_ARRESTS,
    E_HQ_BOUGHT,
    E_RAIDS,
    E_TRADES,
    K_COP,
    NONE,
    PICK,
    PIECES,
    POLICE,
    POLICE_BUY,
    RAID_OR_ARREST,
    SHARE,
    STOP,
    TRADE_ANSWER,
    TRADE_CASH,
    WIN_CASH,
    WIN_HQ,
    WIN_JOINTS,
    R,
    V,
)
from .firefights import Fight, finished_fight, shots
from .narration import SPACE_NAMES, describe, public_name, terms
from .payments import arrests, payments, raid, recruits, sales, sold
from .steps import (
    NAMES,
    Step,
    doing,
    half,
    is_relieved,
    lured,
    members,
    officer_name,
    side_name,
    walks,
)

EQUIPPED: Final = (
    "heaters for the Racketeer", "wheels for the Racketeer", "heaters for the Thug",
    "wheels for the Thug", "wheels for the Vamp", "a dress for the Vamp",
    "heaters for the Commissioner", "wheels for the Commissioner",
)  # fmt: skip
"""What each of the actions on equipment buys, in their order (G-21)."""

WORK: Final = {E_RAIDS: "raid", E_ARRESTS: "arrest attempt", E_HQ_BOUGHT: "new precinct"}
"""What the police do in a round."""


def narrate(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """What all may see of one decision and its consequences.

    A thing that is done is narrated once, when it is done: not the steps of a choice, not what is
    only announced, and not that somebody does nothing more. A move is narrated with the crime to
    which it leads, an offer with its answer, a shootout when the last hit is taken. Cash is shown
    by public payments alone (G-18.7); set-up choices only to those who made them.
    """
    step = Step(before, action, after)
    if not before.revealed:
        return _set_up(step, viewer)
    fight = finished_fight(before, after)
    lines = [_deed(game, step), _offer(step)]
    lines += [_roll(step)] if step.same_turn else []
    lines += [*walks(step), *raid(step), *sales(step), *recruits(step)]
    lost = [int(after.raid_node) - STREETS] * step.counted(E_RAIDS) + sold(step)
    fired = [*shots(before, after, fight, lured(step), lost), *arrests(step)]
    paid = payments(step)
    lines += [*fired, *paid] if before.active == POLICE else [*paid, *fired]
    lines += _leaving(step, fight)
    if not step.same_turn and before.round_number == after.round_number:
        lines.append(_roll(step))
    lines.append(_end(after))
    return [_sentence(line) for line in lines if line]


def recap(game: Game, start: State, now: State, viewer: int | None) -> list[str]:
    """What a round came to, once it is over; of the set-up, what is revealed after it.

    Cash is summed up from what was paid openly in the round (G-18.7).
    """
    if (start.round_number, start.over) == (now.round_number, now.over):
        return []
    lines = [_sum(start, now)] if start.revealed else _revealed(now)
    if not now.over and now.dice.any():
        # What already belongs to the next round.
        lines.append(_roll(Step(start, NONE, now)))
    return [_sentence(line) for line in lines]


def _sentence(words: str) -> str:
    """With a capital, and a full stop, which the name of a company may bring along."""
    words = words[0].upper() + words[1:]
    return words if words.endswith(".") else f"{words}."


def _set_up(step: Step, viewer: int | None) -> list[str]:
    """Joints as they are taken; secret choices for those who make them."""
    before, _, after = step
    seat = int(before.seat)
    lines = []
    if before.phase == PICK:
        for building in (before.owner != after.owner).nonzero()[0]:
            who = SIDES[after.owner[building]]
            lines.append(f"{who} takes {BUILDING_NAMES[building]} for ${PRICE[building]:,}")
    elif viewer in (None, seat):
        lines = _own_choices(before, after, seat)
    elif after.seat != seat or after.revealed:
        # Once, when all choices are made: see also G-18.5.
        lines.append(doing(seat, "make a secret choice"))
    return [_sentence(line) for line in lines]


def _own_choices(before: State, after: State, seat: int) -> list[str]:
    paid = f"${before.cash[seat] - after.cash[seat]:,}"
    if seat == POLICE:
        return [f"the police hire a Commissioner of strength {after.c_strength} for {paid}"]
    hired = [
        "the Vamp" if piece == V else members(int(after.strength[seat, piece]), piece)
        for piece in range(3)
        if before.strength[seat, piece] != after.strength[seat, piece]
    ]
    placed = [
        f"{SIDES[seat]} places the {NAMES[piece]} in {SPACE_NAMES[after.at[seat, piece]]}"
        for piece in range(3)
        if before.at[seat, piece] != after.at[seat, piece]
    ]
    return [f"{SIDES[seat]} hires {listed(hired)} for {paid}"] * bool(hired) + placed


def _revealed(now: State) -> list[str]:
    """Strengths, when everybody has chosen (G-3.7)."""
    lines = [
        f"{SIDES[gang]} comes out with {members(now.strength[gang, 0], 0)} and "
        f"{members(now.strength[gang, 1], 1)}"
        for gang in range(now.gangs)
    ]
    if now.police:
        place = SPACE_NAMES[now.c_at]
        lines.append(f"the Commissioner starts at {place} with strength {now.c_strength}")
    return lines


def _roll(step: Step) -> str:
    """The dice of a turn, if they have just been rolled."""
    before, _, after = step
    rolled = after.dice.any() and (not step.same_turn or not before.dice.any())
    faces = "".join(DICE[d] for d in after.dice if d)
    return doing(int(after.active), f"roll {faces}") if rolled else ""


def _deed(game: Game, step: Step) -> str:
    """What a decision does by itself; empty if it is narrated by what it changes."""
    before, action, _ = step
    seat, phase = int(before.seat), int(before.phase)
    if phase in (BUY, POLICE_BUY):
        return _purchase(step)
    if action == act.BRIBE:
        return _bribe(step)
    if phase == STOP:
        officer = officer_name(before.asked)
        if action == act.END:
            return doing(seat, f"do not stop {officer}")
        place = SPACE_NAMES[before.dest]
        return doing(seat, f"stop {officer} with a bribe marker on his way to {place}")
    if phase == DOUBLE:
        many = "double" if action == act.YES else "do not double"
        how = " with a bribe marker" * (action == act.YES)
        return doing(seat, f"{many} the payoff of {officer_name(before.asked)}{how}")
    if phase == SHARE:
        officer = officer_name(before.asked)
        if action == act.END:
            return doing(seat, f"take no share of the payoff of {officer}")
        share = min(half(int(before.payoff)), int(before.left_to_share))
        return doing(seat, f"play the bribe marker of {officer} for ${share:,} of the payoff")
    if phase == RAID_OR_ARREST and action == act.ARREST:
        return agree(officer_name(before.piece), "wait to make an arrest")
    if act.STAY <= action < act.PUBLIC:
        piece = 1 + action - act.STAY
        place = SPACE_NAMES[before.at[seat, piece]]
        return f"{SIDES[seat]}'s {NAMES[piece]} stays at {place} and extorts protection money"
    if action == act.HIRE:
        return f"the police hire an Informant for ${HIRE_PIP * int(before.dice[3]):,}"
    if act.CHIT <= action < act.HIT:
        return _informing(game, step)
    return ""


def _purchase(step: Step) -> str:
    """A building, a level or equipment."""
    before, action, _ = step
    seat = int(before.seat)
    node = before.c_at if seat == POLICE else before.at[seat, R]
    building = int(node) - STREETS
    if action == act.BUY_BUILDING:
        what = f"{BUILDING_NAMES[building]}{' as a precinct' * (seat == POLICE)}"
        return doing(seat, f"buy {what} for ${PRICE[building]:,}")
    if action == act.IMPROVE:
        level = before.level[building] + 1
        paid = f"${PRICE[building]:,}"
        return doing(seat, f"raise {BUILDING_NAMES[building]} to level {level} for {paid}")
    if act.EQUIPMENT <= action < act.TRADE:
        kind = action - act.EQUIPMENT
        return doing(seat, f"buy {EQUIPPED[kind]} for ${EQUIPMENT_COST[kind]:,}")
    return ""


def _bribe(step: Step) -> str:
    """A bribe marker is bought; the one of the Untouchables is shown and put back (G-9.6)."""
    before, _, after = step
    seat = int(before.seat)
    price = f"${BRIBE_PIP * int(before.dice[4]):,}"
    kept = (after.slot_seat == seat).sum() > (before.slot_seat == seat).sum()
    seller = " from the police" * bool(before.police and seat != POLICE)
    if kept:
        return doing(seat, f"buy a bribe marker{seller} for {price}")
    return doing(seat, f"waste {price} on a bribe: the Untouchables take none")


def _informing(game: Game, step: Step) -> str:
    """Chits that are shown, and what Informants give away."""
    before, action, _ = step
    if action < act.FLIP_JOINT:
        return doing(POLICE, describe(game, before, action))
    if action < act.FLIP_PIECE:
        place = SPACE_NAMES[before.public_at[action - act.FLIP_JOINT]]
        return f"an Informant makes {place} a crime scene"
    place = action - act.FLIP_PIECE
    gang = (POLICE + place // 3 + 1) % before.num_seats
    where = SPACE_NAMES[before.at[gang, place % 3]]
    return f"an Informant at {where} exposes {SIDES[gang]}'s {NAMES[place % 3]} as a criminal"


def _offer(step: Step) -> str:
    """An offer and its answer. A refusal that the rules make is narrated like any other."""
    before, action, after = step
    if before.phase == TRADE_ANSWER:
        cash = int(before.cash_step)
    elif before.phase == TRADE_CASH and after.phase != TRADE_ANSWER:
        cash = action - act.CASH_ZERO
    else:
        return ""
    given, taken = terms(before, cash)
    answer = "accepted" if step.counted(E_TRADES) else "refused"
    return f"{SIDES[before.active]} offers {SIDES[before.partner]} {given} for {taken}: {answer}"


def _leaving(step: Step, fight: Fight | None) -> list[str]:
    """Publics and officers who go back to their cups."""
    before, _, after = step
    fled: dict[int, list[str]] = {}
    for k, name in enumerate(PUBLIC_IDS):
        start = int(before.public_at[k])
        if start != NONE and after.public_at[k] == NONE:
            fled.setdefault(start, []).append(public_name(name))
    lines = []
    for place, names in fled.items():
        flee = "flee" if len(names) > 1 else "flees"
        lines.append(f"{listed(names)} {flee} from {SPACE_NAMES[place]}")
    raider = after.piece if step.counted(E_RAIDS) and after.kind == K_COP else NONE
    relieved = is_relieved(step)
    for k in range(len(OFFICER_IDS)):
        start = int(before.cop_at[k])
        gone = start != NONE and after.cop_at[k] == NONE
        told = k == raider or relieved or (fight is not None and fight.node == start)
        if gone and not told:
            lines.append(agree(officer_name(k), f"leave {SPACE_NAMES[start]} for the cup"))
    return lines


def _end(after: State) -> str:
    """Who has won, and by what."""
    if not after.over:
        return ""
    if after.capped:
        rounds = f"{after.round_number} round{'s' * int(after.round_number != 1)}"
        return f"the game is drawn after {rounds}"
    winner = next(seat for seat in range(after.num_seats) if after.places[seat] == 1)
    how = {
        WIN_CASH: f"${after.cash[winner]:,} in cash",
        WIN_JOINTS: f"{(after.owner == winner).sum()} joints",
        WIN_HQ: f"{(after.owner == winner).sum()} precincts",
    }.get(int(after.win_kind), "all joints of a colour")
    return doing(winner, f"win with {how}")


def _sum(start: State, now: State) -> str:
    """A round in a line: money, pieces that fell, and the work of the police."""
    money = [_gain(start, now, seat) for seat in range(now.num_seats)]
    words = f"round {start.round_number} ends: {listed(money)}."
    fallen = [
        f"{SIDES[gang]}'s {NAMES[piece]}"
        for gang in range(now.gangs)
        for piece in range(PIECES[1])
        if start.strength[gang, piece] and not now.strength[gang, piece]
    ]
    fallen += ["the Commissioner"] * bool(start.c_strength and not now.c_strength)
    if fallen:
        words += f" Gone from the board: {listed(fallen)}."
    work = []
    for event, what in WORK.items():
        count = int(now.events[event] - start.events[event])
        work += [f"{count} {what}{'s' * (count != 1)}"] * bool(count)
    return f"{words} Police work: {listed(work) if work else 'none'}"


def _gain(start: State, now: State, seat: int) -> str:
    gain = int(now.cash[seat] - start.cash[seat])
    if not gain:
        return f"{side_name(seat)} even"
    return f"{side_name(seat)} {'up' if gain > 0 else 'down'} ${abs(gain):,}"
