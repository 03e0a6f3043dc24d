"""What is drawn again for a seat: markers, chits and set-up choices (G-18.7, G-18.8).

Samples are compared with the true distribution, by rejection: many worlds differ in what is hidden;
the same is bought and played in each, and those that the viewer could not tell from his own are
kept. Markers, chits and choices of the set-up are in them as often as in samples.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gangland.envs.gangsters.actions import STRENGTH
from gangland.envs.gangsters.data import GANG_NAMES, OFFICER_IDS
from gangland.envs.gangsters.state import NONE
from tests.properties.test_secrets import World, compare

from ..sampling import assert_same_distribution
from .scenes import GAME, chance, cop_turn, holder, legal, phase, play, run, scene, setup_scene
from .test_setup import TWELVE

DRAWS = 60


def redrawn(state, seat):
    """Records with all that the seat cannot know drawn again."""
    return [GAME.resample_hidden(state, seat, 977 * seed + 1) for seed in range(DRAWS)]


def held(state, side):
    return [name for name in OFFICER_IDS[:9] if holder(state, name) == side]


@pytest.mark.rule("G-18.3", "G-18.8")
def test_own_markers_stay_and_others_are_dealt_from_what_is_unknown():
    state = run(scene("Red markers=2,7", "Green markers=4,9", "Police markers=1"))
    for viewer, own in (("Red", ["2", "7"]), ("Green", ["4", "9"]), ("Police", ["1"])):
        seen = Counter()
        for other in redrawn(state, {"Red": 0, "Green": 1, "Police": 4}[viewer]):
            assert held(other, viewer) == own
            counts = [len(held(other, side)) for side in ("Red", "Green", "Police")]
            assert counts == [2, 2, 1]
            assert (other.slot_seat == state.slot_seat).all()
            for k, name in enumerate(OFFICER_IDS[:9]):
                slot = other.slot_of[k]
                assert (slot == -1) == (holder(other, name) == "cup")
                assert slot == -1 or other.slot_seat[slot] == other.holder[k]
            seen.update(name for side in ("Red", "Green", "Police") for name in held(other, side))
        unknown = {name: seen[name] for name in OFFICER_IDS[:9] if name not in own}
        assert all(0 < n < DRAWS for n in unknown.values()), unknown


@pytest.mark.rule("G-18.7", "G-18.8")
def test_a_marker_that_was_played_later_is_in_no_place_filled_before():
    state = run(scene("Green markers=4", "Red markers=2,9", phase="COP_GANG", dice="1/1/1/1/1"))
    play(state, "play 2")  # after Green's place was filled: marker 2 is not there
    for other in redrawn(state, 2):
        assert held(other, "Green") != ["2"]
        assert held(other, "Red") != ["2"]
    play(state, "end", "end")
    while phase(state) != "COP_POLICE":
        play(state, "end")
    play(chance(state, (9, 1)), "bribe")
    assert holder(state, "2") != "cup"
    assert any(held(other, "Police") == ["2"] for other in redrawn(state, 2))  # filled after it


@pytest.mark.rule("G-18.8")
def test_the_marker_of_an_open_question_stays():
    state = run(scene("Green markers=4,5", "cop 4@LP1<xF", "joint J17:Red:2c", "public x3@J17",
                      dice="1/1/1/1/3"), "cop 4", "go J17")  # fmt: skip
    assert phase(state) == "STOP"
    others = redrawn(state, 0)
    assert all("4" in held(other, "Green") for other in others)
    assert len({tuple(held(other, "Green")) for other in others}) > 3


@pytest.mark.rule("G-18.4", "G-18.8")
@pytest.mark.parametrize("chits", ["x1", "x1,x3", "x2,x3"])
def test_chits_are_dealt_anew_to_all_but_the_police(chits):
    state = run(scene(f"Police chits={chits}", "public x2@J16"))
    full = state.chit_full.tolist()
    seen = set()
    for other in redrawn(state, 0):
        places = [int(slot) for slot in other.chit_slot]
        assert sorted(s for s in places if s != -1) == [k for k in range(3) if full[k]]
        seen.add(tuple(places))
    assert len(seen) == {1: 3, 2: 6}[sum(full)]
    for other in redrawn(state, 4)[:5]:
        assert (other.chit_slot == state.chit_slot).all()


@pytest.mark.rule("G-18.7", "G-18.8", "G-10.7")
def test_a_chit_that_was_shown_later_is_in_no_place_filled_before():
    state = scene("Police chits=x1,x3", "public x1b@LP2<LP1 x2@NA5<NA4", "first_cop",
                  active="Police", phase="INFORMANTS", dice="1/6/1")  # fmt: skip
    run(state, "chit x1")
    for other in redrawn(state, 0):
        assert other.chit_slot[0] == -1
    assert {tuple(o.chit_slot) for o in redrawn(state, 0)} == {(-1, -1, 1), (-1, 1, -1)}


@pytest.mark.rule("G-18.5", "G-18.8")
def test_set_up_choices_are_dealt_anew_until_all_are_made():
    state = GAME.new_state(4)
    while phase(state) != "PLACE":
        GAME.apply(state, GAME.legal_actions(state)[-1])
    GAME.apply(state, GAME.legal_actions(state)[0])
    viewer = int(state.order[3])
    seen = set()
    for other in redrawn(state, viewer):
        for gang in range(4):
            racketeers, thugs, vamp = (int(n) for n in other.strength[gang])
            paid = 50 * racketeers * (racketeers + 1) + 50 * thugs * (thugs + 1) + 100
            assert other.cash[gang] == state.setup_cash[gang] - paid >= 0
            assert 1 <= racketeers <= 6 >= thugs >= 1 == vamp
            placed = other.at[gang] != -1
            assert (placed == (state.at[gang] != -1)).all()
            assert all(other.owner[node - 101] == gang for node in other.at[gang][placed])
        assert (other.strength[viewer] == state.strength[viewer]).all()
        commissioner = int(other.c_strength)
        assert other.cash[4] == 1700 - 50 * commissioner * (commissioner + 1)
        seen.add((tuple(other.strength[:, :2].ravel()), commissioner))
    assert len(seen) > DRAWS // 2


@pytest.mark.rule("G-18.5", "G-18.8", "G-3.5", "G-3.6")
@pytest.mark.parametrize("made", range(9))
def test_only_choices_that_have_been_made_are_dealt_anew(made):
    """After so many choices of strengths, gang by gang: two each.

    Rivals cannot tell that the first of a gang's two has been made, so for them none is drawn.
    """
    state = play(setup_scene(*TWELVE), *["n 2"] * made)
    assert phase(state) == ("SET_C" if made == 8 else "SET_T" if made % 2 else "SET_R")
    for viewer in (0, 3, 4):
        shown = state
        if made % 2 and viewer != state.seat:
            shown = play(setup_scene(*TWELVE), *["n 2"] * (made - 1))
        for seed in range(3):
            other = GAME.resample_hidden(state, viewer, seed)
            assert (phase(other), other.seat) == (phase(shown), shown.seat)
            assert legal(other) == legal(GAME.resample_hidden(shown, viewer, seed))
            assert ((other.strength > 0) == (shown.strength > 0)).all()
            assert (other.at == -1).all()
            assert (other.c_strength, other.cash[4]) == (0, 1700)
            for gang in range(4):
                racketeers, thugs, vamp = (int(n) for n in other.strength[gang])
                paid = 50 * racketeers * (racketeers + 1) + 50 * thugs * (thugs + 1) + 100 * vamp
                assert other.cash[gang] == state.setup_cash[gang] - paid


@pytest.mark.rule("G-18.5", "G-4.1")
def test_nobody_can_tell_that_six_racketeers_left_no_choice_of_thugs():
    """In one world a gang has taken six Racketeers and is not asked for its Thugs."""
    picked = setup_scene(*TWELVE)
    options = GAME.read_options(picked)
    for at in range(3):
        gang, after = int(picked.order[at]), int(picked.order[at + 1])
        start = play(GAME.clone(picked), *["n 2"] * (2 * at))
        start.cash[gang] = start.setup_cash[gang] = 2100 + 100 + 100
        for viewer in sorted({0, 1, 2, 3, 4} - {gang}):
            forced, asked = (World(GAME, start, viewer, options) for _ in range(2))
            forced.play(STRENGTH + 5)
            asked.play(STRENGTH + 4)
            # Nothing is shown until the Thugs are chosen, not even that something was decided.
            assert (int(asked.match.state.seat), phase(asked.match.state)) == (gang, "SET_T")
            compare(asked, World(GAME, start, viewer, options), f"order {at}, viewer {viewer}")
            asked.play(STRENGTH)
            assert int(forced.match.state.ply) == int(asked.match.state.ply) - 1
            assert int(forced.match.state.seat) == int(asked.match.state.seat) == after
            compare(forced, asked, f"order {at}, viewer {viewer}")


@pytest.mark.rule("G-18.8", "G-18.9")
def test_who_decides_in_a_redrawn_position_has_the_choices_of_that_position():
    state = run(scene("Red markers=2,7", phase="COP_GANG", dice="1/1/1/1/1"))
    for viewer in (0, 1, 4):
        for other in redrawn(state, viewer)[:10]:
            played = [f"play {name}" for name in held(other, "Red")]
            assert legal(other) == ["end", "bribe", *played]
            assert len(played) == 2


@pytest.mark.rule("G-18.2", "G-18.5")
def test_a_view_of_the_set_up_is_blank_but_for_own_choices():
    state = setup_scene(*TWELVE)
    while phase(state) != "PLACE" or state.seat < 2:
        play(state, legal(state)[0])
    for viewer in range(5):
        known = GAME.redact(state, viewer)
        for gang in range(4):
            own = gang == viewer
            assert (known.at[gang] == (state.at[gang] if own else -1)).all()
            assert (known.strength[gang] == (state.strength[gang] if own else 0)).all()
            assert known.cash[gang] == (state.cash if own else state.setup_cash)[gang]
        police = (state.c_strength, state.cash[4]) if viewer == 4 else (0, 1700)
        assert (known.c_strength, known.cash[4]) == police
        assert known.legal.any() == (viewer == state.seat)


@pytest.mark.rule("G-18.3", "G-18.4", "G-18.6")
def test_a_view_of_markers_and_chits_is_blank_but_for_own_ones():
    state = run(scene("Red markers=2,7", "Green markers=4", "Police markers=1", "Police chits=x1"))
    own = {0: [1, 6], 1: [3], 2: [], 4: [0]}
    for viewer, officers in own.items():
        known = GAME.redact(state, viewer)
        assert [k for k in range(9) if known.holder[k] != -1] == officers
        assert [k for k in range(9) if known.slot_of[k] != -1] == officers
        assert known.chit_slot.tolist() == ([0, -1, -1] if viewer == 4 else [-1, -1, -1])
        assert known.rng == 0
        assert (known.slot_seat == state.slot_seat).all()


# --- against the true distribution ----------------------------------------------------------------


MARKERS = ("holder", "slot_of", "slot_seat", "slot_time", "returned", "clock")
VIEWER = GANG_NAMES.index("Brown")
SAMPLES = 1500
HISTORY = (("Green", "bribe"), ("Red", "play 2"), ("Yellow", "bribe"))
"""Green buys a marker, Red plays officer 2, and only after that Yellow buys one."""


def starts():
    """Worlds before that, by the second marker of Red; Brown, who looks on, has marker 5."""
    others = (1, 3, 4, 6, 7, 8, 9)
    return [scene(f"Red markers=2,{other}", "Brown markers=5") for other in others]


def turns():
    """The bribe menu of each buyer and player of the history."""
    held = {"Red": ["Red markers=2"]}
    return [
        run(scene(*held.get(side, []), active=side, phase="COP_GANG", dice="1/1/1/1/1"))
        for side, _ in HISTORY
    ]


def happen(start, menus, chance):
    """The history with this world's markers and its own chance; None if it cannot happen."""
    state = start
    for (_, text), menu in zip(HISTORY, menus, strict=True):
        turn = GAME.clone(menu)
        for field in MARKERS:
            turn[field] = state[field]
        turn.rng = chance.integers(2**64, dtype=np.uint64)
        GAME.apply(turn, GAME.parse_action(turn, text))
        state = turn
    return state


