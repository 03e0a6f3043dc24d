"""The flat action space and the text notation (sections 17 and 18)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.chicago.data import CARDS, CODES
from gangland.envs.core.errors import NotationError

from .scenes import GAME, all_walks, drawing, legal, play, rolling, scene, scene_text

EXAMPLE = (
    "CU/1 n=5 turn=17 cur=0 acted=0 phase=PAY_TERR actor=0 hands=349T,A,22,-,9B men=1,2,0,3,5 "
    "own=0.1.3...44.. disc=100101000100 pile=133343423210 price=10 paid=0 last=- flip=JD "
    "target=- joker=-"
)
"""The specification's example."""

BASE = scene_text(n=3, hands={0: "25", 1: "T"}, own={1: "KH"}, discards="3")


@pytest.mark.rule("CU-17.1")
def test_the_flat_action_space():
    state = scene(n=6)
    names = ["hire", "draw", "end", "no"]
    names += [f"pay {card}" for card in CARDS[:9]]
    for verb in ("battle", "raid", "mob"):
        names += [f"{verb} {code}" for code in CODES]
    names += [f"hit {seat}" for seat in range(1, 6)]
    names += [f"drop {card}" for card in CARDS]
    assert GAME.num_actions == len(names) == 66
    assert [GAME.action_text(state, action) for action in range(66)] == names
    # The ids of the table: 0-3, then 4, 13, 25, 37, 49 and 54 begin a block.
    assert [names.index(f) for f in ("pay 2", "battle JS", "raid JS", "mob JS", "hit 1")] == [
        *(4, 13, 25, 37, 49),
    ]
    assert names.index("drop 2") == 54


@pytest.mark.rule("CU-17.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_space_is_the_same_for_every_number_of_seats(players):
    state = scene(n=players, hands={0: "A"})
    mask = GAME.action_mask(state)
    assert mask.shape == (66,)
    assert np.flatnonzero(mask).tolist() == [0, 1, *range(49, 48 + players)]


@pytest.mark.rule("CU-18.1", "CU-17.1")
def test_seats_are_absolute_in_the_text_and_relative_in_the_number():
    state = scene(cur=3, hands={3: "A"}, men={1: 0})
    assert legal(state) == ["hire", "draw", "hit 4", "hit 0", "hit 2"]
    assert GAME.legal_actions(state) == [0, 1, 49, 50, 52]
    assert GAME.parse_action(state, " HIT   4 ") == 49
    with pytest.raises(NotationError, match="'hit 1' is not legal here; legal: hire, draw, hit 4"):
        GAME.parse_action(state, "hit 1")


@pytest.mark.rule("CU-18.2")
def test_the_example_reads_and_writes():
    state = GAME.parse_position(EXAMPLE)
    assert GAME.position_text(state) == EXAMPLE
    assert state.turns == 17
    assert state.men[:5].tolist() == [1, 2, 0, 3, 5]
    assert legal(state) == ["no", "pay 9", "pay T"]
    assert state.pile_size == sum(map(int, "133343423210")) + 12 - 5 - 1


@pytest.mark.rule("CU-18.2")
def test_every_position_reads_back_as_it_was():
    seen = set()
    for number, (_, _, state) in enumerate(all_walks(games=1)):
        special = GAME.phases[state.phase] not in ("MAIN", "CARDS")
        if number % 13 and not special:
            continue
        seen.add(GAME.phases[state.phase])
        again = GAME.parse_position(GAME.position_text(state))
        # The story of the last choice, its dice, the count of decisions and the chance are not
        # part of a position.
        for field in ("log", "told", "dice", "ply", "rng"):
            again[field] = state[field]
        assert again.tobytes() == state.tobytes()
    assert seen == set(GAME.phases)


@pytest.mark.rule("CU-18.2")
def test_what_the_fields_of_a_payment_say():
    hiring = rolling([2], "hire", hands={0: "349"})
    assert "phase=PAY_HIRE actor=0" in GAME.position_text(hiring)
    assert GAME.position_text(hiring).endswith("price=5 paid=0 last=- flip=- target=- joker=-")
    buying = play(drawing("JH", hands={0: "2789"}), "pay 9")
    assert GAME.position_text(buying).endswith("price=10 paid=9 last=9 flip=JH target=- joker=-")
    bribe = play(scene({"bribe": 25}, hands={0: "R", 1: "369T"}, own={1: "KH"}), "raid KH")
    assert "phase=BRIBE actor=1" in GAME.position_text(bribe)
    assert GAME.position_text(bribe).endswith(
        "price=25 paid=0 last=- flip=- target=KH joker=R opt=bribe:25"
    )


@pytest.mark.rule("CU-18.2")
def test_options_stand_at_the_end_and_only_if_they_are_not_the_defaults():
    given = {
        "deck_end": "reshuffle",
        "bribe": 25,
        "hand_limit": 3,
        "turn_cap": 11,
        "start_seat": 2,
    }
    state = GAME.new_state(3, players=3, **given)
    text = GAME.position_text(state)
    assert text.endswith(" opt=deck_end:reshuffle,bribe:25,hand_limit:3,turn_cap:11,start_seat:2")
    assert GAME.read_options(GAME.parse_position(text)) == {"players": 3, **given}
    assert "opt" not in GAME.position_text(GAME.new_state(3, players=3))


@pytest.mark.rule("CU-18.2", "CU-15.7")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("opt=bribe:99", "opt=bribe:99: bribe=99: must be 5..60"),
        ("opt=players:3", "opt=players:3: must be name:value by commas, each name once, of deck_"),
        ("opt=bribe:9,bribe:9", "each name once"),
        ("opt=dice:5", "of deck_end, bribe, hand_limit, turn_cap, start_seat"),
        ("opt=bribe", "must be name:value"),
        ("opt=start_seat:3", "start_seat=3: must be random or 0..2"),
        ("opt=deck_end:never", "deck_end='never': must be first_empty or reshuffle"),
        ("opt=turn_cap:10", "turn=10: must be below the cap of 10 turns in MAIN; opt=turn_cap"),
        ("opt=", "a position is 'CU/1' and the fields"),
    ],
)
def test_a_wrong_option_is_named(options, words):
    with pytest.raises(NotationError) as error:
        GAME.parse_position(f"{BASE} {options}")
    assert words in str(error.value)


