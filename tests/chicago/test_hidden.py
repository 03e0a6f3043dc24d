"""Hidden information (CU-4.4, section 13): records, observations, stories, secret choices."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.chicago import state as s
from gangland.envs.chicago.data import FULL_DECK
from tests.scenes import chance_seed
from tests.scenes import dice as draws_of

from .scenes import (
    GAME,
    OPTIONS,
    all_walks,
    drawing,
    hand,
    lines_for,
    next_card,
    phase,
    play,
    rolling,
    scene,
)

# --- what a seat's record, observation and story hold ---------------------------------------------

SEEDS = range(40)


def known(state, seat):
    return GAME.redact(state, seat)


def hears(before, text, viewer):
    """The story of one action as a seat hears it, and the position after it."""
    after = GAME.clone(before)
    action = GAME.parse_action(before, text)
    GAME.apply(after, action)
    return " ".join(GAME.narrate(before, action, after, viewer)), after


@pytest.mark.rule("CU-13.1", "CU-13.7")
def test_rival_hands_and_the_pile_are_hidden_and_their_sizes_public():
    for number, (_, _, state) in enumerate(all_walks(games=1)):
        if number % 11 or state.over:
            continue
        n = int(state.num_seats)
        for seat in range(n):
            view = known(state, seat)
            assert view.hands[seat].tolist() == state.hands[seat].tolist()
            assert view.hands.sum() == state.hands[seat].sum()
            assert not view.pile.any()
            assert view.rng == 0
            assert view.pile_size == state.pile_size
            for other in range(n):
                laid = state.payment.sum() if other == state.seat != seat else 0
                assert view.hand_size[other] == state.hands[other].sum() + laid


@pytest.mark.rule("CU-13.2")
def test_what_all_see():
    for number, (_, _, state) in enumerate(all_walks(games=1)):
        if number % 11:
            continue
        for seat in range(state.num_seats):
            view = known(state, seat)
            for field in ("men", "owner", "discards", "current", "turns", "flipped", "target"):
                assert np.array_equal(view[field], state[field]), field


@pytest.mark.rule("CU-13.3")
def test_refused_and_impossible_payments_look_the_same():
    """The hidden hands differ; the records of a rival, from then on, do not."""
    pairs = [
        (
            drawing("KC", "no", hands={0: "TT"}, discards="88A"),
            drawing("KC", hands={0: "9T"}, discards="88A"),
        ),
        (rolling([2], "hire", "no", hands={0: "5"}), rolling([2], "hire", hands={0: "4"})),
    ]
    for refused, unable in pairs:
        views = []
        for state in (refused, unable):
            assert (phase(state), state.current) == ("MAIN", 1)
            views.append([known(state, seat).tobytes() for seat in range(1, 5)])
        assert views[0] == views[1]


@pytest.mark.rule("CU-13.4")
def test_others_see_neither_phase_nor_payment():
    """Between hiring, dropping and playing cards a rival's view knows no difference."""
    hiring = rolling([2], "hire", hands={0: "349A"})
    dropping = play(rolling([6], "hire", hands={0: "22335TA"}), "end")
    assert (phase(hiring), phase(dropping)) == ("PAY_HIRE", "DISCARD")
    for state, shown in ((hiring, (s.MAIN, 0)), (dropping, (s.CARDS, 1))):
        view = known(state, 2)
        assert (view.phase, view.acted) == shown
        assert (view.price, view.paid) == (0, 0)
        assert known(state, 0).phase == state.phase
    begun = play(drawing("KC", hands={0: "2899"}), "pay 9")
    view = known(begun, 2)
    assert (view.paid, view.last_paid, view.payment.sum(), view.hand_size[0]) == (0, 0, 0, 4)
    assert (view.flipped, view.told) == (11, 1)
    assert known(begun, 0).paid == 18
    assert not GAME.view(begun, 2).action_mask.any()


