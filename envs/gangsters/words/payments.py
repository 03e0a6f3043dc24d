"""What was bought, earned and paid, in words."""

from __future__ import annotations

from ...core.presentation.sentences import agree, listed
from .. import actions as act
from ..data import (
    BRIBE_PIP,
    BUILDING_NAMES,
    JOINTS,
    MEMBER_COST,
    OFFICER_IDS,
    PRICE,
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
    E_EXTORTION,
    E_ORGANISED,
    E_PAYOFFS,
    E_RAIDS,
    E_SALARY,
    K_COMMISSIONER,
    K_COP,
    NONE,
    POLICE,
    POLICE_BUY,
    SELL,
    STOP,
    U_COP,
    R,
    V,
)
from .steps import NAMES, Step, doing, half, lured, officer_name


def raid(step: Step) -> list[str]:
    """A raid, and what it pays (G-9.17, G-9.19)."""
    before, _, after = step
    if not step.counted(E_RAIDS):
        return []
    building = int(after.raid_node) - STREETS
    chief = after.kind == K_COMMISSIONER
    who = "the Commissioner" if chief else officer_name(after.piece)
    level = int(before.level[building])
    ending = f"falls to level {level - 1}" if level > 1 else "closes"
    joint = f"{SIDES[before.owner[building]]}'s {BUILDING_NAMES[building]}"
    got = f"; the police get ${_raid_pays(step):,}" if before.police else ""
    lines = [f"{agree(who, 'raid')} {joint}, which {ending}{got}"]
    if not chief and after.sharer != NONE and before.police:
        share = half(int(PRICE[building]) * level)
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


def sold(step: Step) -> list[int]:
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
    return half(int(PRICE[building]) * int(step.before.level[building]))


def sales(step: Step) -> list[str]:
    """What the bank pays for them."""
    seat = int(step.before.active)
    return [
        doing(seat, f"sell {BUILDING_NAMES[b]} to the bank for ${_price_sold(step, b):,}")
        for b in sold(step)
    ]


def recruits(step: Step) -> list[str]:
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
    victim = lured(step)
    if victim is not None:
        strength[victim[1]] += min(int(before.strength[victim]), 1 + int(before.has_dress[gang, V]))
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
    cash += sum(_price_sold(step, building) for building in sold(step))
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
    earned = sum(_price_sold(step, building) for building in sold(step))
    earned += step.counted(E_SALARY) + step.counted(E_PAYOFFS)
    paid = int(before.cash[POLICE] - after.cash[POLICE]) + earned
    return [f"the police appoint a new Commissioner for ${paid:,}"]


def payments(step: Step) -> list[str]:
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


def arrests(step: Step) -> list[str]:
    """What arrests pay the police, and gangs whose bribes led the officers (G-14.5)."""
    before, _, after = step
    paid = step.counted(E_PAYOFFS) - _raid_pays(step)
    if not paid:
        return []
    lines = [f"the police get ${paid:,} for arrests"]
    for officer in range(len(OFFICER_IDS)):
        gang, arrest = int(before.cop_share[officer]), int(after.arrest[U_COP + officer])
        if gang != NONE and arrest and after.cop_at[officer] == NONE:
            lines.append(f"{SIDES[gang]} gets ${half(arrest):,} of it for the bribe marker")
    return lines
