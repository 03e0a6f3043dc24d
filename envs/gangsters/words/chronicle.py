"""The log: a line for each deed, with its reason and its price, and one for each round."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...core.game import Game
from ...core.presentation.sentences import DICE, agree, is_plural, listed
from ...core.state import State
from .. import actions as act
from ..data.tables import (
    BRIBE_PIP,
    BUILDING_NAMES,
    EQUIPMENT_COST,
    HIRE_PIP,
    JOINTS,
    MEMBER_COST,
    OFFICER_IDS,
    PRICE,
    PUBLIC_IDS,
    PUBLIC_VALUE,
    SALARY_BELOW,
    SALARY_STEP,
    SIDES,
    STREETS,
    STRENGTH_MAX,
)
from ..state import (
    BUY,
    COP_ACTIVE,
    COP_GANG,
    COP_POLICE,
    CRIME,
    DOUBLE,
    E_ARRESTS,
    E_EXTORTION,
    E_HQ_BOUGHT,
    E_ORGANISED,
    E_PAYOFFS,
    E_RAIDS,
    E_SALARY,
    E_TRADES,
    K_COMMISSIONER,
    K_COP,
    NONE,
    PICK,
    PIECES,
    POLICE,
    POLICE_BUY,
    RAID_OR_ARREST,
    SELL,
    SHARE,
    STOP,
    TRADE_ANSWER,
    TRADE_CASH,
    U_COP,
    WIN_CASH,
    WIN_HQ,
    WIN_JOINTS,
    R,
    V,
)
from .firefights import Fight, finished_fight, shots
from .narration import SPACE_NAMES, describe, public_name, terms

NAMES: Final = ("Racketeer", "Thug", "Vamp")
EQUIPPED: Final = (
    "heaters for the Racketeer", "wheels for the Racketeer", "heaters for the Thug",
    "wheels for the Thug", "wheels for the Vamp", "a dress for the Vamp",
    "heaters for the Commissioner", "wheels for the Commissioner",
)  # fmt: skip
"""What each of the actions on equipment buys, in their order (G-21)."""

WORK: Final = {E_RAIDS: "raid", E_ARRESTS: "arrest attempt", E_HQ_BOUGHT: "new precinct"}
"""What the police do in a round."""


class Step(NamedTuple):
    """A decision, with the positions before it and after all that followed from it."""

    before: State
    action: int
    after: State

    def counted(self, event: int) -> int:
        """How often an event happened, or what it paid."""
        return int(self.after.events[event] - self.before.events[event])

    @property
    def same_turn(self) -> bool:
        """Whether the player turn goes on."""
        return (self.before.active, self.before.round_number) == (
            self.after.active,
            self.after.round_number,
        )


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
    lines += [*_walks(step), *_raid(step), *_sales(step), *_recruits(step)]
    lost = [int(after.raid_node) - STREETS] * step.counted(E_RAIDS) + _sold(step)
    fired = [*shots(before, after, fight, _lured(step), lost), *_arrests(step)]
    paid = _payments(step)
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


def _doing(seat: int, deed: str) -> str:
    """What a side does, by a verb in its base form."""
    return f"the police {deed}" if seat == POLICE else agree(SIDES[seat], deed)


def _side(seat: int) -> str:
    return "the police" if seat == POLICE else SIDES[seat]


def _members(count: int, piece: int) -> str:
    return f"{count} {NAMES[piece]}{'s' * int(count != 1)}"


def _officer(k: int) -> str:
    """An officer; the Untouchables are many."""
    return f"officer {OFFICER_IDS[k]}" if OFFICER_IDS[k].isdecimal() else "the Untouchables"


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
        lines.append(_doing(seat, "make a secret choice"))
    return [_sentence(line) for line in lines]


def _own_choices(before: State, after: State, seat: int) -> list[str]:
    paid = f"${before.cash[seat] - after.cash[seat]:,}"
    if seat == POLICE:
        return [f"the police hire a Commissioner of strength {after.c_strength} for {paid}"]
    hired = [
        "the Vamp" if piece == V else _members(int(after.strength[seat, piece]), piece)
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
        f"{SIDES[gang]} comes out with {_members(now.strength[gang, 0], 0)} and "
        f"{_members(now.strength[gang, 1], 1)}"
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
    return _doing(int(after.active), f"roll {faces}") if rolled else ""


def _deed(game: Game, step: Step) -> str:
    """What a decision does by itself; empty if it is narrated by what it changes."""
    before, action, _ = step
    seat, phase = int(before.seat), int(before.phase)
    if phase in (BUY, POLICE_BUY):
        return _purchase(step)
    if action == act.BRIBE:
        return _bribe(step)
    if phase == STOP:
        officer = _officer(before.asked)
        if action == act.END:
            return _doing(seat, f"do not stop {officer}")
        place = SPACE_NAMES[before.dest]
        return _doing(seat, f"stop {officer} with a bribe marker on his way to {place}")
    if phase == DOUBLE:
        many = "double" if action == act.YES else "do not double"
        how = " with a bribe marker" * (action == act.YES)
        return _doing(seat, f"{many} the payoff of {_officer(before.asked)}{how}")
    if phase == SHARE:
        officer = _officer(before.asked)
        if action == act.END:
            return _doing(seat, f"take no share of the payoff of {officer}")
        share = min(_half(int(before.payoff)), int(before.left_to_share))
        return _doing(seat, f"play the bribe marker of {officer} for ${share:,} of the payoff")
    if phase == RAID_OR_ARREST and action == act.ARREST:
        return agree(_officer(before.piece), "wait to make an arrest")
    if act.STAY <= action < act.PUBLIC:
        piece = 1 + action - act.STAY
        place = SPACE_NAMES[before.at[seat, piece]]
        return f"{SIDES[seat]}'s {NAMES[piece]} stays at {place} and extorts protection money"
    if action == act.HIRE:
        return f"the police hire an Informant for ${HIRE_PIP * int(before.dice[3]):,}"
    if act.CHIT <= action < act.HIT:
        return _informing(game, step)
    return ""


def _half(amount: int) -> int:
    """Half of an amount, rounded up to the next $100 (G-1.6)."""
    return -(-amount // 200) * 100


def _them(officer: int) -> str:
    return "him" if OFFICER_IDS[officer].isdecimal() else "them"


def _purchase(step: Step) -> str:
    """A building, a level or equipment."""
    before, action, _ = step
    seat = int(before.seat)
    node = before.c_at if seat == POLICE else before.at[seat, R]
    building = int(node) - STREETS
    if action == act.BUY_BUILDING:
        what = f"{BUILDING_NAMES[building]}{' as a precinct' * (seat == POLICE)}"
        return _doing(seat, f"buy {what} for ${PRICE[building]:,}")
    if action == act.IMPROVE:
        level = before.level[building] + 1
        paid = f"${PRICE[building]:,}"
        return _doing(seat, f"raise {BUILDING_NAMES[building]} to level {level} for {paid}")
    if act.EQUIPMENT <= action < act.TRADE:
        kind = action - act.EQUIPMENT
        return _doing(seat, f"buy {EQUIPPED[kind]} for ${EQUIPMENT_COST[kind]:,}")
    return ""


def _bribe(step: Step) -> str:
    """A bribe marker is bought; the one of the Untouchables is shown and put back (G-9.6)."""
    before, _, after = step
    seat = int(before.seat)
    price = f"${BRIBE_PIP * int(before.dice[4]):,}"
    kept = (after.slot_seat == seat).sum() > (before.slot_seat == seat).sum()
    seller = " from the police" * bool(before.police and seat != POLICE)
    if kept:
        return _doing(seat, f"buy a bribe marker{seller} for {price}")
    return _doing(seat, f"waste {price} on a bribe: the Untouchables take none")


def _informing(game: Game, step: Step) -> str:
    """Chits that are shown, and what Informants give away."""
    before, action, _ = step
    if action < act.FLIP_JOINT:
        return _doing(POLICE, describe(game, before, action))
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


def _walks(step: Step) -> list[str]:
    """Who has gone where: gang pieces, officers, Publics, the Commissioner."""
    return [*_gang_walks(step), *_officer_walks(step), *_public_walks(step), *_chief_walk(step)]


def _gang_walks(step: Step) -> list[str]:
    before, _, after = step
    lines = []
    for gang in range(before.gangs):
        for piece in range(3):
            start, goal = int(before.at[gang, piece]), int(after.at[gang, piece])
            mine = (gang, piece) == (before.seat, before.piece)
            if before.phase == CRIME and mine:
                start, goal = int(before.node), int(before.at[gang, piece])
            pending = after.phase == CRIME and (gang, piece) == (after.seat, after.piece)
            if goal in (start, NONE) or (pending and not after.over):
                continue
            who = f"{SIDES[gang]}'s {NAMES[piece]}"
            if start == NONE:
                lines.append(f"{SIDES[gang]}'s new {NAMES[piece]} starts at {SPACE_NAMES[goal]}")
            else:
                way = f"from {SPACE_NAMES[start]} to {SPACE_NAMES[goal]}"
                lines.append(f"{who} goes {way}{_crime(step) if mine else ''}")
    return lines


def _crime(step: Step) -> str:
    """The crime with which a move ends."""
    before, action, _ = step
    if before.phase != CRIME or action == act.END:
        return ""
    if action == act.HIT:
        return " and declares a hit"
    if action == act.EXTORT:
        return " and extorts protection money"
    rival, kind = _seduced(before, action)
    left = int(before.strength[rival, kind])
    most = 2 if before.has_dress[before.seat, V] else 1
    taken = min(left, most) if _lured(step) else 0
    if not taken:
        return f" and tries in vain to lure {SIDES[rival]}'s {NAMES[kind]} away"
    own = min(int(before.strength[before.seat, kind]) + taken, int(STRENGTH_MAX[kind]))
    what = _members(taken, kind)
    return (
        f" and lures {what} away from {SIDES[rival]}: "
        f"{SIDES[before.seat]} has {own} now, {SIDES[rival]} {left - taken}"
    )


def _seduced(before: State, action: int) -> tuple[int, int]:
    """The rival whose piece is lured, and which one."""
    r, kind = divmod(action - act.SEDUCE, 2)
    return (int(before.seat) + r + 1) % int(before.num_seats), kind


def _lured(step: Step) -> tuple[int, int] | None:
    """The piece that loses members to a Vamp by this decision."""
    before, action, after = step
    if before.phase != CRIME or not act.SEDUCE <= action < act.TARGET_SIDE:
        return None
    rival, kind = _seduced(before, action)
    lost = after.strength[rival, kind] < before.strength[rival, kind]
    return (rival, kind) if lost else None


def _wanted(state: State, node: int, sender: int) -> str:
    """Criminals whom an officer finds where he goes."""
    found = [
        f"{SIDES[gang]}'s {NAMES[piece]}"
        for gang in range(state.gangs)
        for piece in range(3)
        if gang != sender and state.criminal[gang, piece] and state.at[gang, piece] == node
    ]
    return f" after {listed(found)}" if found else ""


def _officer_walks(step: Step) -> list[str]:
    before, action, after = step
    sender = int(before.mover if before.phase in (STOP, DOUBLE) else before.seat)
    raiding = bool(step.counted(E_RAIDS)) and after.kind == K_COP
    walking = before.kind == K_COP and not _sent(action)
    bribed = before.sharer != NONE if walking else act.PLAY <= action < act.COP
    relieved = _relieved(step)
    lines = []
    for k in range(len(OFFICER_IDS)):
        start, goal = int(before.cop_at[k]), int(after.cop_at[k])
        going_on = walking and before.swapped and k == before.piece
        if raiding and k == after.piece and goal == NONE:
            goal = int(after.raid_node)
        if relieved and goal == NONE and start != NONE:
            place, new = SPACE_NAMES[after.node], _officer(after.piece)
            does = "relieve" if is_plural(new) else "relieves"
            deed = f"send {_officer(k)} from {SPACE_NAMES[start]} to {place}"
            lines.append(_doing(sender, f"{deed}, where {new} {does} {_them(k)}"))
        elif goal not in (start, NONE) and not (relieved and goal == after.node):
            lit = goal >= STREETS and before.lit[goal - STREETS]
            fetched = "from the cup" if not (relieved or going_on) else "on"
            way = f"from {SPACE_NAMES[start]}" if start != NONE else fetched
            how = " for a raid" if raiding or lit else _wanted(before, goal, sender)
            how += " with a bribe marker" * int(bribed)
            lines.append(_doing(sender, f"send {_officer(k)} {way} to {SPACE_NAMES[goal]}{how}"))
    return lines


def _sent(action: int) -> bool:
    """Whether an action sends an officer on his way."""
    return act.PLAY <= action <= act.NEW_COP


def _relieved(step: Step) -> bool:
    """Whether an officer has been relieved by another since the decision."""
    before, action, after = step
    already = before.kind == K_COP and before.swapped and not _sent(action)
    return bool(after.kind == K_COP and after.swapped and not already)


def _public_walks(step: Step) -> list[str]:
    before, _, after = step
    lines = []
    for k, name in enumerate(PUBLIC_IDS):
        start, goal = int(before.public_at[k]), int(after.public_at[k])
        if goal not in (start, NONE):
            way = f"from {SPACE_NAMES[start]}" if start != NONE else "from the cup"
            deed = f"move {public_name(name)} {way} to {SPACE_NAMES[goal]}"
            lines.append(_doing(int(before.seat), deed))
    return lines


def _chief_walk(step: Step) -> list[str]:
    before, _, after = step
    start, goal = int(before.c_at), int(after.c_at)
    if goal in (start, NONE):
        return []
    if before.c_strength == 0:
        return [f"a new Commissioner starts at {SPACE_NAMES[goal]}"]
    way = f"from {SPACE_NAMES[start]} to" if start != NONE else "back to work at"
    return [f"the Commissioner goes {way} {SPACE_NAMES[goal]}{_wanted(before, goal, POLICE)}"]


def _raid(step: Step) -> list[str]:
    """A raid, and what it pays (G-9.17, G-9.19)."""
    before, _, after = step
    if not step.counted(E_RAIDS):
        return []
    building = int(after.raid_node) - STREETS
    chief = after.kind == K_COMMISSIONER
    who = "the Commissioner" if chief else _officer(after.piece)
    level = int(before.level[building])
    ending = f"falls to level {level - 1}" if level > 1 else "closes"
    joint = f"{SIDES[before.owner[building]]}'s {BUILDING_NAMES[building]}"
    got = f"; the police get ${_raid_pays(step):,}" if before.police else ""
    lines = [f"{agree(who, 'raid')} {joint}, which {ending}{got}"]
    if not chief and after.sharer != NONE and before.police:
        share = _half(int(PRICE[building]) * level)
        lines.append(f"{SIDES[after.sharer]} gets ${share:,} of it for the bribe marker")
    return lines


def _raid_pays(step: Step) -> int:
    """What the police are paid for a raid; 0 if there was none."""
    before, _, after = step
    if not step.counted(E_RAIDS) or not before.police:
        return 0
    building = int(after.raid_node) - STREETS
    twice = after.kind == K_COP and after.doubled
    return int(PRICE[building]) * int(before.level[building]) * (2 if twice else 1)


def _sold(step: Step) -> list[int]:
    """Buildings that the bank buys back, so that a leader can be paid (G-7.9, G-14.17)."""
    before, _, after = step
    seat = int(before.active)
    leads = before.c_strength if seat == POLICE else before.strength[seat, R]
    if leads or before.phase not in (SELL, BUY, POLICE_BUY, COP_GANG, COP_POLICE, COP_ACTIVE, STOP):
        return []
    raided = int(after.raid_node) if step.counted(E_RAIDS) else NONE
    left = (before.owner == seat) & (after.owner == NONE)
    return [int(building) for building in left.nonzero()[0] if building + STREETS != raided]


def _price_sold(step: Step, building: int) -> int:
    return _half(int(PRICE[building]) * int(step.before.level[building]))


def _sales(step: Step) -> list[str]:
    seat = int(step.before.active)
    return [
        _doing(seat, f"sell {BUILDING_NAMES[b]} to the bank for ${_price_sold(step, b):,}")
        for b in _sold(step)
    ]


def _recruits(step: Step) -> list[str]:
    """New members as they are paid, in the order of the rules (G-7.6, G-7.9, G-14.10)."""
    before, action, after = step
    gang = int(before.active)
    if gang == POLICE:
        return _new_chief(step)
    strength = before.strength[gang].copy()
    cash = int(before.cash[gang])
    lines = []
    if before.no_racketeer and not strength[R] and after.strength[gang, R]:
        price = _forced_price(step, cash)
        lines.append(f"{SIDES[gang]} has no Racketeers and takes one on for ${price:,}")
    lured = _lured(step)
    if lured is not None:
        strength[lured[1]] += min(int(before.strength[lured]), 1 + int(before.has_dress[gang, V]))
    announced = before.recruit[gang].copy()
    if act.RECRUIT <= action < act.STAY:
        announced[action - act.RECRUIT] = 1
    for piece in range(3):
        if not announced[piece]:
            continue
        if step.same_turn and after.recruit[gang, piece]:
            break
        price = (
            MEMBER_COST * int(before.dice[piece]) * (1 if piece == V else int(strength[piece]) + 1)
        )
        if strength[piece] < STRENGTH_MAX[piece] and price <= cash:
            cash -= price
            lines.append(f"{SIDES[gang]} recruits a {NAMES[piece]} for ${price:,}")
        else:
            lines.append(f"{SIDES[gang]} cannot take on the announced {NAMES[piece]}")
    return lines


def _forced_price(step: Step, cash: int) -> int:
    """What a gang without Racketeers pays for one: all it has, if that is less (G-7.9)."""
    before, action, after = step
    cash += sum(_price_sold(step, building) for building in _sold(step))
    if action == act.BRIBE and before.seat == before.active:
        cash -= BRIBE_PIP * int(before.dice[4])
    dice = before.dice if before.dice.any() else after.dice
    return min(cash, MEMBER_COST * int(dice[R]))


def _new_chief(step: Step) -> list[str]:
    """A Commissioner who grows stronger, by what it costs (G-14.10)."""
    before, action, after = step
    strength = int(before.c_strength)
    if not strength:
        return _first_chief(step)
    announced = before.recruit_c or action == act.RECRUIT_C
    if not announced or (step.same_turn and after.recruit_c and after.c_strength == strength):
        return []
    price = MEMBER_COST * (strength + 1) * int(before.dice[0])
    if before.cash[POLICE] < price:
        return ["the police cannot pay for a stronger Commissioner"]
    return [f"the police raise the Commissioner's strength to {strength + 1} for ${price:,}"]


def _first_chief(step: Step) -> list[str]:
    """A new Commissioner in place of one who fell (G-14.17)."""
    before, _, after = step
    if before.phase not in (POLICE_BUY, SELL):
        return []
    if after.phase in (SELL, before.phase):
        return []
    earned = sum(_price_sold(step, building) for building in _sold(step))
    earned += step.counted(E_SALARY) + step.counted(E_PAYOFFS)
    paid = int(before.cash[POLICE] - after.cash[POLICE]) + earned
    return [f"the police appoint a new Commissioner for ${paid:,}"]


def _payments(step: Step) -> list[str]:
    """What the bank pays at the end of a turn, in the order of the rules (G-11.9)."""
    salary = step.counted(E_SALARY)
    lines = []
    if salary:
        level = SALARY_BELOW - salary // SALARY_STEP
        at = f" at crime level {level}" if level >= 0 else ""
        lines.append(f"the police draw a salary of ${salary:,}{at}")
    collected = _collected(step)
    return [*lines, *collected] if step.before.active == POLICE else [*collected, *lines]


def _collected(step: Step) -> list[str]:
    """Protection money and what customers leave, by gang and joint."""
    before = step.before
    extorted, organised = step.counted(E_EXTORTION), step.counted(E_ORGANISED)
    if not extorted and not organised:
        return []
    cops = before.active == POLICE
    takings = _takings(step, range(before.gangs) if cops else [int(before.active)])
    if sum(paid for _, _, paid in takings) != organised:
        # A joint that paid and was shot at once: the sum is what can be said.
        who = "customers leave" if cops else f"the customers of {SIDES[before.active]} leave"
        lines = [f"{who} ${organised:,} in all"] * bool(organised)
        takings = []
    else:
        lines = []
    got: dict[int, list[str]] = {}
    if extorted:
        got[int(before.active)] = [f"${extorted:,} of protection money"]
    for gang, building, paid in takings:
        got.setdefault(gang, []).append(f"${paid:,} from {BUILDING_NAMES[building]}")
    return [f"{SIDES[gang]} collects {listed(items)}" for gang, items in got.items()] + lines


def _takings(step: Step, gangs: range | list[int]) -> list[tuple[int, int, int]]:
    """Joints of gangs with Publics inside when customers pay: gang, building and amount."""
    before, _, after = step
    # Gangs are paid before the shootouts of their turn, and after those of the Cop Turn.
    cops = before.active == POLICE
    at = [
        int(new if cops or new != NONE else old)
        for old, new in zip(before.public_at, after.public_at, strict=True)
    ]
    board = after if cops else before
    found = []
    for gang in gangs:
        for building in range(JOINTS):
            inside = [PUBLIC_VALUE[k] for k in range(len(at)) if at[k] == building + STREETS]
            if board.owner[building] == gang and inside:
                paid = int(PRICE[building]) * int(board.level[building]) * int(sum(inside))
                found.append((gang, building, paid))
    return found


def _arrests(step: Step) -> list[str]:
    """What arrests pay the police, and gangs whose bribes led the officers (G-14.5)."""
    before, _, after = step
    paid = step.counted(E_PAYOFFS) - _raid_pays(step)
    if not paid:
        return []
    lines = [f"the police get ${paid:,} for arrests"]
    for officer in range(len(OFFICER_IDS)):
        gang, arrest = int(before.cop_share[officer]), int(after.arrest[U_COP + officer])
        if gang != NONE and arrest and after.cop_at[officer] == NONE:
            lines.append(f"{SIDES[gang]} gets ${_half(arrest):,} of it for the bribe marker")
    return lines


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
    relieved = _relieved(step)
    for k in range(len(OFFICER_IDS)):
        start = int(before.cop_at[k])
        gone = start != NONE and after.cop_at[k] == NONE
        told = k == raider or relieved or (fight is not None and fight.node == start)
        if gone and not told:
            lines.append(agree(_officer(k), f"leave {SPACE_NAMES[start]} for the cup"))
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
    return _doing(winner, f"win with {how}")


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
    for event, what in (
        (E_RAIDS, "raid"),
        (E_ARRESTS, "arrest attempt"),
        (E_HQ_BOUGHT, "new precinct"),
    ):
        count = int(now.events[event] - start.events[event])
        work += [f"{count} {what}{'s' * (count != 1)}"] * bool(count)
    return f"{words} Police work: {listed(work) if work else 'none'}"


def _gain(start: State, now: State, seat: int) -> str:
    gain = int(now.cash[seat] - start.cash[seat])
    if not gain:
        return f"{_side(seat)} even"
    return f"{_side(seat)} {'up' if gain > 0 else 'down'} ${abs(gain):,}"