def lies(state):
    """Markers of Red, Green and Yellow, unless the marker was shown and put back."""
    return tuple(tuple(np.flatnonzero(state.holder == gang).tolist()) for gang in range(3))


@pytest.mark.rule("G-18.8")
def test_samples_of_markers_have_the_true_distribution():
    """A chi-square test; with seeds drawn at random it would fail once in 10,000."""
    chance = np.random.default_rng(3)
    worlds, menus = starts(), turns()
    seen = happen(worlds[0], menus, chance)
    while [len(markers) for markers in lies(seen)] != [1, 1, 1]:
        seen = happen(worlds[0], menus, chance)
    known = GAME.redact(seen, VIEWER).tobytes()
    true = []
    while len(true) < SAMPLES:
        state = happen(worlds[chance.integers(len(worlds))], menus, chance)
        if GAME.redact(state, VIEWER).tobytes() == known:
            true.append(lies(state)[1:])
    samples = [GAME.resample_hidden(seen, VIEWER, seed) for seed in range(SAMPLES)]
    assert all(sample.holder[4] == VIEWER for sample in samples)
    kinds = assert_same_distribution(true, [lies(sample)[1:] for sample in samples])
    assert kinds > 30
    # Officer 2 was played after Green had bought: he cannot have it, Yellow can.
    assert {green for green, _ in true} == {(k,) for k in (0, 2, 3, 5, 6, 7, 8)}
    assert (1,) in {yellow for _, yellow in true}


