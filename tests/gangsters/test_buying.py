"""Buy Phase, trading, advanced equipment (G-5, G-16; G-X09)."""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.data import COLOUR_COUNT, GRAY, LEVEL_MAX
from gangland.envs.gangsters.state import E_TRADES

from .scenes import (
    GAME,
    cash,
    chance,
    gos,
    joint,
    legal,
    phase,
    piece,
    play,
    run,
    scene,
)


def buy(*changes, active="Red", **options):
    """The Buy Phase of a gang."""
    return run(scene(*changes, active=active, phase="BUY", dice="-", **options))


@pytest.mark.rule("G-5.2", "G-5.1")
@pytest.mark.parametrize(
    ("place", "rival", "offered"),
    [("J12", "", True), ("J12", "Brown.T 2@J12!", True), ("G04", "", False), ("J11", "", False),
     ("RD3", "", False)],
)  # fmt: skip
def test_what_may_be_bought(place, rival, offered):
    changes = [f"Red.R 4@{place}", *([rival] if rival else [])]
    assert ("buy" in legal(buy(*changes, trade_offers=1))) is offered
    assert "buy" not in legal(buy("Red $300", *changes, trade_offers=1))


@pytest.mark.rule("G-5.3", "G-5.4")
def test_improving_needs_joints_of_the_colour():
    one = ("joint J16:-", "joint J17:Red:1")
    assert "up" not in legal(buy(*one, trade_offers=1))
    state = buy("joint J16:-", "joint J17:Red:3", trade_offers=1)
    assert "up" not in legal(state)
    assert joint(state, "J17") == "Red:3"  # reached with more Green joints, and kept
    criminal = buy("Red.R 4@J17!", "joint J17:Red:1c", "public x1a@J17")
    play(criminal, "up")
    assert joint(criminal, "J17") == "Red:2c"
    rivals = buy("Red.R 4@J10", trade_offers=1)
    assert "up" not in legal(rivals)


@pytest.mark.rule("G-5.3", "G-2.13")
def test_level_nine_is_the_highest():
    """Only a gang with all nine Brown joints may reach it; no colour has more."""
    brown = "joint J31:Red:8 " + " ".join(f"J{n}:Red:1" for n in range(32, 40))
    state = buy("Red.R 4@J31", "Red $9000", brown, trade_offers=1)
    assert "up" in legal(state)
    play(state, "up")
    assert joint(state, "J31") == "Red:9"
    full = buy("Red.R 4@J31", "Red $9000", brown.replace(":8", ":9"), trade_offers=1)
    assert "up" not in legal(full)
    eight = buy("Red.R 4@J31", "Red $9000", brown, "joint J39:-", trade_offers=1)
    assert "up" not in legal(eight)
    assert max(COLOUR_COUNT[:GRAY]) == 9 == LEVEL_MAX


@pytest.mark.rule("G-5.5")
def test_without_racketeers_nothing_is_bought():
    state = buy("Red.R 0@-", "Red $5000", trade_offers=1)
    assert legal(state) == ["end", "trade Green", "trade Yellow", "trade Brown"]


@pytest.mark.rule("G-5.6", "G-16.1", "G-X09", "G-19.3")
def test_heaters():
    state = buy("Red $2000", "Red.T 2@G02", heaters=True)
    play(state, "heaters T", "up")
    assert cash(state, "Red") == 700
    assert joint(state, "J17") == "Red:2"
    assert state.has_heaters[0].tolist() == [0, 1, 0]
    assert "heaters T" not in legal(buy("Red $2000", "Red.T 2@G02", trade_offers=1))
    for place in ("J12", "NA6", "J16"):
        there = buy("Red $2000", f"Red.T 2@{place}", heaters=True, trade_offers=1)
        assert "heaters T" not in legal(there)
    owned = buy("Red $2000", "Red.T 2@G02", "joint G02:Police:1", heaters=True, trade_offers=1)
    assert "heaters T" not in legal(owned)


