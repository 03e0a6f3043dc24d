"""Attacks and Gang War: the six stages and their outcome (sections 9 to 13)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.rng import roll_die
from ..core.state import State
from .actions import (
    AGAINST_AT,
    AMOUNT_AT,
    BACKOUT,
    BSWING,
    CROOK_AT,
    FOR_AT,
    PASS_ACTION,
    RACKET_AT,
    SPECIAL_AT,
    SWING,
    YES,
)
from .data import (
    ANYTIME_SWING,
    AUTO_FAIL,
    BODYGUARD,
    BOSS_SWING_TAKE,
    CHEER_ON_BOSS_WIN,
    CROOK_DISTRICT,
    CROOK_N,
    CROOK_POWER,
    CROOK_RESISTANCE,
    CROOK_TYPE,
    DEF_RECRUIT,
    DEF_TAKE,
    DEF_TAKE_DISTRICT,
    EXTRA_RECRUIT_HELP,
    GUARD_MOB,
    GUARD_SELF,
    HIT_BODYGUARD,
    HIT_BOSS,
    HIT_FAME,
    HIT_HAS_SUBORDINATES,
    HIT_HIDE,
    LIEUTENANT_MOD,
    LOYAL_UNDER,
    MATCHES,
    MOB_DISTRICT,
    MOB_HIT,
    MOB_N,
    MOB_RECRUIT,
    MOB_TAKE,
    MONEY,
    POWER_CAP,
    RACKET_DISTRICT,
    RACKET_IN,
    RACKET_KIND,
    RACKET_N,
    RACKET_RESISTANCE,
    REROLL_CODE,
    SAME_DISTRICT,
    SAME_TYPE,
    SELF_HIT,
    SELF_RECRUIT,
    SELF_TAKE,
    UNDER_LIEUTENANT_MOD,
    UNHAPPY_BONUS,
    UNIQUE,
    WAR_BONUS,
    WEAKNESS,
    WEAKNESS_STEP,
)
from .mob import (
    ask,
    depart,
    gain_money,
    give_tokens,
    has_place,
    join,
    lieutenants,
    lift,
    move_racket,
    own_power,
    power,
    push,
    racket_power,
    subtree,
    subtree_to_centre,
    touch,
)
from .specials import begin_settle, play_special
from .state import (
    ASSIST,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    COPIES,
    CROOKS,
    DEFEND,
    DISCARD,
    HIT,
    HIT_CASH,
    JOIN_AGAINST,
    JOIN_FOR,
    LEADER,
    NONE,
    PLACE,
    PROTECT,
    RACKETS,
    REC,
    REROLL,
    S_COMMIT,
    S_DONE,
    S_LOOP,
    S_RESULT,
    S_REVEAL,
    S_ROLL,
    S_SHOWDOWN,
    S_WAR_TURN,
    TAKE,
    WAR,
    int64,
)


@kernel(leaf=True)
def swinger(state: State, seat: int) -> int:
    """The seat's Crook with ``ANYTIME_SWING`` and a token, or NONE (CL-9.31)."""
    for c in range(CROOKS):
        if CROOK_N[ANYTIME_SWING, c] and state.crook_loc[c] == seat and state.token[c]:
            return c
    return NONE


@kernel(leaf=True)
def boss_swing(state: State, seat: int) -> int:
    """Power that the seat's Boss may swing in this takeover, or 0 (CL-9.31)."""
    boss = state.boss[seat]
    if state.kind != TAKE or boss < 0 or not state.token[boss]:
        return 0
    if MOB_DISTRICT[BOSS_SWING_TAKE, state.mob[seat]] != RACKET_DISTRICT[state.target]:
        return 0
    return power(state, boss)


@kernel(leaf=True)
def announce(state: State, kind: int, target: int, seat: int) -> None:
    """Stage 1: kind and target; the leader is asked for next (CL-9.3)."""
    state.attacking = 1
    state.kind = kind
    state.attacker = seat
    state.target = target
    state.owner = state.racket_loc[target] if kind == TAKE else state.crook_loc[target]
    if state.owner < 0:
        state.owner = NONE
    state.leader = NONE
    state.number = 0
    state.protector = NONE
    state.helper_used = 0
    state.commitments[:] = 0
    state.revealed = 0
    state.hit_cash = 0
    state.roll = 0
    state.success = 0
    state.rerolled = 0
    ask(state, LEADER, seat)


