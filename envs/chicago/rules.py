"""The rules: legal actions, and what each decision does (sections 4 to 11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.kernel import kernel
from ..core.rng import roll_die, seed_chance
from ..core.state import State
from .actions import BATTLE, DRAW, DROP, END, HIRE, HIT, MOB, NO, PAY, RAID
from .data import HIRE_PRICE, PRICES
from .state import (
    ACE,
    AIMED,
    BLACK_JOKER,
    BOUGHT,
    BRIBE,
    BRIBED,
    CARD_TYPES,
    CARDS,
    DISCARD,
    DREW,
    DROPPED,
    FLIPPED,
    FOUGHT,
    GRABBED,
    HIRED,
    HIT_MAN,
    MAIN,
    MAX_MEN,
    MOBBED,
    MONEY_TYPES,
    NONE,
    NOT_HIRED,
    PAID,
    PAY_HIRE,
    PAY_TERR,
    PUT_BACK,
    RAIDED,
    RED_JOKER,
    ROLLED,
    TERRITORIES,
)
from .turn import (
    back_to_cards,
    cash,
    drop_card,
    end_if_all_twelve,
    end_turn,
    report,
    reshuffle,
    set_up,
    take_card,
)

# --- legal actions -------------------------------------------------------------------------------


@kernel
def legal_actions(state: State, mask: Any) -> None:
    """Fill the mask of the deciding seat (CU-4.3)."""
    mask[:] = False
    phase = state.phase
    seat = state.seat
    if phase == MAIN:
        mask[HIRE] = state.men[seat] < MAX_MEN
        mask[DRAW] = state.pile_size > 0
        if state.men[seat] > 0:
            for x in range(TERRITORIES):
                mask[BATTLE + x] = state.owner[x] != NONE and state.owner[x] != seat
        mark_cards(state, seat, mask)
    elif phase == CARDS:
        mask[END] = True
        mark_cards(state, seat, mask)
    elif phase == DISCARD:
        for card in range(CARD_TYPES):
            mask[DROP + card] = state.hands[seat, card] > 0
    else:
        mask[NO] = state.paid == 0
        reachable = np.int64(state.paid)
        for card in range(MONEY_TYPES):
            held = state.hands[seat, card]
            reachable += (card + 2) * held
            if state.last_paid != 0 and card + 2 > state.last_paid:
                break
            mask[PAY + card] = held > 0 and reachable >= state.price


@kernel(leaf=True)
def mark_cards(state: State, seat: int, mask: Any) -> None:
    """Aces and jokers with a target (CU-8.1, CU-8.2, CU-8.4, CU-8.6)."""
    if state.hands[seat, ACE] > 0:
        for step in range(1, state.num_seats):
            mask[HIT + step - 1] = state.men[(seat + step) % state.num_seats] > 0
    red = state.hands[seat, RED_JOKER] > 0
    black = state.hands[seat, BLACK_JOKER] > 0
    if red or black:
        for x in range(TERRITORIES):
            rival = state.owner[x] != NONE and state.owner[x] != seat
            mask[RAID + x] = red and rival
            mask[MOB + x] = black and rival


@kernel(leaf=True)
def has_card_target(state: State, seat: int) -> bool:
    """Whether an Ace or joker of this hand could be used."""
    if state.hands[seat, ACE] > 0:
        for other in range(state.num_seats):
            if other != seat and state.men[other] > 0:
                return True
    if state.hands[seat, RED_JOKER] > 0 or state.hands[seat, BLACK_JOKER] > 0:
        return has_rival_territory(state, seat)
    return False


@kernel(leaf=True)
def has_rival_territory(state: State, seat: int) -> bool:
    """Whether a rival owns a territory."""
    for x in range(TERRITORIES):
        if state.owner[x] != NONE and state.owner[x] != seat:
            return True
    return False


@kernel
def forced_action(state: State) -> int:
    """The only legal action, or ``NONE`` if there is a choice (CU-4.4)."""
    phase = state.phase
    seat = state.seat
    if phase == MAIN:
        if state.men[seat] < MAX_MEN or has_rival_territory(state, seat):
            return NONE
        return NONE if has_card_target(state, seat) else DRAW
    if phase == CARDS:
        return NONE if has_card_target(state, seat) else END
    only = NONE
    if phase == DISCARD:
        for card in range(CARD_TYPES):
            if state.hands[seat, card] > 0:
                if only != NONE:
                    return NONE
                only = DROP + card
        return only
    if state.paid == 0:
        return NONE
    reachable = np.int64(state.paid)
    for card in range(MONEY_TYPES):
        if card + 2 > state.last_paid:
            break
        held = state.hands[seat, card]
        reachable += (card + 2) * held
        if held > 0 and reachable >= state.price:
            if only != NONE:
                return NONE
            only = PAY + card
    return only


# --- hire, draw, battle -----------------------------------------------------------------------


@kernel(leaf=True)
def ask_payment(state: State, seat: int, phase: int, price: int) -> None:
    """A seat that could pay is asked whether and how (CU-7.3, CU-7.5)."""
    state.seat = seat
    state.phase = phase
    state.price = price
    state.paid = 0
    state.last_paid = 0


@kernel
def hire(state: State) -> None:
    """Roll for a henchman (CU-5.1 to CU-5.4)."""
    state.acted = 1
    die = roll_die(state)
    seat = state.current
    report(state, ROLLED, seat, die, 0)
    if die >= 4:
        state.men[seat] += 1
        report(state, HIRED, seat, 0, 0)
        back_to_cards(state)
    elif cash(state, seat) >= HIRE_PRICE:
        ask_payment(state, seat, PAY_HIRE, HIRE_PRICE)
    else:
        report(state, NOT_HIRED, seat, 0, 0)
        back_to_cards(state)


@kernel
def draw(state: State) -> None:
    """Turn the top card of the draw pile (CU-6.1 to CU-6.7)."""
    state.acted = 1
    seat = state.current
    card = take_card(state)
    if card < CARD_TYPES:
        report(state, DREW, seat, card, 0)
        state.hands[seat, card] += 1
        state.hand_size[seat] += 1
        back_to_cards(state)
        return
    state.flipped = card - CARD_TYPES
    report(state, FLIPPED, seat, state.flipped, 0)
    price = PRICES[state.flipped]
    if cash(state, seat) >= price:
        ask_payment(state, seat, PAY_TERR, price)
    else:
        put_back(state)


@kernel
def put_back(state: State) -> None:
    """An unpaid territory returns to the pile, the discards with it (CU-6.4, CU-10.2)."""
    report(state, PUT_BACK, state.current, state.flipped, 0)
    state.flipped = NONE
    state.pile_size += 1
    reshuffle(state)
    back_to_cards(state)


@kernel
def battle(state: State, x: int) -> None:
    """Fight for a rival's territory (CU-9.1 to CU-9.7)."""
    state.acted = 1
    seat = state.current
    defender = state.owner[x]
    if state.men[defender] == 0:
        report(state, GRABBED, seat, x, defender)
        state.owner[x] = seat
    else:
        report(state, FOUGHT, seat, x, defender)
        attack = roll_side(state, 0, state.men[seat])
        defence = roll_side(state, 1, state.men[defender])
        if attack > defence:
            state.owner[x] = seat
        else:
            state.men[seat] -= 1
    if not end_if_all_twelve(state):
        back_to_cards(state)