@pytest.mark.rule("G-16.1", "G-2.11")
@pytest.mark.parametrize(("gear", "left"), [("", 2), ("+h", 1)])
def test_a_thug_with_heaters_hits_on_a_four(gear, left):
    state = run(scene("Green.T 2@G02", f"Red.T 1@NA7<NA8{gear}", phase="MOVE", dice="1/2/1/1/1"),
                "move T", "go G02", "hit")  # fmt: skip
    play(chance(state, 4, 1, 1), "end")
    assert piece(state, "Green.T") == f"{left}@G02"


@pytest.mark.rule("G-16.1")
@pytest.mark.parametrize(("gear", "left"), [("", 2), ("+h", 1)])
def test_a_racketeer_with_heaters_hits_on_a_five(gear, left):
    state = run(scene("Green.T 2@G02", f"Red.R 1@NA7<NA8{gear}", phase="MOVE", dice="2/1/1/1/1"),
                "move R", "go G02", "hit")  # fmt: skip
    play(chance(state, 5, 1, 1), "end")
    assert piece(state, "Green.T") == f"{left}@G02"


@pytest.mark.rule("G-16.2")
def test_wheels():
    state = run(scene("Red.T 2@xA+w", phase="MOVE", dice="6/1/6/2/1"), "move T")
    assert legal(state) == ["own die", "all dice"]
    own = play(GAME.clone(state), "own die")
    assert gos(own) == {"NA1", "CL1"}
    play(state, "all dice")
    assert {"NA4", "CL4", "LP3", "BW2"} <= gos(state)
    without = run(scene("Red.T 2@xA", phase="MOVE", dice="6/1/6/2/1"), "move T")
    assert gos(without) == {"NA1", "CL1"}


@pytest.mark.rule("G-16.2", "G-16.3", "G-14.19")
def test_what_is_sold_in_gray_buildings():
    every = {"heaters": True, "wheels": True, "dress": True}
    state = buy("Red $9000", "Red.R 4@G01", "Red.T 2@G02", "Red.V 1@G03", **every)
    assert legal(state) == [
        "end", "heaters R", "wheels R", "heaters T", "wheels T", "wheels V", "dress V",
    ]  # fmt: skip
    play(state, "wheels V", "dress V", "heaters R")
    assert cash(state, "Red") == 6000
    assert legal(state) == ["end", "wheels R", "heaters T", "wheels T"]
    poor = buy("Red $900", "Red.R 4@G01", "Red.T 2@G02", "Red.V 1@G03", trade_offers=1, **every)
    assert legal(poor)[:2] == ["end", "trade Green"]
    police = scene("commissioner 4@G02", "Police $3000", active="Brown", phase="MOVE", **every)
    run(police, "end")
    assert legal(police) == ["end", "buy", "heaters C", "wheels C"]


@pytest.mark.rule("G-16.3")
@pytest.mark.parametrize(("gear", "count"), [("", 1), ("+d", 2)])
def test_dress(gear, count):
    state = scene("Brown.R 4@J06", f"Red.V 1@LP2<LP1{gear}", phase="MOVE", dice="1/1/2/1/1")
    run(state, "move V", "go J06", "seduce Brown R")
    assert piece(state, "Brown.R") == f"{4 - count}@J06"
    assert piece(state, "Red.R") == f"{4 + count}@J17"


@pytest.mark.rule("G-16.6")
def test_equipment_is_lost_with_the_piece():
    state = run(scene("Green.T 1@G02+h+w", "Red.T 1@NA7<NA8", phase="MOVE", dice="1/2/1/1/1"),
                "move T", "go G02", "hit")  # fmt: skip
    play(chance(state, 5, 1), "end")
    assert piece(state, "Green.T") == "-"
    assert not state.has_heaters.any()
    assert not state.has_wheels.any()
    seduced = scene("Brown.R 1@J06+h", "Red.V 1@LP2<LP1", phase="MOVE", dice="1/1/2/1/1")
    run(seduced, "move V", "go J06", "seduce Brown R")
    assert not seduced.has_heaters.any()


