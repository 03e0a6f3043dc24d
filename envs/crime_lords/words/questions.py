"""What seats are asked, which choices belong together, and whose turn it is."""

from __future__ import annotations

from typing import Final

from ...core.game import Game
from ...core.presentation.guide import Choice, Turn
from ...core.state import SOMEBODY, State
from .. import actions as act
from ..data import CROOK_IDS, KIND_OF_COPY, LADDER, RACKET_IDS, SPECIAL_IDS
from ..state import AUC_BID, AUC_OPEN, BOSS_PICK, CARDS, CROOKS, OFFER_REPLY, PHASES, TAKE
from .cards import crook_name, racket_name, special_name
from .narration import VERBS, card_name, terms


def piece_of(card: int) -> str:
    """The key of a card of the deck."""
    if card < CROOKS:
        return CROOK_IDS[card]
    if card < CARDS:
        return RACKET_IDS[card - CROOKS]
    return SPECIAL_IDS[KIND_OF_COPY[card - CARDS]]


# --- who decides ----------------------------------------------------------------------------------

SECRETS: Final = {
    "MAIN": "Actions of the turn",
    "WINDOW": "Reactions at the start of the turn",
    "PAY_WHO": "The Crooks are paid",
    "COMMIT_A": "Secret bids",
    "ASSIST": "Reactions to the attack",
    "HUSH": "Reactions to the Special",
    "OFFER_REPLY": "The partner answers the offer",
}
"""Decisions of which others may not know who makes them, and whether anybody is asked."""


def who_decides(game: Game, state: State) -> str:
    """Whose decision it is and what about; of a secret one only the latter (CL-4.3, CL-9.20).

    Args:
        game: The game.
        state: The record as the reader knows it.
    """
    if int(state.seat) == SOMEBODY:
        return SECRETS[PHASES[state.phase]]
    return f"{game.seat_name(state, int(state.seat))}: {phase_words(game, state)}"


# --- questions ------------------------------------------------------------------------------------


def attack_words(state: State) -> str:
    """The attack in progress: what is tried, and with whom."""
    target = int(state.target)
    name = racket_name(target) if state.kind == TAKE else crook_name(target)
    return f"{VERBS[state.kind]} {name}"


def phase_words(game: Game, state: State) -> str:
    """What a position is about, for everybody who may know its phase."""
    phase = PHASES[state.phase]
    if state.phase in (AUC_OPEN, AUC_BID):
        return f"Bid for {card_name(int(state.lot))}"
    attack = attack_words(state) if state.attacking else "the attack"
    words = {
        "BOSS_PICK": "Pick the Boss",
        "WINDOW": "A Special at the start of the turn?",
        "SP_TARGET": f"Whom does {_special_played(state)} hit?",
        "HUSH": f"Cancel {_special_played(state)} with Hush Money?",
        "PAY_WHO": "Not enough for all: whom to pay?",
        "PAY_HOW": "Pay him in full, or 1 G?",
        "MAIN": "Choose an action, or end the turn",
        "LEADER": f"Who leads: {attack}?",
        "PROTECT": "Who protects the Racket?",
        "COMMIT_A": f"Money on your attack: {attack}",
        "COMMIT_D": f"Money against the attack: {attack}",
        "COMMIT_T": f"Money for or against: {attack}?",
        "HIT_CASH": f"Money on the Hit: {attack}",
        "ASSIST": f"Help the attack: {attack}?",
        "JOIN_FOR": f"Join the attack: {attack}?",
        "DEFEND": f"Defend against: {attack}?",
        "JOIN_AGAINST": f"Join the defence against: {attack}?",
        "REROLL": "Roll again?",
        "PLACE": "Where does the new Crook stand?",
        "REASSIGN": f"Where does {_root(state)} stand?",
        "DISPLACE": "On which side does the displaced Crook go?",
        "CLASH": "Who makes room?",
        "NEW_BOSS": "Pick a new Boss",
        "REORG": "Keep the Mob as it stands, or rearrange it?",
        "SPOILS": "Take a Racket of the beaten Mob",
        "SPOILS_PAY": "Whose token takes it?",
        "WAR": "Gang War: hit somebody, or pass",
        "MOVE_WHO": "Who moves within the Mob?",
        "MOVE_TO": "Where does he go?",
        "DROP_WHO": "Who is dropped?",
        "VISIT_WHO": "Who goes on a visit?",
        "ABIL_WHO": "Whose ability?",
        "ABIL_TARGET": "At whom does the ability aim?",
        "HEIR": "Which Lieutenant takes over?",
        "BUGLE_WHO": "Who is in the paper?",
        "SHOW_WHICH": "Which Special is shown?",
        "OFFER_TO": "An offer to whom?",
        "OFFER_GIVE": "Which card do you give?",
        "OFFER_CASH": "How much money do you give?",
        "OFFER_ASK": "Which card do you ask for?",
        "OFFER_PRICE": "How much money do you ask for?",
        "OFFER_REPLY": "Accept the offer?",
        "GIFT_PLACE": "Where does the given Crook stand?",
        "AGREE": "Win together?",
    }
    return words.get(phase, "")


def _special_played(state: State) -> str:
    return special_name(int(state.special)) if state.special >= 0 else "the Special"


def _root(state: State) -> str:
    return crook_name(int(state.root)) if state.root >= 0 else "the Crook"


def question(game: Game, state: State) -> str:
    """What the deciding seat is asked."""
    if state.over or state.seat < 0:
        return ""
    if state.phase == AUC_OPEN:
        return f"Open the bidding for {card_name(int(state.lot))}"
    if state.phase == OFFER_REPLY:
        return f"{terms(game, state)}: accept?"
    return phase_words(game, state)


# --- choices --------------------------------------------------------------------------------------


def choice(game: Game, state: State, action: int) -> Choice:
    """The group of an action, and its amount if it is one of money."""
    for start, end, group in (
        (act.REC_AT, act.HIT_AT, "Recruit"),
        (act.HIT_AT, act.TAKE_AT, "Hit"),
        (act.TAKE_AT, act.CROOK_AT, "Take over"),
        (act.PLACE_AT, act.BID_AT, "Place"),
    ):
        if start <= action < end:
            return Choice(group)
    if act.SPECIAL_AT <= action <= act.PLAYER_AT:
        return Choice("Special")
    if action > act.AMOUNT_AT - 1:
        return Choice("Money", int(LADDER[action - act.AMOUNT_AT]))
    if action > act.AGAINST_AT:
        return Choice("Against", int(LADDER[action - act.AGAINST_AT]))
    if action > act.FOR_AT:
        return Choice("For", int(LADDER[action - act.FOR_AT]))
    return Choice("Bid", action - act.BID_AT) if action >= act.BID_AT else Choice()


def turn(game: Game, state: State) -> Turn:
    """The auction of a card, a Mob's turn, or what is in between."""
    if state.phase in (AUC_OPEN, AUC_BID):
        return Turn(f"Auction: {card_name(int(state.lot))}" if state.lot >= 0 else "Auction")
    active = int(state.active)
    if state.phase == BOSS_PICK or active < 0 or state.turn < 1:
        return Turn("The Mobs form")
    return Turn(f"Turn {int(state.turn)}: {game.seat_name(state, active)}", active)