@kernel(leaf=True)
def roll_side(state: State, side: int, men: int) -> int:
    """Roll a die a henchman and return the highest (CU-9.3)."""
    highest = 0
    for man in range(MAX_MEN):
        die = roll_die(state) if man < men else 0
        state.dice[side, man] = die
        highest = max(highest, die)
    return highest


# --- paying -----------------------------------------------------------------------------------


@kernel
def pay(state: State, card: int) -> None:
    """Lay down one money card; the payment ends when the price is reached (CU-7.3)."""
    state.hands[state.seat, card] -= 1
    state.hand_size[state.seat] -= 1
    state.payment[card] += 1
    state.paid += card + 2
    state.last_paid = card + 2
    if state.paid < state.price:
        return
    phase = state.phase
    seat = state.current
    cards = hand_over(state)
    clear_price(state)
    if phase == PAY_HIRE:
        state.men[seat] += 1
        report(state, HIRED, seat, 0, 0)
        back_to_cards(state)
    elif phase == PAY_TERR:
        report(state, BOUGHT, seat, state.flipped, 0)
        state.owner[state.flipped] = seat
        state.flipped = NONE
        if not end_if_all_twelve(state):
            back_to_cards(state)
    else:
        report(state, BRIBED, state.seat, state.target, cards)
        if state.joker == RED_JOKER:
            reshuffle(state)
        finish_joker(state)


