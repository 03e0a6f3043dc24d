"""The rematch of a match: the same game, options, clock and bots, and everybody in the same seat.

The seats of people are kept for them: the match waits until each has sat down or declined, or until
somebody begins without those who have not come. A person's token is that of the first match.
"""

from __future__ import annotations

from dataclasses import replace

from ..errors import ServingError
from ..storage.journal import Entry, SeatSetup, Setup
from .match import Match


def ask(match: Match, seat: int, name: str) -> Entry:
    """An entry for a person who asks for a rematch.

    Args:
        match: The finished match.
        seat: The person's seat.
        name: Name of the match to come.

    Raises:
        ServingError: If the match is not finished, or somebody has asked.
    """
    if match.status != "finished":
        raise ServingError("conflict", f"the match is {match.status}, not finished")
    if match.rematch:
        raise ServingError("conflict", "a rematch has been asked for")
    return Entry("rematch", seat, text=name)


def rematch_of(match: Match, name: str, seed: int, created: str) -> Setup:
    """What is fixed of a rematch when it is created.

    Args:
        match: The finished match.
        name: Name of the rematch.
        seed: Its seed.
        created: When it is created: ISO 8601, UTC.
    """
    seats = tuple(
        SeatSetup("open", player=seat.player, token=seat.token)
        if seat.token
        else SeatSetup("bot", bot=given.bot or seat.replaced or seat.bot)
        for given, seat in zip(match.setup.seats, match.seats, strict=True)
    )
    return replace(match.setup, match=name, seed=seed, seats=seats, rated=True, created=created)


def sit_down(match: Match, seat: int, token: str) -> Entry:
    """An entry for a person who takes the seat of a rematch that is kept for them.

    Args:
        match: The rematch.
        seat: The seat.
        token: Hash of the person's token.

    Raises:
        ServingError: If the seat is not kept for them, or not any more.
    """
    match.require_unfinished()
    own = match.seats[seat]
    if not own.open or own.token != token:
        raise ServingError("conflict", f"seat {seat} of the rematch is not kept for you any more")
    return Entry("join", seat, text=own.player, token=token)


def begin(match: Match, seat: int, bot: str) -> Entry:
    """An entry that begins a rematch without those who have not come: bots take their seats.

    Args:
        match: The rematch.
        seat: Seat of the person who begins.
        bot: Spec of the bots.

    Raises:
        ServingError: If the match does not wait, waits for strangers, or the person has not sat
            down.
    """
    if match.status != "waiting":
        raise ServingError("conflict", f"the match is {match.status}, not waiting")
    if match.seats[seat].open:
        raise ServingError("conflict", "sit down first")
    if any(one.open and not one.token for one in match.seats):
        raise ServingError("conflict", "the match waits for whoever takes its open seats")
    return Entry("begin", seat, text=bot)
