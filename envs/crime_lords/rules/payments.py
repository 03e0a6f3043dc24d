"""Private payments, as everybody may note them (CL-19.2)."""

from __future__ import annotations

from typing import Final

from ...core.kernel import kernel
from ...core.state import State
from ..state import CROOKS, TRANSFERS, int64

# Kinds of private payments; a positive kind is the most that a theft takes.
TRADE: Final = 0
"""A deal that the partner was asked about in any case."""


GIFT: Final = -1
"""Cards for nothing: the partner was asked about a price only."""


CASH: Final = -2
"""Money alone: the maker of the offer gave it."""


MOST_FUNDS: Final = 30_000
"""Above this nobody's money matters to a private payment."""


@kernel(leaf=True)
def kind_of_deal(given: int, asked: int) -> int:
    """Kind of the payment that goes with a deal about these cards (CL-16.4, CL-16.9)."""
    if asked >= 0 or 0 <= given < CROOKS:
        return TRADE
    return GIFT if given >= 0 else CASH


@kernel(leaf=True)
def note_payment(state: State, payer: int, payee: int, amount: int, kind: int) -> None:
    """Keep a private payment; the oldest is forgotten if there are too many."""
    if state.num_payments == TRANSFERS:
        for k in range(TRANSFERS - 1):
            state.payer[k] = state.payer[k + 1]
            state.payee[k] = state.payee[k + 1]
            state.payment_kind[k] = state.payment_kind[k + 1]
            state.payment[k] = state.payment[k + 1]
            for side in range(2):
                state.payment_funds[k, side] = state.payment_funds[k + 1, side]
                state.payment_lowest[k, side] = state.payment_lowest[k + 1, side]
        state.num_payments -= 1
    k = state.num_payments
    state.num_payments += 1
    state.payer[k] = payer
    state.payee[k] = payee
    state.payment_kind[k] = kind
    state.payment[k] = amount
    for side in range(2):
        seat = payer if side == 0 else payee
        state.payment_funds[k, side] = bounded(state.funds[seat])
        state.payment_lowest[k, side] = bounded(state.lowest_funds[seat])
        state.lowest_funds[seat] = state.funds[seat]
        state.private[seat] += 1


@kernel(leaf=True)
def bounded(funds: int) -> int:
    """Funds within the width of their field."""
    return max(int64(-MOST_FUNDS), min(int64(MOST_FUNDS), int64(funds)))
