"""Decisions of which others may not know that they are made (CL-4.3, CL-9.20, section 19)."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from gangland.envs.core.errors import NotationError
from gangland.envs.core.history import known_to
from gangland.envs.core.state import NO_SEAT, SOMEBODY
from gangland.envs.crime_lords.conformance import violations
from gangland.envs.crime_lords.data import KIND_OF_COPY
from gangland.envs.crime_lords.data.codes import HUSH_MONEY
from gangland.envs.crime_lords.state import PHASES
from gangland.serving.matches.watch import Watch

from .scenes import play, scene

SHOWDOWN = (
    "CL1 n=4 v=short A=0 ph=MAIN | 0=M1/30/C02t(E:C10)/-/- | 1=M8/30/C01/CAS-N/- "
    "| 2=M5/{}/C03/-/- | 3=M2/30/C04/-/- | centre=- | disc=- | deck=C11"
)
SPECIAL = (
    "CL1 n=4 v=short A=0 ph=MAIN | 0=M1/30/C02t(E:C10)/CAS-E/S03 | 1=M8/30/C01t/CAS-N/- "
    "| 2=M5/30/C03t/-/{} | 3=M2/30/C04t/-/- | centre=C20,C21,NUM-S,NUM-W | disc=- | deck=C11,{}"
)
THEFT = (
    "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/{}/C02t(E:C10)/-/- | 1=M8/30/C01t(E:C11)/CAS-N/- "
    "| 2=M5/9/C03t/-/- | centre=- | disc=-"
)


def blur(state, seat, money):
    """Nobody else knows what a seat has: the ledger says ``money``, and something was private."""
    for field in ("ledger", "funds", "lowest_funds"):
        state[field][seat] = money
    state.private[seat] = 1


def watched(game, state, decisions):
    """All watches of a game played on, by viewer."""
    watches = {v: Watch(game, v, state) for v in (*range(game.num_seats(state)), NO_SEAT)}
    for ply, item in enumerate(decisions.split(", "), 1):
        before = game.clone(state)
        play(game, state, item)
        action = game.parse_action(before, item.split(">")[1])
        for watch in watches.values():
            watch.see(int(item[0]), action, state, ply)
    return watches


def shown(game, watch):
    """Everything that a watch lets out, but the ply of a frame."""
    return (
        watch.known.tobytes(),
        watch.version,
        [event.text for event in watch.events],
        [noticed.events for noticed in watch.frames],
        game.text(watch.known, watch.viewer),
        game.svg(watch.known, watch.viewer),
        game.position_text(watch.known),
    )


def same_for(game, viewers, one, two):
    for viewer in viewers:
        mine, other = shown(game, one[viewer]), shown(game, two[viewer])
        assert mine[1:] == other[1:], viewer
        assert mine == other, viewer


def banner(game, state, viewer):
    """What text and picture say about who decides."""
    return game.text(state, viewer).splitlines()[1], game.svg(state, viewer)


@pytest.mark.rule("CL-9.20", "CL-4.3", "CL-19.3")
def test_nobody_can_tell_who_is_asked_for_money(game):
    """E-40, with all that is shown: seat 2 has 3 G or none."""
    worlds = []
    for money in (3, 0):
        state = scene(game, SHOWDOWN.format(money))
        blur(state, 2, 3)
        worlds.append(state)
    rich, poor = worlds
    for state in worlds:
        play(game, state, "0>TAKE CAS-N")
    asked, over = (game.clone(state) for state in worlds)
    one = watched(game, rich, "0>FOR 12, 1>PASS")
    two = watched(game, poor, "0>FOR 12, 1>PASS")
    assert (rich.seat, poor.seat) == (2, 3)
    same_for(game, (0, 1, NO_SEAT), one, two)
    for viewer in (0, 1, 3):
        assert one[viewer].known.seat == SOMEBODY
        line, picture = banner(game, rich, viewer)
        assert line == "Secret bids"
        assert "Secret bids" in picture
        assert "COMMIT" not in game.text(rich, viewer) + picture
    assert two[3].known.seat == 3
    one = watched(game, asked, "0>FOR 12, 1>PASS, 2>PASS, 3>AG 4")
    two = watched(game, over, "0>FOR 12, 1>PASS, 3>AG 4")
    same_for(game, (0, 1, 3, NO_SEAT), one, two)
    assert any("The money is shown" in event.text for event in one[1].events)


@pytest.mark.rule("CL-9.20", "CL-4.3")
def test_a_showdown_in_which_nobody_is_asked_looks_like_one_in_which_all_pass(game):
    """Attack and reveal come in one step of the engine or in several."""
    ends = []
    for money in (7, 0):
        state = scene(game, THEFT.format(money), backouts=2)
        blur(state, 0, 5)
        for seat in (1, 2):
            state.treasury[seat] = money
            blur(state, seat, 5)
        decisions = "0>TAKE CAS-N, 1>PASS"
        if money:
            decisions += ", 0>PASS, 1>PASS, 2>PASS"
        state.rng = 5
        ends.append(watched(game, state, decisions))
    # The seats know their own money; to the spectator both are the same.
    same_for(game, (NO_SEAT,), *ends)
    text = " ".join(event.text for event in ends[0][NO_SEAT].events)
    assert "moves to take over" in text
    assert "The money is shown: none." in text


@pytest.mark.rule("CL-15.5", "CL-4.3", "CL-19.3")
@pytest.mark.parametrize("hidden", ["S12", "S01"])
def test_hush_money_is_asked_for_in_secret(game, hidden):
    other = {"S12": "S01", "S01": "S12"}[hidden]
    state = scene(game, SPECIAL.format(hidden, other))
    start = game.clone(state)
    holder = hidden == "S12"
    watches = watched(game, state, "0>S03" + ", 2>PASS" * holder)
    reference = scene(game, SPECIAL.format("S01", "S12"))
    same_for(game, (0, 1, 3, NO_SEAT), watches, watched(game, reference, "0>S03"))
    if holder:
        play(game, start, "0>S03")
        assert (PHASES[start.phase], start.seat) == ("HUSH", 2)
        for viewer in (0, 1, 3):
            assert game.redact(start, viewer).seat == SOMEBODY
            assert banner(game, start, viewer)[0] == "Reactions to the Special"
            assert "HUSH" not in game.text(start, viewer)
        assert game.redact(start, 2).seat == 2
        assert known_to(game, start, NO_SEAT).seat == SOMEBODY


def asked_for_hush_money(game, holder):
    """A Special was played; each other seat has one that nobody sees, Hush Money in one case."""
    hands = {1: "S01", 2: "S02", 3: "S04"}
    left, hands[holder] = hands[holder], "S12"
    line = SPECIAL.format(hands[2], left).replace("CAS-N/-", f"CAS-N/{hands[1]}")
    state = scene(game, line.replace("C04t/-/-", f"C04t/-/{hands[3]}"))
    play(game, state, "0>S03")
    assert (PHASES[state.phase], state.seat) == ("HUSH", holder)
    assert game.redact(state, holder).seat == holder
    return state


@pytest.mark.rule("CL-15.5", "CL-4.3", "CL-19.3")
@pytest.mark.parametrize(("one", "two"), [(1, 2), (1, 3), (2, 3)])
def test_while_hush_money_is_asked_for_nobody_can_tell_how_far_round_the_table(game, one, two):
    first, second = (asked_for_hush_money(game, holder) for holder in (one, two))
    for viewer in (0, 6 - one - two, NO_SEAT):
        mine, other = (known_to(game, state, viewer) for state in (first, second))
        assert mine.seat == SOMEBODY
        assert mine.tobytes() == other.tobytes(), viewer
        assert game.text(mine, viewer) == game.text(other, viewer)
        assert game.svg(mine, viewer) == game.svg(other, viewer)


@pytest.mark.rule("CL-15.4", "CL-4.3")
@pytest.mark.parametrize("hidden", ["S05", "S12"])
def test_the_start_window_does_not_tell_who_could_play(game, hidden):
    other = {"S05": "S12", "S12": "S05"}[hidden]
    line = SPECIAL.replace("S03", "-")
    decisions = "0>END" + ", 2>PASS" * (hidden == "S05")
    watches = watched(game, scene(game, line.format(hidden, other)), decisions)
    reference = watched(game, scene(game, line.format("S12", "S05")), "0>END")
    same_for(game, (0, 1, 3, NO_SEAT), watches, reference)


@pytest.mark.rule("CL-16.14", "CL-19.3")
def test_a_third_party_sees_no_trace_of_an_offer(game):
    state = scene(game, THEFT.format(30))
    before = {viewer: known_to(game, state, viewer).tobytes() for viewer in (2, NO_SEAT)}
    for item in ("0>OFFER", "0>P+1", "0>AMT 0", "0>CAS-N", "0>AMT 5", "1>PASS"):
        play(game, state, item)
        for viewer, known in before.items():
            assert known_to(game, state, viewer).tobytes() == known, item


@pytest.mark.rule("CL-16.9", "CL-4.3")
def test_the_maker_of_an_offer_cannot_tell_who_refused(game):
    """A partner who cannot pay is not asked: that looks like a refusal."""
    ends = []
    for money in (30, 3):
        state = scene(game, THEFT.format(30))
        state.treasury[1] = money
        blur(state, 1, 30)
        decisions = "0>OFFER, 0>P+1, 0>AMT 0, 0>CAS-N, 0>AMT 20"
        ends.append(watched(game, state, decisions + ", 1>PASS" * (money == 30)))
    same_for(game, (0, 2, NO_SEAT), *ends)


@pytest.mark.rule("CL-15.2", "CL-4.3")
def test_a_choice_among_hidden_specials_is_not_seen(game):
    line = SPECIAL.replace("/CAS-E/S03", "/CAS-E/S03,{}")
    ends = []
    for held, rest in (("S06", "S03"), ("S03", "S06")):
        state = scene(game, line.format(held, "-", rest))
        ends.append(watched(game, state, "0>SHOW" + ", 0>S03" * (held == "S06")))
    same_for(game, (1, 2, 3, NO_SEAT), *ends)


PAY = (
    "CL1 n=3 v=short A=0 ph=START | 0=M8/8/C02t(E:C05,W:C20)/-/- | 1=M1/30/C01t/CAS-N/- "
    "| 2=M5/9/C03t/-/- | centre=C30,C31,NUM-S,NUM-W | disc=- | deck=C11"
)
HANDS = (
    "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/30/C02t/NUM-N{} | 1=M8/30/C01t/CAS-N{} "
    "| 2=M5/9/C03t(E:C10t)/-{} | centre=C20,C21,NUM-S,NUM-W | disc=C30 | deck=C11{}"
)

SECRETS = {
    "COMMIT_A": (SHOWDOWN.format(3), "0>TAKE CAS-N"),
    "COMMIT_D": (SHOWDOWN.format(3), "0>TAKE CAS-N, 0>FOR 5"),
    "COMMIT_T": (SHOWDOWN.format(3), "0>TAKE CAS-N, 0>FOR 5, 1>AG 3"),
    "HUSH": (SPECIAL.format("S12", "S01,S02"), "0>S03"),
    "WINDOW": (SPECIAL.format("S05", "S01,S02"), "0>S03, 0>END"),
    "HIT_CASH": (SHOWDOWN.format(3), "0>HIT C01"),
    "ASSIST": (HANDS.format("/S01", "/-", "/-", ",S04,S05"), "0>HIT C01, 0>AMT 0"),
    "DEFEND": (
        HANDS.format("/-", "/S02", "/-", ",S04,S05").replace("C01t", "C01"),
        "0>HIT C01, 0>AMT 0",
    ),
    "PAY_WHO": (PAY.replace("M8/8", "M8/12"), ""),
    "PAY_HOW": (PAY.replace("M8/8", "M8/15"), "0>C20"),
    "OFFER_REPLY": (THEFT.format(30), "0>OFFER, 0>P+1, 0>AMT 0, 0>CAS-N, 0>AMT 5"),
    "SHOW_WHICH": (HANDS.format("/S01,S02", "/-", "/-", ",S04"), "0>SHOW"),
    "HEIR": (THEFT.format(30).replace("C02t(E:C10)", "C02t(E:C10t,W:C12t)"), "0>RETIRE"),
    "MAIN": (THEFT.format(30).replace("C02t(E:C10)", "C02"), ""),
}
"""A position in each phase that can be secret, or that shows money nobody has seen."""


@pytest.mark.rule("CL-19.1", "CL-4.4", "CL-4.10", "CL-15.5")
@pytest.mark.parametrize("phase", SECRETS)
def test_samples_fit_the_decision_in_progress(game, phase):
    """Who decides has what he is asked about; what follows breaks no law."""
    line, decisions = SECRETS[phase]
    state = scene(game, line)
    play(game, state, decisions)
    assert PHASES[state.phase] == phase
    decider = int(state.seat)
    blur(state, decider, int(state.treasury[decider]))
    deciders = set()
    for seat in range(game.num_seats(state)):
        known = game.redact(state, seat)
        for seed in range(12):
            sample = game.resample_hidden(state, seat, seed)
            assert game.resample_hidden(known, seat, seed).tobytes() == sample.tobytes()
            assert game.redact(sample, seat).tobytes() == known.tobytes()
            assert not violations(game, sample)
            assert 0 <= sample.seat < game.num_seats(state)
            deciders.add(int(sample.seat))
            if PHASES[sample.phase] == "HUSH":
                held = np.flatnonzero(sample.special_loc == sample.seat)
                assert any(KIND_OF_COPY[s] == HUSH_MONEY for s in held)
            elif PHASES[sample.phase].startswith("COMMIT_T"):
                assert sample.treasury[sample.seat] > 0
            legal = game.legal_actions(sample)
            assert legal
            for action in legal if seed < 3 else legal[-1:]:
                after = game.clone(sample)
                game.apply(after, action)
                assert not violations(game, after)
                for _ in range(3):
                    if not game.is_over(after):
                        game.apply(after, game.legal_actions(after)[-1])
                        assert not violations(game, after)
    assert decider in deciders


@pytest.mark.rule("CL-7.8", "CL-4.3", "CL-19.3")
def test_whether_somebody_is_being_paid_in_full_is_not_shown(game):
    """PAY_WHO and PAY_HOW look the same to all but the seat that pays."""
    line, decisions = SECRETS["PAY_HOW"]
    how = scene(game, line)
    who = game.clone(how)
    play(game, how, decisions)
    assert (PHASES[who.phase], PHASES[how.phase]) == ("PAY_WHO", "PAY_HOW")
    assert who.seat == how.seat == 0
    for viewer in (1, 2, NO_SEAT):
        before, after = (known_to(game, state, viewer) for state in (who, how))
        assert before.seat == SOMEBODY
        assert before.tobytes() == after.tobytes(), viewer
        assert game.text(before, viewer) == game.text(after, viewer)
        assert game.svg(before, viewer) == game.svg(after, viewer)
    assert PHASES[game.redact(how, 0).phase] == "PAY_HOW"


@pytest.mark.parametrize("phase", SECRETS)
def test_positions_as_others_know_them_have_a_notation(game, phase):
    line, decisions = SECRETS[phase]
    state = scene(game, line)
    play(game, state, decisions)
    for seat in range(game.num_seats(state)):
        known = game.redact(state, seat)
        text = game.position_text(known)
        assert ("seat:-2" in text) == (known.seat == SOMEBODY)
        assert game.from_dict(game.to_dict(known)).tobytes() == known.tobytes()
        if known.seat == SOMEBODY:
            assert not game.action_mask(known).any()
            assert not game.view(state, seat).deciding


@pytest.mark.parametrize(
    ("hand", "deck", "seen", "where"),
    [("S03!", "C11", "S03!", "deck"), ("S02,S03!,S04", "-", "S03!,[?],[?]", "seat 1")],
)
def test_a_position_as_a_seat_sees_it_is_not_set_up_from_its_text(game, hand, deck, seen, where):
    line = (
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C02t/-/S01 | 1=M8/30/C01t/-/{hand} "
        f"| centre=- | disc=- | deck={deck}"
    )
    state = scene(game, line)
    assert game.position_text(state) == line
    known = game.position_text(game.redact(state, 0))
    assert re.search(rf"M1/30/C02t/-/S01 [|] 1=M8/0/C01t/-/{seen} ", known)
    with pytest.raises(
        NotationError, match=f"^{where}: '[?]' stands for a card that a seat cannot"
    ):
        game.parse_position(known)


@pytest.mark.rule("CL-9.20", "CL-19.3")
def test_how_far_an_earlier_showdown_went_is_not_shown(game):
    """An attacker who is asked for his commitment, and backs out, has not begun to ask again."""
    one, two = (scene(game, SHOWDOWN.format(30), commit_at=far) for far in (0, 4))
    for viewer in range(4):
        assert game.redact(one, viewer).tobytes() == game.redact(two, viewer).tobytes()


@pytest.mark.rule("CL-21.3")
@pytest.mark.parametrize("players", range(2, 9))
def test_notations_warn_of_nothing(game, players):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = game.new_state(1, players=players)
        rng = np.random.default_rng(players)
        for _ in range(60):
            text = game.position_text(state)
            assert game.position_text(game.parse_position(text)) == text
            game.apply(state, int(rng.choice(game.legal_actions(state))))


@pytest.mark.rule("CL-9.30", "CL-9.32", "CL-19.3")
def test_how_far_the_reactions_have_come_is_not_shown(game):
    """After a helper the attacker is asked about an Inside Man, or the owner about a Tip-Off."""
    seen = set()
    for mine, theirs, rest in (("S01", "S03", "S02"), ("S03", "S02", "S01")):
        line = HANDS.format(f"/{mine}", f"/{theirs}", "/-", f",{rest},S04,S05")
        line = line.replace("1=M8/30/C01t", "1=M8/30/C01").replace("C02t", "C02t(E:C11t)")
        state = scene(game, line.replace("deck=C11,", "deck="))
        play(game, state, "0>HIT C01, 0>C02, 0>AMT 5, 0>C11")
        assert (PHASES[state.phase], state.seat) in {("ASSIST", 0), ("DEFEND", 1)}
        assert game.redact(state, 2).seat == SOMEBODY
        seen.add(game.redact(state, 2).tobytes())
    assert len(seen) == 1