@kernel(leaf=True)
def hand_over(state: State) -> int:
    """The cards paid go to the discards, a mob bribe to the attacker (CU-7.4, CU-8.7).

    Returns:
        How many there were. All are told which (CU-13.6), but for those that went to a rival.
    """
    receiver = NONE
    if state.phase == BRIBE and state.joker == BLACK_JOKER:
        receiver = state.current
    cards = 0
    for kind in range(MONEY_TYPES - 1, -1, -1):
        count = state.payment[kind]
        state.payment[kind] = 0
        cards += count
        if receiver != NONE:
            state.hands[receiver, kind] += count
            state.hand_size[receiver] += count
        else:
            state.discards[kind] += count
        for _ in range(count):
            report(state, PAID, state.seat, kind, receiver)
    return cards


@kernel
def refuse(state: State) -> None:
    """Not to pay: the same events as without the money (CU-5.4, CU-6.4, CU-8.8, CU-13.3)."""
    phase = state.phase
    clear_price(state)
    if phase == PAY_HIRE:
        report(state, NOT_HIRED, state.current, 0, 0)
        back_to_cards(state)
    elif phase == PAY_TERR:
        put_back(state)
    else:
        carry_out_joker(state)


@kernel(leaf=True)
def clear_price(state: State) -> None:
    """No payment is in progress any more."""
    state.price = 0
    state.paid = 0
    state.last_paid = 0


# --- Aces and jokers ----------------------------------------------------------------------------


@kernel
def hit(state: State, step: int) -> None:
    """An Ace removes a henchman of the seat ``step`` places clockwise (CU-8.2)."""
    victim = (state.current + step) % state.num_seats
    state.men[victim] -= 1
    report(state, HIT_MAN, state.current, victim, 0)
    drop_card(state, state.current, ACE)


@kernel
def play_joker(state: State, joker: int, x: int) -> None:
    """Aim a joker; an owner with the money is asked for the bribe (CU-8.4 to CU-8.8)."""
    state.hands[state.current, joker] -= 1
    state.hand_size[state.current] -= 1
    state.joker = joker
    state.target = x
    owner = state.owner[x]
    report(state, AIMED, state.current, x, joker)
    if cash(state, owner) >= state.bribe_price:
        ask_payment(state, owner, BRIBE, state.bribe_price)
    else:
        carry_out_joker(state)


@kernel
def carry_out_joker(state: State) -> None:
    """The raid or the mob attack succeeds (CU-8.4, CU-8.6)."""
    x = state.target
    if state.joker == RED_JOKER:
        report(state, RAIDED, state.current, x, state.owner[x])
        state.owner[x] = NONE
        state.pile_size += 1
        reshuffle(state)
    else:
        report(state, MOBBED, state.current, x, state.owner[x])
        state.owner[x] = state.current
    finish_joker(state)


@kernel
def finish_joker(state: State) -> None:
    """The joker itself is discarded last, so its own reshuffle spares it (CU-8.8)."""
    state.discards[state.joker] += 1
    state.joker = NONE
    state.target = NONE
    if not end_if_all_twelve(state):
        back_to_cards(state)


# --- one decision ---------------------------------------------------------------------------------


@kernel
def play(state: State, action: int) -> None:
    """Carry out one action, chosen or forced."""
    if action == HIRE:
        hire(state)
    elif action == DRAW:
        draw(state)
    elif action == END:
        state.phase = DISCARD
        if state.hand_size[state.current] <= state.hand_limit:
            end_turn(state)
    elif action == NO:
        refuse(state)
    elif action < BATTLE:
        pay(state, action - PAY)
    elif action < RAID:
        battle(state, action - BATTLE)
    elif action < MOB:
        play_joker(state, RED_JOKER, action - RAID)
    elif action < HIT:
        play_joker(state, BLACK_JOKER, action - MOB)
    elif action < DROP:
        hit(state, action - HIT + 1)
    else:
        drop_card(state, state.current, action - DROP)
        report(state, DROPPED, state.current, action - DROP, 0)
        if state.hand_size[state.current] <= state.hand_limit:
            end_turn(state)


@kernel
def apply(state: State, action: int) -> None:
    """Play a decision, then forced ones, up to the next choice or the end (CU-4.4)."""
    state.ply += 1
    while True:
        play(state, action)
        if state.over:
            return
        action = forced_action(state)
        if action == NONE:
            return


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """A new game (section 3); the first decision is always a choice."""
    seed_chance(state, seed)
    set_up(state)