@kernel(leaf=True)
def mob_bonus(state: State, seat: int, code: int) -> int:
    """Sum of an "any attempt" bonus over the Mob card and the Mob's Crooks (CL-9.11)."""
    if seat < 0:
        return 0
    total = int64(MOB_N[code, state.mob[seat]])
    for c in range(CROOKS):
        if CROOK_N[code, c] and state.crook_loc[c] == seat:
            total += CROOK_N[code, c]
    return total


@kernel(leaf=True)
def recruit_number(state: State, seat: int, leader: int, target: int) -> int:
    """Success number of a recruitment after stage 2 (CL-10.2 to CL-10.6)."""
    number = power(state, leader) - CROOK_RESISTANCE[target]
    number += UNHAPPY_BONUS * state.unhappy[target]
    number += mob_bonus(state, seat, MOB_RECRUIT) + CROOK_N[SELF_RECRUIT, leader]
    owner = state.crook_loc[target]
    if owner >= 0:
        superior = state.superior[target]
        if superior == state.boss[owner]:
            number += LIEUTENANT_MOD
        elif superior >= 0 and state.superior[superior] == state.boss[owner]:
            number += UNDER_LIEUTENANT_MOD
        number -= mob_bonus(state, owner, DEF_RECRUIT)
        if superior >= 0:
            number -= CROOK_N[LOYAL_UNDER, superior]
    own, theirs = 0, 0
    for r in range(RACKETS):
        if MATCHES[r] & WEAKNESS[target]:
            own += state.racket_loc[r] == seat
            theirs += owner >= 0 and state.racket_loc[r] == owner
    if own > theirs:
        number += WEAKNESS_STEP
    elif own < theirs:
        number -= WEAKNESS_STEP
    return number


@kernel(leaf=True)
def take_number(state: State, seat: int, leader: int, target: int) -> int:
    """Success number of a takeover after stage 2 (CL-11.1 to CL-11.5).

    ``leader``: a Crook, or CROOKS + Racket.
    """
    district, kind = RACKET_DISTRICT[target], RACKET_KIND[target]
    owner = state.racket_loc[target]
    number = int64(-RACKET_RESISTANCE[target])
    if leader < CROOKS:
        number += power(state, leader) + CROOK_N[SELF_TAKE, leader]
    else:
        number += racket_power(state, leader - CROOKS)
    for r in range(RACKETS):
        loc = state.racket_loc[r]
        mine = loc == seat
        if loc < 0 or r == target or not (mine or loc == owner):
            continue
        sign = 1 if mine else -1
        if RACKET_DISTRICT[r] == district:
            number += sign * SAME_DISTRICT
        if RACKET_KIND[r] == kind and kind != UNIQUE:
            number += sign * SAME_TYPE
        if loc == owner and RACKET_IN[DEF_TAKE_DISTRICT, r] == district:
            number -= RACKET_N[DEF_TAKE_DISTRICT, r]
    for c in range(CROOKS):
        if (
            CROOK_N[MOB_TAKE, c]
            and state.crook_loc[c] == seat
            and (CROOK_TYPE[MOB_TAKE, c] == kind or CROOK_DISTRICT[MOB_TAKE, c] == district)
        ):
            number += CROOK_N[MOB_TAKE, c]
    return number - mob_bonus(state, owner, DEF_TAKE)


@kernel(leaf=True)
def hit_number(state: State, seat: int, leader: int, target: int) -> int:
    """Success number of a Hit after stage 2 (CL-12.3 to CL-12.5)."""
    number = power(state, leader) - power(state, target) - CROOK_N[GUARD_SELF, target]
    number += mob_bonus(state, seat, MOB_HIT) + CROOK_N[SELF_HIT, leader]
    owner = state.crook_loc[target]
    if owner >= 0:
        guarded = False
        for c in range(CROOKS):
            if state.crook_loc[c] == owner and state.superior[c] == target:
                guarded = True
                if CROOK_N[BODYGUARD, c]:
                    number += HIT_BODYGUARD
        if state.boss[owner] == target:
            number += HIT_BOSS
        elif guarded:
            number += HIT_HAS_SUBORDINATES
        number -= mob_bonus(state, owner, GUARD_MOB)
    if state.war:
        number += WAR_BONUS
    return number