CHITS = ("chit_slot", "chit_full", "chit_time", "chit_returned", "clock")
HIRED = ("hire", "hire", "chit x1", "hire")
"""The police hire twice, show x1, and hire again."""


def police_turns():
    """The menus of the police at which that happens."""
    buy = cop_turn(step="POLICE_PUBLIC")
    show = cop_turn("Police chits=x1", "public x1b@LP2<LP1 x2@NA5<NA4")
    return [show if text == "chit x1" else buy for text in HIRED]


def hired(menus, chance):
    """That history with its own chance; None if x1 was not hired, so that it cannot be shown."""
    state = menus[0]
    for text, menu in zip(HIRED, menus, strict=True):
        turn = GAME.clone(menu)
        for field in CHITS:
            turn[field] = state[field]
        turn.rng = chance.integers(2**64, dtype=np.uint64)
        if text == "chit x1" and turn.chit_slot[0] == NONE:
            return None
        state = play(turn, text)
    return state


@pytest.mark.rule("G-18.8", "G-10.6", "G-10.7")
def test_samples_of_chits_have_the_true_distribution():
    chance = np.random.default_rng(4)
    menus, seen = police_turns(), None
    while seen is None:
        seen = hired(menus, chance)
    known = GAME.redact(seen, VIEWER).tobytes()
    true = []
    while len(true) < SAMPLES:
        state = hired(menus, chance)
        if state is not None and GAME.redact(state, VIEWER).tobytes() == known:
            true.append(tuple(state.chit_slot.tolist()))
    samples = [GAME.resample_hidden(seen, VIEWER, seed) for seed in range(SAMPLES)]
    kinds = assert_same_distribution(true, [tuple(s.chit_slot.tolist()) for s in samples])
    # What lies there since before x1 was shown is another; the new one may be x1 again.
    assert kinds == 4