@pytest.mark.rule("CU-13.4", "CU-8.4")
def test_a_joker_is_announced_with_its_target():
    start = scene({"bribe": 25}, hands={0: "R", 1: "369T"}, own={1: "KH"})
    for viewer in range(5):
        words, state = hears(start, "raid KH", viewer)
        assert words == "Capone sends the police to raid Near North."
        view = known(state, viewer)
        assert (view.target, view.joker, view.seat) == (5, s.RED_JOKER, 1)


@pytest.mark.rule("CU-13.5", "CU-6.1")
@pytest.mark.parametrize("card", list("29ARB"))
def test_only_the_drawer_is_told_a_card_drawn(card):
    drawn = drawing(card, own={1: "KH"})
    for viewer in (None, *range(5)):
        story = " ".join(lines_for(drawn, viewer))
        assert ("draws a card and keeps it" in story) == (viewer not in (None, 0))
    for viewer in range(1, 5):
        assert known(drawn, viewer).log[0].tolist() == [s.DREW, 0, s.NONE, 0]


@pytest.mark.rule("CU-13.5", "CU-13.3")
def test_a_territory_drawn_is_told_to_all_at_once():
    asked = drawing("QD", hands={0: "78"})
    flip = "Capone turns up Maxwell Street for $15."
    back = "Maxwell Street goes back into the deck, all discards with it."
    unable = drawing("QD", hands={0: "77"})
    for viewer in (None, *range(5)):
        assert known(asked, 3).flipped == 7
        assert " ".join(lines_for(asked, viewer)) == flip
        assert hears(asked, "no", viewer)[0] == back
        assert " ".join(lines_for(unable, viewer)) == f"{flip} {back}"


@pytest.mark.rule("CU-13.3")
def test_the_roll_of_a_hire_is_told_to_rivals_with_its_outcome():
    asked, unable = (rolling([2], "hire", hands={0: cards}) for cards in ("5", "4"))
    for viewer in (None, *range(5)):
        own = viewer in (None, 0)
        assert " ".join(lines_for(asked, viewer)) == ("Capone rolls ⚁ to hire." if own else "")
        roll = "" if own else "Capone rolls ⚁ to hire. "
        assert hears(asked, "no", viewer)[0] == roll + "Capone hires nobody."
        assert hears(asked, "pay 5", viewer)[0] == roll + "Capone pays $5. Capone hires a henchman."
        story = " ".join(lines_for(unable, viewer))
        assert story == "Capone rolls ⚁ to hire. Capone hires nobody."
    assert not known(asked, 2).log.any()


@pytest.mark.rule("CU-13.6")
def test_cards_paid_dropped_and_used_are_told_to_all():
    paying = drawing("QD", hands={0: "78"})
    words, after = hears(paying, "pay 8", 3)
    assert words == "Capone pays $8, $7. Capone buys Maxwell Street."
    assert known(after, 3).discards[[5, 6]].tolist() == [1, 1]
    dropping = play(rolling([6], "hire", hands={0: "22335TA"}), "end")
    assert hears(dropping, "drop T", 3)[0] == "Capone drops $10."
    assert hears(scene(hands={0: "A"}), "hit 2", 3)[0].startswith("Capone sends a hit man: Genna")


@pytest.mark.rule("CU-13.6", "CU-8.7")
@pytest.mark.parametrize("joker", ["R", "B"])
def test_bribe_cards_given_to_a_rival_are_told_to_payer_and_receiver_alone(joker):
    start = scene({"bribe": 25}, hands={0: joker, 1: "369T"}, own={1: "KH"})
    asked = play(start, "raid KH" if joker == "R" else "mob KH")
    for viewer in (None, *range(5)):
        words, after = hears(asked, "pay T", viewer)
        assert ("O'Banion pays $10, $9, $6." in words) == (joker == "R" or viewer in (None, 0, 1))
        assert "O'Banion pays a bribe of 3 cards and keeps Near North." in words
        assert known(after, 4).hand_size[:2].tolist() == ([0, 1] if joker == "R" else [3, 1])
        if joker == "B":
            paid = [entry[2] for entry in known(after, 4).log.tolist() if entry[0] == s.PAID]
            assert paid == [s.NONE] * 3