@pytest.mark.rule("CU-18.2", "CU-8.8")
def test_a_position_that_lacks_its_options_is_not_read_with_the_defaults():
    start = scene({"bribe": 25}, hands={0: "R", 1: "369T"}, own={1: "KH"})
    text = GAME.position_text(play(start, "raid KH"))
    with pytest.raises(NotationError, match=r"price=25: must be 50 in BRIBE, or opt=bribe:25"):
        GAME.parse_position(text.removesuffix(" opt=bribe:25"))


@pytest.mark.rule("CU-18.2")
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("CU/1", "CU/2", "a position is 'CU/1' and the fields n turn cur"),
        ("n=3", "n=7", "n=7: must be 2..6"),
        ("turn=10", "turn=x", "turn=x: must be 0..10000"),
        ("cur=0", "cur=3", "cur=3: must be 0..2"),
        ("acted=0", "acted=1", "acted=1: must be 0 in MAIN"),
        ("phase=MAIN", "phase=PLAY", "phase=PLAY: must be one of MAIN, PAY_HIRE"),
        ("actor=0", "actor=1", "actor=1: must be 0 in MAIN"),
        ("hands=25,T,-", "hands=25,T", "hands=25,T: must have 3 parts"),
        ("hands=25,T,-", "hands=25,X,-", "hands=X: must be one of 2, 3"),
        ("hands=25,T,-", "hands=255,T,-", "card 5: 5 in hands, discards, pile and payment"),
        ("men=1,1,1", "men=1,6,1", "men=6: must be 0..5"),
        ("own=.....1", "own=.....3", "own=3: must be 0..2"),
        ("own=.....1", "own=....1", "own=....1......: must have 12 characters"),
        ("disc=010000000000", "disc=01", "disc=01: must have 12 digits"),
        ("disc=010000000000", "disc=000000000000", "card 3: 3 in hands"),
        ("price=-", "price=5", "price=5: must be - "),
        ("flip=-", "flip=JH", "flip=JH: must be - in MAIN"),
        ("target=-", "target=KH", "target=KH: must be - in MAIN"),
        ("joker=-", "joker=Q", "joker=Q: must be"),
    ],
)
def test_a_wrong_field_is_named(old, new, words):
    assert old in BASE
    with pytest.raises(NotationError) as error:
        GAME.parse_position(BASE.replace(old, new, 1))
    assert words.strip() in str(error.value)


@pytest.mark.rule("CU-18.2", "CU-8.8")
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("target=KH", "target=QD", "target=QD: must be a rival's territory"),
        ("actor=1", "actor=0", "actor=0: must be 1 in BRIBE"),
        ("price=25", "price=30", "price=30: must be 25 in BRIBE"),
        ("paid=0", "paid=9", "paid=9: the cards that are nowhere else are worth 0"),
        ("price=25", "price=-", "price=-: must be given"),
    ],
)
def test_a_payment_that_does_not_fit_is_refused(old, new, words):
    start = scene({"bribe": 25}, hands={0: "R", 1: "369T"}, own={1: "KH"})
    text = GAME.position_text(play(start, "raid KH"))
    assert GAME.position_text(GAME.parse_position(text)) == text
    with pytest.raises(NotationError) as error:
        GAME.parse_position(text.replace(old, new, 1))
    assert words in str(error.value)


@pytest.mark.rule("CU-18.1")
def test_every_legal_action_has_a_sentence():
    for number, (before, action, _) in enumerate(all_walks(games=1)):
        if number % 5 == 0:
            sentence = GAME.describe(before, action)
            assert sentence[0].isupper()
            assert sentence.endswith(".")
    state = scene(hands={0: "ARB"}, men={0: 3, 2: 0}, own={1: "KH", 2: "QD"})
    said = {text: GAME.describe(state, GAME.parse_action(state, text)) for text in legal(state)}
    assert said["battle KH"] == "Battle O'Banion for Near North (15 points): 3 dice against 1."
    assert "who has no henchman" in said["battle QD"]
    assert "back into the deck" in said["raid KH"]
    assert said["mob QD"] == "Send the mob: take Maxwell Street (10 points) from Genna."
    assert said["hit 4"] == "Send a hit man: Saltis loses a henchman."