@kernel(leaf=True)
def spend(state: State, card: int, value: int) -> None:
    """Set the token of a Crook, or of Racket ``card - CROOKS``."""
    if card < CROOKS:
        state.token[card] = value
    else:
        state.racket_token[card - CROOKS] = value


@kernel(leaf=True)
def decide_leader(state: State, action: int) -> None:
    """The leader spends his token; stage 2 fixes the modifiers (CL-9.3, CL-9.10)."""
    seat = state.attacker
    target = state.target
    leader = action - CROOK_AT if action < RACKET_AT else action - RACKET_AT + CROOKS
    state.leader = leader
    spend(state, leader, 0)
    if state.kind == TAKE:
        state.number = take_number(state, seat, leader, target)
        push(state, S_SHOWDOWN)
        if state.owner >= 0:
            ask(state, PROTECT, state.owner)
    elif state.kind == REC:
        state.number = recruit_number(state, seat, leader, target)
        push(state, S_SHOWDOWN)
    else:
        state.acted = 1
        if state.owner == seat:
            state.success = 1
            push(state, S_RESULT)
        else:
            state.number = hit_number(state, seat, leader, target)
            ask(state, HIT_CASH, seat)


@kernel(leaf=True)
def decide_stage(state: State, phase: int, action: int) -> None:
    """Protector, showdown, Hit money, reroll (CL-9.15, 9.20 to 9.24, 9.36, 12.6)."""
    seat = state.seat
    if phase == PROTECT:
        if action != PASS_ACTION:
            state.protector = action - CROOK_AT
            state.token[state.protector] = 0
            state.number -= power(state, state.protector)
    elif phase == HIT_CASH:
        state.hit_cash = MONEY[action - AMOUNT_AT]
        state.number += state.hit_cash
        gain_money(state, seat, -state.hit_cash)
        begin_loop(state)
    elif phase == REROLL:
        if action == YES:
            for c in range(CROOKS):
                if CROOK_N[REROLL_CODE, c] and state.crook_loc[c] == seat:
                    state.token[c] = 0
            state.rerolled = 1
            push(state, S_ROLL)
        else:
            push(state, S_RESULT)
    elif action == BACKOUT:
        spend(state, state.leader, 1)
        if state.protector >= 0:
            state.token[state.protector] = 1
        if state.kind == REC:
            state.barred_rec |= int64(1) << state.target
        else:
            state.barred_take |= int64(1) << state.target
        state.backouts += 1
        state.attacking = 0
    else:
        if action > AGAINST_AT:
            state.commitments[seat] = -MONEY[action - AGAINST_AT]
        elif action > FOR_AT:
            state.commitments[seat] = MONEY[action - FOR_AT]
        if phase == COMMIT_A:
            state.commit_at = 0
        push(state, S_COMMIT)


@kernel(leaf=True)
def ask_commitment(state: State) -> None:
    """Ask the next player of the showdown: owner first, then in seat order (CL-9.20)."""
    n = state.num_seats
    while state.commit_at < n:
        k = state.commit_at
        state.commit_at += 1
        seat = state.owner if k == 0 else (state.attacker + k) % n
        if seat < 0 or (k > 0 and seat == state.owner):
            continue
        if state.alive[seat] and state.treasury[seat] > 0:
            ask(state, COMMIT_D if k == 0 else COMMIT_T, seat)
            return
    push(state, S_REVEAL)


@kernel(leaf=True)
def reveal(state: State) -> None:
    """All commitments are revealed and paid (CL-9.20)."""
    state.acted = 1
    state.revealed = 1
    for seat in range(state.num_seats):
        state.number += state.commitments[seat]
        gain_money(state, seat, -abs(int64(state.commitments[seat])))
    begin_loop(state)


@kernel(leaf=True)
def begin_loop(state: State) -> None:
    """Start of assistance and defence (CL-9.30)."""
    state.loop_step = 0
    state.loop_at = 1
    state.loop_added = 0
    state.loop_empty = 0
    push(state, S_LOOP)


@kernel(leaf=True)
def has_item(state: State, seat: int) -> bool:
    """Whether a seat has anything at all that a step of the loop could use."""
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.token[c]:
            return True
    for r in range(RACKETS):
        if state.racket_loc[r] == seat and state.racket_token[r]:
            return True
    for s in range(COPIES):
        if state.special_loc[s] == seat:
            return True
    return False