@pytest.mark.rule("G-5.7", "G-5.8", "G-19.8", "G-4.6", "G-5.13")
def test_number_and_time_of_offers():
    assert phase(buy("Red.R 4@RD3", trade_offers=0)) != "BUY"
    state = buy("Red.R 4@RD3", "Green $0", trade_offers=3)
    for _ in range(3):
        assert legal(state) == ["end", "trade Green", "trade Yellow", "trade Brown"]
        play(state, "trade Green", "go J31", "end", "get 100")
    assert phase(state) != "BUY"
    assert not any(text.startswith("trade") for text in legal(state))


@pytest.mark.rule("G-5.9")
def test_who_may_be_offered_what():
    nothing = "joint J16:- J17:- J31:-"
    state = buy(nothing, "Red $100", "joint J05:- J06:- J37:-", trade_offers=1)
    assert legal(state) == ["end", "trade Green", "trade Yellow"]
    assert phase(buy(nothing, "Red $0", trade_offers=1)) != "BUY"
    play(state, "trade Green")
    assert phase(state) == "TRADE_TAKE"  # there is nothing to give
    assert legal(state) == ["go J10", "go J11", "go J32"]
    play(state, "go J32", "yes")  # only pay 100 was possible
    assert (cash(state, "Red"), cash(state, "Green")) == (0, 1100)
    assert joint(state, "J32") == "Red:1"


@pytest.mark.rule("G-5.9", "G-21.2")
def test_cash_steps_by_what_is_given_and_taken():
    ladder = [100, 200, 300, 400, 500, 600, 700, 800, 1000]
    full = [*ladder, 1200, 1500, 2000, 2500, 3000, 4000, 5000]
    state = buy(trade_offers=1)
    play(state, "trade Green", "go J31", "end")
    assert legal(state) == [f"get {x}" for x in full]
    state = buy(trade_offers=1)
    play(state, "trade Green", "end")
    assert legal(state) == ["go J10", "go J11", "go J32"]
    play(state, "go J10")
    assert legal(state) == [f"pay {x}" for x in ladder]
    state = buy(trade_offers=1)
    play(state, "trade Green", "go J31", "go J10")
    assert legal(state) == ["cash 0", *(f"pay {x}" for x in ladder), *(f"get {x}" for x in full)]
    play(state, "pay 400")
    assert (phase(state), state.seat) == ("TRADE_ANSWER", 1)
    play(state, "end")
    assert joint(state, "J10") == "Green:1"


@pytest.mark.rule("G-5.11", "G-5.4")
def test_a_traded_joint_keeps_level_side_and_visitors():
    state = buy("joint J17:Red:2c", "public x3@J17", trade_offers=2)
    play(state, "trade Brown", "go J17", "go J37", "pay 100", "yes")
    assert joint(state, "J17") == "Brown:2c"
    assert piece(state, "Red.R") == "4@J17"
    assert state.public_at[3] == state.at[0, 0]
    assert phase(state) == "BUY"


@pytest.mark.rule("G-5.8")
def test_the_police_do_not_trade():
    state = buy("joint G01:Police:1", trade_offers=1)
    assert "trade Police" not in legal(state)


@pytest.mark.rule("G-5.12")
def test_cash_is_one_number_per_seat():
    state = scene(phase="MOVE")
    assert state.cash.shape == (5,)
    assert all(line.count("$") <= 1 for line in GAME.position_text(run(state)).splitlines())


@pytest.mark.rule("G-16.1", "G-16.2", "G-16.3")
@pytest.mark.parametrize(
    ("text", "field", "owned"),
    [("heaters R", "has_heaters", [1, 0, 0]), ("heaters T", "has_heaters", [0, 1, 0]),
     ("wheels R", "has_wheels", [1, 0, 0]), ("wheels T", "has_wheels", [0, 1, 0]),
     ("wheels V", "has_wheels", [0, 0, 1]), ("dress V", "has_dress", [0, 0, 1])],
)  # fmt: skip
def test_equipment_belongs_to_the_piece_it_was_bought_for(text, field, owned):
    every = {"heaters": True, "wheels": True, "dress": True}
    state = buy("Red $1500", "Red.R 4@G01", "Red.T 2@G02", "Red.V 1@G03", trade_offers=1, **every)
    play(state, text)
    assert (state[field][0].tolist(), cash(state, "Red")) == (owned, 500)
    assert sum(int(state[f].sum()) for f in ("has_heaters", "has_wheels", "has_dress")) == 1