@pytest.mark.rule("CU-13.7")
def test_what_a_seat_can_deduce_holds_in_every_sample():
    for number, (_, _, state) in enumerate(all_walks(games=1)):
        if number % 23 or state.over:
            continue
        for seat in range(state.num_seats):
            sample = GAME.resample_hidden(state, seat, number)
            hidden = sample.pile + np.delete(sample.hands, seat, axis=0).sum(axis=0)
            own = FULL_DECK - state.hands[seat] - state.discards
            if state.joker != s.NONE:
                own[state.joker] -= 1
            if state.seat == seat:
                own[:9] -= state.payment
            assert hidden.tolist() == own.tolist()
            assert sample.owner.tolist() == state.owner.tolist()


@pytest.mark.rule("CU-13.7")
def test_samples_deal_the_unseen_cards_evenly():
    """Each unseen card is as likely in a rival's hand as anywhere: hypergeometric means."""
    state = scene(n=3, hands={0: "2ARB", 1: "TTT", 2: "99"}, discards="3333")
    samples = [GAME.resample_hidden(state, 0, seed) for seed in range(2000)]
    unseen = FULL_DECK.copy()
    unseen[[0, 9, 10, 11]] -= 1
    unseen[1] = 0
    total = 54 - 4 - 4 - 12
    # The twelve unowned territories are known to be in the pile: hands are dealt from the others.
    assert unseen.sum() == total
    means = np.mean([sample.hands[1] for sample in samples], axis=0)
    share = 3 / total
    error = np.sqrt(unseen * share * (1 - share) / len(samples))
    assert (np.abs(means - unseen * share) <= 4 * error).all()
    assert {int(sample.hands[2].sum()) for sample in samples} == {2}


@pytest.mark.rule("CU-13.7", "CU-4.4")
def test_a_rival_who_is_asked_for_money_has_it_in_every_sample():
    asked = play(scene({"bribe": 25}, hands={0: "B", 1: "369T"}, own={1: "KH"}), "mob KH")
    buying = drawing("KC", hands={0: "TT"})
    for state, payer, price in ((asked, 1, 25), (buying, 0, 20)):
        for seed in SEEDS:
            sample = GAME.resample_hidden(state, 3, seed)
            cash = sum((card + 2) * int(sample.hands[payer, card]) for card in range(9))
            assert cash >= price
            assert len(hand(sample, payer)) == len(hand(state, payer))


@pytest.mark.rule("CU-13.8")
def test_no_memory_of_cards_once_seen_in_rival_hands():
    """The payer of a bribe saw three cards go to a rival; his view is that of any other hand."""
    asked = play(scene({"bribe": 25}, hands={0: "5B", 1: "369T"}, own={1: "KH"}), "mob KH")
    state = play(asked, "pay T")
    assert hand(state, 0) == "569T"
    seen = GAME.observe(state, 1)
    hands = {hand(GAME.resample_hidden(state, 1, seed), 0) for seed in SEEDS}
    assert len(hands) > 10
    for seed in SEEDS:
        sample = GAME.resample_hidden(state, 1, seed)
        assert GAME.observe(sample, 1).tobytes() == seen.tobytes()


@pytest.mark.rule("CU-13.1")
def test_hands_lie_open_once_the_game_is_over():
    state = rolling([6], "hire", options={"turn_cap": 11}, hands={0: "27", 1: "TT"})
    assert state.over
    assert known(state, 2).hands.tobytes() == state.hands.tobytes()


# --- a rival who had a choice and one who had none look the same afterwards -----------------------

NOBODY = dict.fromkeys(range(1, 5), 0)


def follow(state, plan, viewer, most=12):
    """Play the first action of ``plan`` that is legal, until the turn passes on.

    Returns:
        All that ``viewer`` is told, and how many decisions it took.
    """
    lines = []
    first = int(state.turns)
    for asked in range(most):
        if state.over or state.turns > first:
            return lines, asked
        legal = {GAME.action_text(state, action): action for action in GAME.legal_actions(state)}
        action = next(legal[text] for text in plan if text in legal)
        before = GAME.clone(state)
        GAME.apply(state, action)
        lines += GAME.narrate(before, action, state, viewer)
    raise AssertionError(f"the plan {plan} does not end the turn")