@kernel(leaf=True)
def ask_loop(state: State) -> None:
    """Ask the next player who may add something, or end the loop (CL-9.30)."""
    n = state.num_seats
    while state.loop_empty < 4:
        step = state.loop_step
        if step in (0, 2):
            seat = state.attacker if step == 0 else state.owner
            if state.loop_at == 1 and seat >= 0 and has_item(state, seat):
                ask(state, ASSIST if step == 0 else DEFEND, seat)
                return
        else:
            while state.loop_at < n:
                seat = (state.attacker + state.loop_at) % n
                third = seat != state.owner and state.alive[seat]
                if third and (swinger(state, seat) >= 0 or boss_swing(state, seat) > 0):
                    ask(state, JOIN_FOR if step == 1 else JOIN_AGAINST, seat)
                    return
                state.loop_at += 1
        state.loop_empty = 0 if state.loop_added else state.loop_empty + 1
        state.loop_added = 0
        state.loop_step = (step + 1) % 4
        state.loop_at = 1
    push(state, S_ROLL)


@kernel(leaf=True)
def decide_loop(state: State, phase: int, action: int) -> None:
    """Add a helper, defender, muscle, swing or Special, or pass (CL-9.30 to CL-9.32)."""
    seat = state.seat
    push(state, S_LOOP)
    if action == PASS_ACTION:
        state.loop_at += 1
        return
    state.loop_added = 1
    sign = 1 if phase in (ASSIST, JOIN_FOR) else -1
    if action == SWING:
        crook = swinger(state, seat)
        state.token[crook] = 0
        state.number += sign * CROOK_N[ANYTIME_SWING, crook]
    elif action == BSWING:
        state.number += sign * boss_swing(state, seat)
        state.token[state.boss[seat]] = 0
    elif action >= SPECIAL_AT:
        play_special(state, seat, action - SPECIAL_AT)
    elif action >= RACKET_AT:
        racket = action - RACKET_AT
        state.racket_token[racket] = 0
        state.number += sign * racket_power(state, racket)
    else:
        crook = action - CROOK_AT
        state.token[crook] = 0
        if phase == DEFEND:
            state.number += HIT_HIDE if state.kind == HIT else -power(state, crook)
            return
        state.number += power(state, crook)
        if state.kind == TAKE:
            state.number += CROOK_N[SELF_TAKE, crook]
        elif state.kind == HIT:
            state.number += CROOK_N[SELF_HIT, crook]
            state.helper_used = 1
        else:
            state.number += CROOK_N[SELF_RECRUIT, crook]
            if not CROOK_N[EXTRA_RECRUIT_HELP, crook]:
                state.helper_used = 1


@kernel(leaf=True)
def roll_attack(state: State) -> None:
    """Stage 6: two dice, unless the number is below 2; a reroll may follow (CL-9.4, 9.6, 9.36)."""
    state.success = 0
    if state.number >= 2:
        state.roll = roll_die(state) + roll_die(state)
        state.success = state.roll <= state.number and state.roll < AUTO_FAIL
        if not state.success and not state.rerolled:
            for c in range(CROOKS):
                mine = state.crook_loc[c] == state.attacker and state.token[c]
                if CROOK_N[REROLL_CODE, c] and mine:
                    ask(state, REROLL, state.attacker)
                    return
    else:
        state.unrolled += 1
    push(state, S_RESULT)


@kernel(leaf=True)
def attack_result(state: State) -> None:
    """Outcome of the attack (CL-9.37, 10.9 to 10.12, 11.10, 12.9 to 12.13)."""
    push(state, S_DONE)
    seat = state.attacker
    target = state.target
    if state.success and state.boss[seat] == state.leader:
        for c in range(CROOKS):
            if CROOK_N[CHEER_ON_BOSS_WIN, c] and state.crook_loc[c] == seat:
                state.unhappy[c] = max(0, state.unhappy[c] - 1)
    if state.kind == HIT:
        hit_result(state, seat, target)
    elif state.success and state.kind == TAKE:
        win_racket(state, target, seat)
    elif state.success:
        bits = subtree(state, target) if state.owner >= 0 else int64(1) << target
        before = lieutenants(state, seat)
        if state.owner >= 0 and state.superior[target] == state.boss[state.owner]:
            before |= int64(1) << target
        lift(state, bits)
        if has_place(state, seat, target, state.leader, 0):
            join(state, bits, seat, target)
            begin_settle(state, seat, before, bits, 0, NONE, NONE)
            state.place_seat = seat
            state.root = target
            state.under = state.leader
            state.left_superior = NONE
            state.gift = 0
            ask(state, PLACE, seat)
        elif state.owner >= 0:
            subtree_to_centre(state, target)