@pytest.mark.rule("G-5.1", "G-5.3", "G-5.2")
@pytest.mark.parametrize(("place", "purchase", "level"), [("J17", "up", 2), ("J18", "buy", 1)])
def test_one_purchase_in_a_buy_phase(place, purchase, level):
    """A second one is not offered though the gang has the cash and the joints for it."""
    green = "joint J16:Red:1 J17:Red:1 J19:Red:1 J20:Red:1"
    state = buy(f"Red.R 4@{place}", "Red $3000", green, trade_offers=1)
    play(state, purchase)
    assert (joint(state, place), cash(state, "Red")) == (f"Red:{level}", 2700)
    assert legal(state) == ["end", "trade Green", "trade Yellow", "trade Brown"]


@pytest.mark.rule("G-5.9")
def test_a_partner_without_joints_must_be_given_one():
    state = buy("joint J10:- J11:- J32:-", trade_offers=1)
    play(state, "trade Green")
    assert (phase(state), legal(state)) == ("TRADE_GIVE", ["go J16", "go J17", "go J31"])
    with_joints = play(buy(trade_offers=1), "trade Green")
    assert "end" in legal(with_joints)
    poor = play(buy("Red $0", trade_offers=1), "trade Green")
    assert "end" not in legal(poor)


@pytest.mark.rule("G-5.10", "G-5.11", "G-25.1")
@pytest.mark.parametrize(
    ("step", "red", "green"),
    [("cash 0", 5000, 0), ("pay 100", 4900, 100), ("pay 400", 4600, 400), ("pay 5000", 0, 5000)],
)
def test_a_partner_without_cash_can_accept_what_costs_nothing(step, red, green):
    state = buy("Red $5000", "Green $0", trade_offers=1)
    play(state, "trade Green", "go J31", "go J10", step)
    assert (phase(state), legal(state)) == ("TRADE_ANSWER", ["end", "yes"])
    declined = play(GAME.clone(state), "end")
    assert (cash(declined, "Red"), joint(declined, "J10")) == (5000, "Green:1")
    assert declined.events[E_TRADES] == 0
    play(state, "yes")
    assert (cash(state, "Red"), cash(state, "Green")) == (red, green)
    assert (joint(state, "J31"), joint(state, "J10")) == ("Green:1", "Red:1")
    assert state.events[E_TRADES] == 1


@pytest.mark.rule("G-5.10")
@pytest.mark.parametrize(("step", "most"), [("get 100", 100), ("get 5000", 5000)])
def test_a_partner_can_accept_what_it_can_pay(step, most):
    state = buy(f"Green ${most}", trade_offers=1)
    play(state, "trade Green", "go J31", "go J10", step, "yes")
    assert (cash(state, "Red"), cash(state, "Green")) == (1000 + most, 0)
    poorer = buy(f"Green ${most - 100}", trade_offers=1)
    play(poorer, "trade Green", "go J31", "go J10", step)
    assert phase(poorer) != "TRADE_ANSWER"


@pytest.mark.rule("G-5.8", "G-4.2")
@pytest.mark.parametrize("made", [0, 1])
def test_every_gang_has_all_its_offers(made):
    """Whether or not the gang before has used up its own."""
    state = buy("Red.R 4@RD3", pawns="Green", trade_offers=1)
    play(state, *["trade Green", "go J31", "end", "get 5000"][: 4 * made])
    while state.active == 0:
        play(state, "end")
    assert (phase(state), state.active) == ("BUY", 1)
    assert {"trade Red", "trade Yellow", "trade Brown"} <= set(legal(state))