def pair(hands, plan, card=None, dice=(), **differences):
    """Two scenes that differ in one hidden hand; ``card`` is drawn or ``dice`` are rolled next."""
    for held in hands:
        state = scene(chance=draws_of(*dice), hands=held, **differences)
        if card is not None:
            state.rng = chance_seed([next_card(state, card)])
        yield state, plan


PAIRS = {
    "a territory refused, or not to be paid": {
        "hands": [{0: "TT"}, {0: "9T"}], "card": "KC", "discards": "88A", "plan": ["draw", "no"]
    },
    "a hire refused, or not to be paid": {
        "hands": [{0: "5"}, {0: "4"}], "dice": [2], "plan": ["hire", "no"]
    },
    "a drawn card kept by one with an Ace, and by one without": {
        "hands": [{0: "A"}, {0: "2"}], "card": "R", "plan": ["draw", "end"]
    },
    "a hire by one with a joker, and by one without": {
        "hands": [{0: "B"}, {0: "2"}], "dice": [5], "own": {1: "KH"}, "plan": ["hire", "end"]
    },
    "a battle by one with an Ace, and by one without": {
        "hands": [{0: "A"}, {0: "2"}], "dice": [5, 2], "own": {1: "KH"},
        "plan": ["battle KH", "end"],
    },
    "a card dropped by choice, and the only type held": {
        "hands": [{0: "TTTT"}, {0: "258T"}], "dice": [6], "own": {1: "KH"},
        "options": {"hand_limit": 3},
        "plan": ["hire", "end", "drop T"],
    },
    "a card dropped by one with an Ace, and by one without": {
        "hands": [{0: "AT5"}, {0: "T75"}], "card": "9", "men": NOBODY | {1: 1},
        "options": {"hand_limit": 3},
        "plan": ["draw", "end", "drop T"],
    },
    "a hire paid with the only cards there are, and with some of many": {
        "hands": [{0: "349"}, {0: "344"}], "dice": [2], "plan": ["hire", "pay 3", "pay 4"]
    },
    "a territory paid with the only cards there are, and with some of many": {
        "hands": [{0: "29RB"}, {0: "2789"}], "card": "JH", "plan": ["draw", "pay 9", "pay 2"]
    },
    "a raid that the owner lets happen, or cannot help": {
        "hands": [{0: "R", 1: "TTT"}, {0: "R", 1: "222"}], "own": {1: "KH"}, "dice": [5],
        "options": {"bribe": 25}, "plan": ["raid KH", "no", "hire"],
    },
    "a mob attack that the owner lets happen, or cannot help": {
        "hands": [{0: "B", 1: "TTT"}, {0: "B", 1: "222"}], "own": {1: "KH"}, "dice": [5],
        "options": {"bribe": 25}, "plan": ["mob KH", "no", "hire"],
    },
}  # fmt: skip


@pytest.mark.rule("CU-13.1", "CU-13.3", "CU-13.4", "CU-4.4")
@pytest.mark.parametrize("name", PAIRS)
def test_with_or_without_a_choice_all_is_the_same(name):
    """Same record of every onlooker byte by byte, same sentences in sum, same sequel."""
    given = dict(PAIRS[name])
    onlookers = (2, 3, 4) if any(1 in hand for hand in given["hands"]) else (1, 2, 3, 4)
    for viewer in onlookers:
        worlds = list(pair(**given))
        seen = [follow(state, plan, viewer) for state, plan in worlds]
        assert seen[0][1] != seen[1][1], "one of the two is to be asked more often"
        assert seen[0][0] == seen[1][0]
        states = [state for state, _ in worlds]
        assert states[0].hands.tobytes() != states[1].hands.tobytes()
        states[1].rng = states[0].rng
        for _ in range(3):
            known = [GAME.redact(state, viewer).tobytes() for state in states]
            assert known[0] == known[1]
            lines = [follow(state, ["hire", "no"], viewer)[0] for state in states]
            assert lines[0] == lines[1]


