"""Private payments: what everybody knows of them, and which amounts they may have had (CL-19.2).

Public payments are in ``funds``, which is what a treasury would be without private ones. That a
private payment was made is public, its amount is known to its two parties alone. The record keeps
each with the funds of the two at that time, so that a third party's uncertainty can be drawn:
amounts from the prior below, given that nobody's treasury was ever below 0 and that each of these
payments was made.

The prior: whatever was decided in private was drawn from the legal decisions, each as likely as
another. A theft takes what there is, up to its limit. The maker of an offer gives an amount of the
ladder that he has; if he gives none he names any price, and the partner pays it if he can.
Nothing is inferred from how anybody plays in public.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.rng import randint
from ...core.state import State
from ..data import MONEY
from ..rules.payments import CASH, TRADE
from ..state import MAX_SEATS, int64

HISTORIES: Final = 32
"""Histories of private payments that a draw is taken from."""
UNIT: Final = 1 << 30


@kernel(leaf=True)
def hide_payments(state: State, seat: int) -> None:
    """Blank the amounts of payments between others."""
    for k in range(state.num_payments):
        if seat not in (state.payer[k], state.payee[k]):
            state.payment[k] = 0


@kernel(leaf=True)
def draw_treasuries(state: State, seat: int) -> bool:
    """Draw the treasuries of the others; false if no amounts were found that can have been.

    Several histories are drawn, and one of them is taken by its weight (sampling and importance
    resampling).
    """
    money = np.zeros(MAX_SEATS, np.int64)
    kept = np.zeros(MAX_SEATS, np.int64)
    total = 0.0
    for _ in range(HISTORIES if unknown_payments(state, seat) else 1):
        weight = draw_history(state, seat, money)
        total += weight
        if total == 0.0 or randint(state, UNIT) * total < weight * UNIT:
            kept[:] = money
    for other in range(state.num_seats):
        if other != seat:
            left = kept[other] + state.funds[other]
            state.treasury[other] = max(int64(0), left) if state.alive[other] else int64(0)
    return total > 0.0


@kernel(leaf=True)
def unknown_payments(state: State, seat: int) -> bool:
    """Whether others have paid each other in private."""
    for k in range(state.num_payments):
        if seat not in (state.payer[k], state.payee[k]):
            return True
    return False


@kernel(leaf=True)
def draw_history(state: State, seat: int, money: NDArray[np.int64]) -> float:
    """Draw the amounts of all private payments in order.

    Each is drawn from those after which both can pay what they paid until their next private
    payment; the weight makes up for it.

    Args:
        state: The record.
        seat: Whose own payments are known.
        money: Int64 of shape ``(MAX_SEATS,)``, filled: what each has above its funds.

    Returns:
        The weight; 0 if these amounts cannot have been.
    """
    money[:] = 0
    weight = 1.0
    for k in range(state.num_payments):
        payer, payee = state.payer[k], state.payee[k]
        most = money[payer] + lowest_after(state, k, payer)
        least = -(money[payee] + lowest_after(state, k, payee))
        has = money[payer] + state.payment_funds[k, 0]
        partner_has = money[payee] + state.payment_funds[k, 1]
        kind = state.payment_kind[k]
        amount = int64(state.payment[k])
        if seat not in (payer, payee):
            if kind > 0:
                amount = max(int64(0), min(int64(kind), int64(has)))
            else:
                ways = ways_to_pay(kind, has, partner_has, least, most)
                weight *= ways / (2.0 * len(MONEY) * max(1, steps_up_to(has)))
                if ways > 0:
                    pick = randint(state, ways)
                    amount = amount_of(kind, has, partner_has, least, most, pick)
        if not least <= amount <= most:
            weight = 0.0
        money[payer] -= amount
        money[payee] += amount
    for other in range(state.num_seats):
        if state.alive[other] and money[other] + state.lowest_funds[other] < 0:
            weight = 0.0
    return weight


@kernel(leaf=True)
def lowest_after(state: State, at: int, seat: int) -> int:
    """The lowest funds of a seat from a private payment to its next one, or to now."""
    for k in range(at + 1, state.num_payments):
        if state.payer[k] == seat:
            return int64(state.payment_lowest[k, 0])
        if state.payee[k] == seat:
            return int64(state.payment_lowest[k, 1])
    return int64(state.lowest_funds[seat])


@kernel(leaf=True)
def steps_up_to(has: int) -> int:
    """Amounts of the ladder that a treasury covers."""
    steps = 0
    while steps < len(MONEY) and MONEY[steps] <= has:
        steps += 1
    return steps


@kernel(leaf=True)
def weight_of_gift(kind: int) -> int:
    """How often an amount is given for each time that it is named as a price and paid.

    Prices are named only by who gives nothing, and have to be accepted; as have gifts in a trade.
    """
    return len(MONEY) if kind == TRADE else 2 * len(MONEY)


@kernel(leaf=True)
def ways_to_pay(kind: int, has: int, partner_has: int, least: int, most: int) -> int:
    """Ways in which an amount within the bounds can have been paid, by weight."""
    ways = 0
    for i in range(1, len(MONEY)):
        amount = MONEY[i]
        if amount <= has and least <= amount <= most:
            ways += weight_of_gift(kind)
        if kind != CASH and amount <= partner_has and least <= -amount <= most:
            ways += 1
    return ways


@kernel(leaf=True)
def amount_of(kind: int, has: int, partner_has: int, least: int, most: int, way: int) -> int:
    """The amount of one of the ways of :func:`ways_to_pay`; negative if the partner paid."""
    for i in range(1, len(MONEY)):
        amount = int64(MONEY[i])
        if amount <= has and least <= amount <= most:
            way -= weight_of_gift(kind)
            if way < 0:
                return amount
        if kind != CASH and amount <= partner_has and least <= -amount <= most:
            way -= 1
            if way < 0:
                return -amount
    return 0