@kernel(leaf=True)
def win_racket(state: State, racket: int, seat: int) -> None:
    """A Racket is taken over; Crooks with a matching Weakness cheer up (CL-6.3, CL-11.10)."""
    move_racket(state, racket, seat)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and WEAKNESS[c] & MATCHES[racket] and state.unhappy[c] > 0:
            state.unhappy[c] -= 1


@kernel(leaf=True)
def gain_power(state: State, leader: int, victim: int) -> None:
    """Power gain for a kill (CL-12.13)."""
    gain = 2 if own_power(state, victim) > own_power(state, leader) else 1
    gain += CROOK_N[HIT_FAME, leader]
    state.counters[leader] = min(state.counters[leader] + gain, POWER_CAP - CROOK_POWER[leader])
    touch(state, state.crook_loc[leader])


@kernel(leaf=True)
def hit_result(state: State, seat: int, target: int) -> None:
    """Outcome of a Hit: warning shot, survival or death (CL-12.2, 12.9 to 12.13, 13.1 to 13.4)."""
    owner = state.owner
    own = owner == seat
    if not own and state.number < 2:
        return
    if owner < 0:
        if state.success:
            gain_power(state, state.leader, target)
            state.crook_loc[target] = DISCARD
            state.counters[target] = 0
        return
    was_boss = state.boss[owner] == target
    if was_boss and not state.war:
        state.war_start = 1
        state.war_target = owner
        give_tokens(state, seat, False)
    before = lieutenants(state, owner)
    if state.success:
        if not own:
            gain_power(state, state.leader, target)
        for c in range(CROOKS):
            if state.crook_loc[c] == owner and c != target:
                near = state.superior[c] == target or state.superior[target] == c
                state.unhappy[c] += was_boss or near
        depart(state, target, DISCARD)
    else:
        state.unhappy[target] += 1
    begin_settle(state, owner, before, 0, 0, NONE if own else seat, NONE)


@kernel(leaf=True)
def begin_war(state: State) -> None:
    """A Gang War begins after a real attempt on a rival Boss (CL-13.1 to CL-13.6)."""
    state.war_start = 0
    state.war = 1
    state.wars += 1
    state.war_in = 1 << state.active | 1 << state.war_target
    state.war_at = state.war_target
    state.war_passes = 0
    if state.alive[state.war_target]:
        give_tokens(state, state.war_target, False)
    push(state, S_WAR_TURN)


@kernel(leaf=True)
def next_in_war(state: State) -> None:
    """The next living participant in seat order has the war turn (CL-13.6)."""
    for k in range(1, state.num_seats + 1):
        seat = (state.war_at + k) % state.num_seats
        if state.alive[seat] and state.war_in >> seat & 1:
            state.war_at = seat
            return


@kernel(leaf=True)
def war_turn(state: State) -> None:
    """Ask the participant whose war turn it is, or end the war (CL-13.7 to CL-13.12)."""
    living = 0
    for seat in range(state.num_seats):
        living += state.alive[seat] and state.war_in >> seat & 1
    if not state.alive[state.war_at]:
        next_in_war(state)
    while living > 1 and state.war_passes < living:
        for c in range(CROOKS):
            if state.crook_loc[c] == state.war_at and state.token[c]:
                ask(state, WAR, state.war_at)
                return
        state.war_passes += 1
        next_in_war(state)
    for seat in range(state.num_seats):
        if state.alive[seat] and state.war_in >> seat & 1:
            give_tokens(state, seat, False)
    state.war = 0
    state.war_in = 0


@kernel(leaf=True)
def pass_war(state: State) -> None:
    """Pass a war turn (CL-13.11)."""
    state.war_passes += 1
    next_in_war(state)
    push(state, S_WAR_TURN)


@kernel(leaf=True)
def after_war_hit(state: State) -> None:
    """A Mob that was really attacked is drawn into the war; the next participant (CL-13.8)."""
    owner = state.owner
    if state.number >= 2 and state.alive[owner] and state.war_in >> owner & 1 == 0:
        state.war_in |= 1 << owner
        give_tokens(state, owner, False)
    next_in_war(state)
    push(state, S_WAR_TURN)
