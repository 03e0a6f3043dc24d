"""How a match ends before the game does, and what its end means for the leaderboard.

A person who *concedes* has lost, whatever the bot that plays on makes of the seat. All people who
sit at the table can *agree* to end the match: then nobody has won, and nobody is rated. Bots are
not asked, nor are people who have left or conceded.
"""

from __future__ import annotations

from ...envs.core.state import Result
from ..errors import ServingError
from ..protocol import Status
from ..storage.journal import Entry
from ..storage.ratings import Outcome
from .match import Match


def concede(match: Match, seat: int, bot: str) -> Entry:
    """An entry for a person who gives up: the seat is lost for them, and a bot plays on.

    Args:
        match: The match.
        seat: The person's seat.
        bot: Spec of the bot, unless one plays the seat already.

    Raises:
        ServingError: If the match is not being played, or the seat was conceded before.
    """
    match.require_playing()
    match.require_own(seat)
    return Entry("concede", seat, text=match.seats[seat].bot or bot)


def agree(match: Match, seat: int, agrees: bool) -> Entry:
    """An entry for a person who agrees to end the match without a winner, or no longer does.

    Raises:
        ServingError: If the match is not being played, a bot plays the seat, or nothing would
            change.
    """
    match.require_playing()
    own = match.seats[seat]
    if own.bot:
        raise ServingError("conflict", f"{own.bot} plays this seat: only who sits there can agree")
    if own.agrees == agrees:
        said = "agreed already" if agrees else "not agreed"
        raise ServingError("conflict", f"you have {said} to end the match")
    return Entry("agree" if agrees else "withdraw", seat)


def foresee(match: Match, entry: Entry) -> tuple[Status, list[Outcome]]:
    """Status and rated results of a match after an entry that has not been applied yet."""
    if match.status == "waiting" and entry.kind in ("join", "leave", "begin"):
        begins = entry.kind == "begin" or not any(
            seat.open for k, seat in enumerate(match.seats) if k != entry.seat
        )
        return ("playing" if begins else "waiting"), []
    if match.ends_by(entry):
        return "finished", []
    if entry.kind != "play":
        return match.status, []
    after = match.game.clone(match.state)
    match.game.apply(after, entry.action)
    if not after.over:
        return "playing", []
    return "finished", outcomes(match, match.game.result(after)) if match.rated else []


def outcomes(match: Match, result: Result) -> list[Outcome]:
    """Results for the leaderboard: who conceded is last, and the others rank among themselves."""
    keys = [
        (True, 0) if seat.conceded else (False, place)
        for seat, place in zip(match.seats, result.places, strict=True)
    ]
    places = [1 + sum(other < key for other in keys) for key in keys]
    first = [k for k, place in enumerate(places) if place == 1 and not match.seats[k].conceded]
    won = 1.0 if any(result.win_shares) else 0.0
    return [
        Outcome(
            seat.player or seat.bot,
            not seat.player,
            places[k],
            won / len(first) if k in first else 0.0,
        )
        for k, seat in enumerate(match.seats)
    ]