def set_up(chance):
    """All choices before Brown places his pieces; the others choose at random, each their own."""
    state = setup_scene(*TWELVE)
    while phase(state) != "PLACE" or state.seat != VIEWER:
        legal = GAME.legal_actions(state)
        if state.seat == VIEWER:
            play(state, "n 2")
        else:
            GAME.apply(state, int(chance.choice(legal)))
    return state


def chosen(state):
    """What the others have chosen: both strengths of each gang, the Commissioner's, the places."""
    return (
        *(tuple(state.strength[gang].tolist()) for gang in range(3)),
        int(state.c_strength),
        *(tuple(state.at[gang].tolist()) for gang in range(3)),
        tuple(state.strength[:3, 0].tolist()),
    )


@pytest.mark.rule("G-18.8", "G-18.5", "G-3.5", "G-3.6", "G-3.7")
def test_samples_of_the_set_up_have_the_true_distribution():
    """As if all others had chosen among their legal actions, each as likely as another."""
    chance = np.random.default_rng(5)
    worlds = [set_up(chance) for _ in range(SAMPLES)]
    known = [GAME.redact(world, VIEWER) for world in worlds]
    for record in known:
        record.ply = 0  # a choice that was forced is no decision
    assert len({record.tobytes() for record in known}) == 1
    samples = [GAME.resample_hidden(worlds[0], VIEWER, seed) for seed in range(SAMPLES)]
    true, drawn = (list(zip(*map(chosen, states), strict=True)) for states in (worlds, samples))
    kinds = [assert_same_distribution(*both) for both in zip(true, drawn, strict=True)]
    # Strengths that one can pay for, the Commissioner, three pieces in three joints, all leaders.
    assert kinds[3:7] == [5, 27, 27, 27]
    assert min(kinds[:3]) > 20
    assert kinds[7] > 100
