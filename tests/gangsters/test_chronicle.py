"""The log reads like a chronicle: what was done, from where to where, why and for how much."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gangland.envs.gangsters.data import SIDES
from gangland.envs.gangsters.state import CRIME, NONE
from gangland.envs.gangsters.words.narration import SPACE_NAMES

from .scenes import GAME, chance, cop_turn, phase, run, scene

AMOUNT = r"\$(\d{1,3}(?:,\d{3})*)"
"""A sum of money with thousands separators."""
OPTIONS = [{}, {"police": False}, {"heaters": True, "wheels": True, "vamp_success_min": 4}]


def narrated(state, *texts, viewer=None):
    """The lines on decisions given by their notation."""
    lines = []
    for text in texts:
        before = GAME.clone(state)
        action = GAME.parse_action(state, text)
        GAME.apply(state, action)
        lines += GAME.narrate(before, action, state, viewer)
    return lines


def story(seed, **options):
    """The decisions of a game of chance: before, after, the lines, those on a round."""
    state, rng = GAME.new_state(seed, **options), np.random.default_rng(seed)
    start = GAME.clone(state)
    while not state.over:
        before, action = GAME.clone(state), int(rng.choice(GAME.legal_actions(state)))
        GAME.apply(state, action)
        recap = GAME.recap(start, state, None)
        start = GAME.clone(state) if recap else start
        yield before, state, GAME.narrate(before, action, state, None), recap


def side(name):
    return SIDES.index(name) if name in SIDES else SIDES.index("Police")


def flow(line):
    """What each side earns and spends by a sentence; ``None`` if it does not say who."""
    found = np.zeros(5, int)
    sums = [int(amount.replace(",", "")) for amount in re.findall(AMOUNT, line)]
    who, police = side(line.split()[0]), side("Police")
    if not sums or line.endswith(": refused.") or " in cash" in line:
        return found
    if "ustomers" in line:
        return None
    if offer := re.match(r"\w+ offers (\w+) (.*) for (.*): accepted", line):
        given, partner = "$" in offer[2], side(offer[1])
        found[who] -= sums[0] if given else -sums[0]
        found[partner] += sums[0] if given else -sums[0]
    elif re.search(r" of it for the bribe marker| of the payoff", line):
        found[who] += sums[0]
        found[police] -= sums[0]
    elif re.search(r" a bribe marker from the police ", line):
        found[who] -= sums[0]
        found[police] += sums[0]
    elif re.search(r"salary| for arrests|; the police get ", line):
        found[police] += sums[0]
    elif re.search(r" collects | to the bank ", line):
        found[who] += sum(sums)
    else:
        found[who] -= sums[0]
    return found


@pytest.mark.parametrize("options", OPTIONS)
def test_every_dollar_is_in_the_log(options):
    """What sides earn and spend by the sentences is what their cash says."""
    unclear = 0
    for before, after, lines, _ in story(1, **options):
        flows = [flow(line) for line in lines]
        if not before.revealed or any(one is None for one in flows):
            unclear += bool(before.revealed)
            continue
        said = sum(flows, np.zeros(5, int))
        for line in lines:
            if before.police and "waste" in line and not line.startswith("The police"):
                said[side("Police")] += int(re.search(AMOUNT, line)[1].replace(",", ""))
        assert (after.cash - before.cash).tolist() == said.tolist(), lines
    assert unclear < 3


@pytest.mark.parametrize("options", OPTIONS)
def test_every_move_is_in_the_log_with_both_of_its_ends(options):
    """A move that may end in a crime is narrated with it."""
    moves = 0
    for before, after, lines, _ in story(2, **options):
        if not before.revealed:
            continue
        for gang in range(before.gangs):
            for k, name in enumerate(("Racketeer", "Thug", "Vamp")):
                start, goal = int(before.at[gang, k]), int(after.at[gang, k])
                asked = after.phase == CRIME and (gang, k) == (after.seat, after.piece)
                if before.phase == CRIME and (gang, k) == (before.seat, before.piece):
                    start, goal = int(before.node), int(before.at[gang, k])
                if start == goal or NONE in (start, goal) or asked:
                    continue
                moves += 1
                way = f"from {SPACE_NAMES[start]} to {SPACE_NAMES[goal]}"
                assert [line for line in lines if line.startswith(f"{SIDES[gang]}'s {name} goes")
                        and way in line], lines  # fmt: skip
    assert moves > 30


def test_each_round_is_summed_up_once():
    """Its sums are what the sides won and lost in it, and they are open to all."""
    cash, rounds, last = None, 0, None
    for before, after, lines, recap in story(4):
        if cash is None and after.revealed:
            assert [line.split(" comes")[0] for line in recap[:4]] == list(SIDES[:4])
            assert recap[4].startswith("The Commissioner starts at ")
            cash, last = after.cash.copy(), int(after.round_number)
        elif after.revealed and (after.round_number != last or after.over):
            rounds += 1
            assert recap[0].startswith(f"Round {last} ends: ")
            for seat, name in enumerate((*SIDES[:4], "the police")):
                gain = int(after.cash[seat] - cash[seat])
                word = "up" if gain > 0 else "down"
                said = f"{name} {word} ${abs(gain):,}" if gain else f"{name} even"
                assert said in recap[0]
            cash, last = after.cash.copy(), int(after.round_number)
            turned = before.round_number != after.round_number
            assert not turned or not [line for line in lines if " roll" in line]
        else:
            assert recap == []
    assert rounds > 5


def test_a_round_in_a_line():
    start = run(scene("Yellow.V 1@J26", "Green $12000", phase="MOVE"))
    now = GAME.clone(start)
    now.round_number += 1
    now.cash[:] += (1200, -1500, 0, 100, 300)
    now.strength[2, 2], now.dice[:] = 0, 0
    for event, count in ((2, 2), (3, 1)):
        now.events[event] += count
    assert GAME.recap(start, now, 0) == [
        "Round 1 ends: Red up $1,200, Green down $1,500, Yellow even, Brown up $100 and the police "
        "up $300. Gone from the board: Yellow's Vamp. Police work: 1 raid and 2 arrest attempts."
    ]
    assert GAME.recap(now, now, 0) == []


def test_purchases_have_their_price():
    state = run(scene("Red.R 4@J12", "joint J12:-", phase="BUY", dice="-"))
    assert narrated(state, "buy")[0] == "Red buys Brandon's Bikeshop for $400."
    state = run(scene(phase="BUY", dice="-", heaters=True))
    assert narrated(state, "up")[0] == "Red raises Downtown Bus Station to level 2 for $300."


def test_moves_crimes_and_what_they_pay():
    state = run(scene("Red.R 4@NA4<NA3", phase="MOVE", dice="2/2/1/1/1"))
    assert narrated(state, "move R", "go G02") == [
        "Red's Racketeer goes from North Avenue 4 to Federal Building."
    ]
    assert narrated(state, "end")[-1].startswith("The police roll "), "the end of the turn alone"
    state = run(scene("Red.T 2@NA4<NA3", phase="MOVE", dice="2/2/1/1/1"))
    lines = narrated(state, "move T", "go G02", "extort", "end")
    assert lines[:2] == [
        "Red's Thug goes from North Avenue 4 to Federal Building and extorts protection money.",
        "Red collects $200 of protection money.",
    ]
    paid = run(scene("Red.T 2@G02", "public x1a@J16", "first_cop", phase="MOVE", dice="1/3/1/1/1"))
    assert narrated(paid, "stay T", "end")[:3] == [
        "Red's Thug stays at Federal Building and extorts protection money.",
        "Red collects $300 of protection money and $300 from Brizelli's Riverside.",
        "The police draw a salary of $300 at crime level 1.",
    ]


def test_a_member_is_lured_away():
    state = run(scene("Red.V 1@NA4<NA3", "Green.R 3@G02", phase="MOVE", dice="2/2/2/1/1"))
    assert narrated(state, "move V", "go G02", "seduce Green R") == [
        "Red's Vamp goes from North Avenue 4 to Federal Building and lures 1 Racketeer away from "
        "Green: Red has 5 now, Green 2."
    ]


def test_a_raid_and_who_could_have_stopped_it():
    state = run(scene("Green markers=4", "cop 4@LP1<xF", "joint J17:Red:2c", "public x3@J17",
                      dice="1/1/1/1/3"))  # fmt: skip
    assert narrated(state, "cop 4", "go J17", "end") == [
        "Green does not stop officer 4.",
        "The police send officer 4 from The Loop 1 to Downtown Bus Station for a raid.",
        "Officer 4 raids Red's Downtown Bus Station, which falls to level 1; the police get $600.",
        "The Public worth 3 flees from Downtown Bus Station.",
    ]
    state = run(scene("Green markers=4", "cop 4@LP1<xF", "joint J17:Red:2c", dice="1/1/1/1/3"))
    assert narrated(state, "cop 4", "go J17", "yes") == [
        "Green stops officer 4 with a bribe marker on his way to Downtown Bus Station."
    ]


def test_shots_have_a_reason_and_an_end():
    state = scene("Green.T 2@G02", "Red.R 4@NA4<NA3", phase="MOVE", dice="2/2/1/1/1")
    lines = narrated(run(state), "move R", "go G02", "hit")
    assert lines == [
        "Red's Racketeer goes from North Avenue 4 to Federal Building and declares a hit."
    ]
    lines = narrated(chance(state, 6, 1, 1, 1, 1, 5), "end")
    assert lines[0] == (
        "Shots at Federal Building (hit): Red's Racketeer hits Green once; Green's Thug hits Red "
        "once; Red loses 1 Racketeer; Green loses 1 Thug."
    )


def test_recruits_are_told_when_they_are_paid():
    state = run(scene("Red.R 4@J17", phase="MOVE", dice="1/1/1/1/1"))
    assert narrated(state, "recruit R") == []
    assert narrated(state, "end")[0] == "Red recruits a Racketeer for $500."


def test_a_bribe_names_its_price_and_to_whom_it_went():
    state = run(scene("Red $1000", phase="COP_GANG", dice="1/1/1/1/4"))
    (line,) = narrated(state, "bribe")
    assert re.fullmatch(r"Red (buys a bribe marker from the police for|wastes) \$400.*\.", line)


def test_an_informant_gives_somebody_away():
    state = cop_turn("public x2@J17i", "Red.R 4@J17")
    assert narrated(state, "flip Red R")[0] == (
        "An Informant at Downtown Bus Station exposes Red's Racketeer as a criminal."
    )


def test_an_offer_is_told_with_its_answer():
    state = run(scene("Green.R 4@RD3", phase="BUY", dice="-", trade_offers=2))
    steps = "trade Green", "go J31", "go J10", "pay 300"
    assert narrated(state, *steps) == []
    terms = "Red offers Green Lou's Diner and $300 for Ambassadors' Club"
    assert narrated(state, "end") == [f"{terms}: refused."]
    assert narrated(state, *steps, "yes") == [f"{terms}: accepted."]


def test_a_story_says_nothing_twice():
    """In a game of chance nothing is said twice of a decision, and money has its separators."""
    told = decisions = 0
    for _, _, lines, recap in story(3):
        assert len(lines) == len(set(lines))
        for line in lines + recap:
            assert not re.search(r"\$\d{4}|\$-|\bNone\b|\b(done|own die|all dice)\.$", line), line
        told, decisions = told + bool(lines), decisions + 1
    assert 0.4 < told / decisions < 0.8


def test_set_up_is_narrated_to_its_own_seat_only():
    rng = np.random.default_rng(2)
    state = GAME.new_state(2)
    while phase(state) == "PICK":
        GAME.apply(state, int(rng.choice(GAME.legal_actions(state))))
    before, seat = GAME.clone(state), int(state.seat)
    action = GAME.legal_actions(state)[0]
    GAME.apply(state, action)
    assert (phase(before), phase(state), state.seat) == ("SET_R", "SET_T", seat)
    assert GAME.narrate(before, action, state, seat)[0].endswith(" hires 1 Racketeer for $100.")
    # Rivals are told once, when the Thugs are chosen as well.
    rival = (seat + 1) % 5
    assert GAME.narrate(before, action, state, rival) == []
    before, action = GAME.clone(state), GAME.legal_actions(state)[0]
    GAME.apply(state, action)
    own = GAME.narrate(before, action, state, seat)[0]
    assert own.endswith(" hires 1 Thug and the Vamp for $200.")
    (line,) = GAME.narrate(before, action, state, rival)
    assert line.endswith("makes a secret choice.")
    assert not re.search(r"\d", line)
