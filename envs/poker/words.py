"""Actions, events and positions in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ..core.errors import NotationError
from ..core.game import Game
from ..core.state import State
from .hidden import turned_up
from .state import CALL, FOLD, NONE, RAISE, rank_name

if TYPE_CHECKING:
    from .limit_poker import LimitPoker

LETTERS: Final = "fcr"
"""Actions in the notation of a position."""
_TEXT: Final = re.compile(
    r"(\w+)/1 n=(\d) cards=([^ ]+) public=(\S) bets=([fcr]*),([fcr]*)", re.ASCII
)


def action_text(game: Game, state: State, action: int) -> str:
    """``fold``, ``check`` or ``call``, ``bet`` or ``raise``."""
    facing = not state.over and bool(state.stakes[state.seat] < state.stakes.max())
    return (("fold", "check", "bet"), ("fold", "call", "raise"))[facing][action]


def describe(game: Game, state: State, action: int) -> str:
    """A sentence that says what the action does, with its price in chips."""
    owed = int(state.stakes.max() - state.stakes[state.seat])
    word = action_text(game, state, action).capitalize()
    if action == RAISE:
        return f"{word}: put in {owed + int(state.bets[state.phase])}."
    return f"{word}: put in {owed}." if action == CALL and owed else f"{word}."


def _name(state: State, card: int) -> str:
    return "?" if card == NONE else rank_name(card, int(state.num_seats))


def chips(half: int) -> str:
    """Half chips as signed chips."""
    return f"{half / 2:+g}"


def narrate(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """What happened: the action, the card for all, the showdown and who won what."""
    text = {FOLD: "folds", CALL: "checks", RAISE: "bets"}[action]
    if before.stakes[before.seat] < before.stakes.max():
        text = {FOLD: "folds", CALL: "calls", RAISE: "raises"}[action]
    lines = [f"Player {before.seat} {text}."]
    if turned_up(after) and not turned_up(before):
        lines.append(f"The card for all is {_name(after, after.public)}.")
    if after.over:
        n = int(after.num_seats)
        shown = [seat for seat in range(n) if not after.folded[seat]]
        if len(shown) > 1:
            lines += [f"Player {seat} shows {_name(after, after.cards[seat])}." for seat in shown]
        lines += [f"Player {seat}: {chips(int(after.scores[seat]))} chips." for seat in range(n)]
    return lines


def table(game: Game, state: State, viewer: int | None) -> str:
    """The table for a terminal."""
    known = state if viewer is None else game.redact(state, viewer)
    public = _name(known, known.public) if turned_up(known) else "face down"
    lines = [f"card for all: {public}"] if known.rounds > 1 else []
    for seat in range(known.num_seats):
        notes = ["you"] * (seat == viewer) + ["folded"] * bool(known.folded[seat])
        notes += ["decides"] * bool(known.seat == seat)
        result = f", won {chips(int(known.scores[seat]))}" if known.over else ""
        lines.append(
            f"Player {seat}: {_name(known, known.cards[seat])}, {known.stakes[seat]} in the pot"
            f"{result}{' (' + ', '.join(notes) + ')' if notes else ''}"
        )
    return "\n".join(lines)


def position_text(game: LimitPoker, state: State) -> str:
    """``KUHN/1 n=3 cards=T,Q,J public=- bets=crf,``: cards by seat, then each round's actions."""
    n = int(state.num_seats)
    cards = ",".join(_name(state, state.cards[seat]) for seat in range(n))
    public = _name(state, state.public) if state.rounds > 1 else "-"
    bets = ",".join(
        "".join(LETTERS[kind - 1] for kind in history[:count])
        for history, count in zip(state.history, state.count, strict=True)
    )
    return f"{game.name.upper()}/1 n={n} cards={cards} public={public} bets={bets}"


def parse_position(game: LimitPoker, text: str) -> State:
    """The position of this notation, reached by its bets.

    Raises:
        NotationError: Naming the field that is wrong and what is allowed.
    """
    found = _TEXT.fullmatch(text.strip())
    if found is None or found[1] != game.name.upper():
        raise NotationError(
            f"{text!r}: must look like '{game.position_text(game.new_state(0))}', "
            f"with actions {', '.join(LETTERS)} of two rounds after bets="
        )
    players = int(found[2])
    if not 2 <= players <= game.max_seats:
        raise NotationError(f"n={players}: must be 2 to {game.max_seats}")
    state = game.new_state(0, players=players)
    cards = found[3].split(",")
    if len(cards) != players:
        raise NotationError(f"cards={found[3]}: must be {players} cards")
    state.cards[:players] = [_rank(card, players) for card in cards]
    state.public = _rank(found[4], players) if game.rounds > 1 else NONE
    dealt = np.array([*state.cards[:players], state.public])
    if max(np.bincount(dealt[dealt != NONE], minlength=1)) > game.suits:
        raise NotationError(f"cards={found[3]}: there are {game.suits} of each rank")
    for betting, letters in enumerate((found[5], found[6])):
        for letter in letters:
            action = LETTERS.index(letter)
            if state.phase != betting or not game.action_mask(state)[action]:
                raise NotationError(f"bets={found[5]},{found[6]}: {letter!r} is not legal there")
            game.apply(state, action)
    if game.rounds > 1 and state.phase == 1 and state.public == NONE:
        raise NotationError("public=?: must be a rank once it is turned up")
    return state


def _rank(name: str, players: int) -> int:
    names = [rank_name(rank, players) for rank in range(players + 1)]
    if name == "?":
        return NONE
    if name not in names:
        raise NotationError(f"card {name!r}: must be {', '.join(names)} or ?")
    return names.index(name)