def visible_plan(rng):
    """An order in which any seat likes its actions, whatever its hand."""
    verbs = ["draw", "hire", "battle", "end", "no", "pay", "drop", "hit", "raid", "mob"]
    order = {verb: k for k, verb in enumerate(rng.permutation(verbs))}

    def choose(state):
        texts = {GAME.action_text(state, a): a for a in GAME.legal_actions(state)}
        return texts[min(texts, key=lambda text: (order[text.split()[0]], text))]

    return choose


def lines_of_turn(state, choose, viewer):
    """Play to the end of the turn; all that ``viewer`` is told."""
    lines = []
    first = int(state.turns)
    while not state.over and state.turns == first:
        before, action = GAME.clone(state), choose(state)
        GAME.apply(state, action)
        lines += GAME.narrate(before, action, state, viewer)
    return lines


@pytest.mark.rule("CU-13.1", "CU-13.3", "CU-13.4")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_turns_that_sound_the_same_leave_the_same_record(options):
    """Hidden cards are redrawn, a turn is played in both worlds by the same taste."""
    rng = np.random.default_rng(7)
    alike = 0
    for game in range(25):
        state = GAME.new_state(game, **options)
        for _ in range(int(rng.integers(60))):
            before = GAME.clone(state)
            GAME.apply(state, int(rng.choice(GAME.legal_actions(state))))
            if state.over:
                state = before
                break
        if phase(state) != "MAIN":
            continue
        for other in range(1, state.num_seats):
            viewer = (state.current + other) % state.num_seats
            choose = visible_plan(rng)
            worlds = [
                GAME.resample_hidden(state, viewer, seed) for seed in (2 * game, 2 * game + 1)
            ]
            worlds[1].rng = worlds[0].rng
            lines = [lines_of_turn(world, choose, viewer) for world in worlds]
            if lines[0] != lines[1] or any(world.over for world in worlds):
                continue
            known = [GAME.redact(world, viewer).tobytes() for world in worlds]
            assert known[0] == known[1]
            alike += 1
    assert alike >= 10


@pytest.mark.rule("CU-13.3", "CU-13.4")
def test_decisions_that_nobody_sees_change_nothing():
    """A hire that waits for its payment, cards laid down, and the start of dropping."""
    start = scene(chance=[(6, 1)], hands={0: "3449"})
    for text in ("hire", "pay 4"):
        before = [GAME.redact(start, viewer).tobytes() for viewer in range(1, 5)]
        GAME.apply(start, GAME.parse_action(start, text))
        assert start.phase == s.PAY_HIRE
        assert [GAME.redact(start, viewer).tobytes() for viewer in range(1, 5)] == before
    dropping = scene(hands={0: "22335TA"}, phase="CARDS", acted=1)
    before = [GAME.redact(dropping, viewer).tobytes() for viewer in range(1, 5)]
    GAME.apply(dropping, GAME.parse_action(dropping, "end"))
    assert dropping.phase == s.DISCARD
    assert [GAME.redact(dropping, viewer).tobytes() for viewer in range(1, 5)] == before


@pytest.mark.parametrize(
    ("men", "own", "hidden"),
    [
        ({0: 5}, {0: "JS"}, True),
        ({0: 5}, {}, True),
        ({0: 4}, {0: "JS"}, False),  # he may hire
        ({0: 5}, {1: "JS"}, False),  # he may fight
    ],
)
def test_a_first_action_that_only_a_card_makes_a_choice_is_hidden(men, own, hidden):
    """Without a card for a hit he would not have been asked: he would have had to draw."""
    state = scene(hands={0: "A"}, men=men, own=own)
    assert phase(state) == "MAIN"
    assert GAME.hides_decision(state, 1) is hidden
    assert GAME.hides_decision(state, 0) is False
