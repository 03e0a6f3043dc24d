"""Play a match on a Gangland server: a bot of one's own at a table of theirs.

Start ``gangland serve``, then::

    python examples/client/play.py http://127.0.0.1:8000
"""

from __future__ import annotations

import random
import sys

from gangland.client import Client, ClientError, bot, human
from gangland.serving.protocol import View

CHOICES = random.Random(1)


def choose(view: View) -> int:
    """This bot's action: any that is legal. Put a better idea here."""
    return CHOICES.choice(view.legal).id


def main(server: str) -> None:
    """Play one match and say how it ended."""
    seats = [human("Ann"), bot("heuristic"), bot("heuristic")]
    with Client(server) as client:
        (ann,) = client.create("chicago", seats, options={"players": 3})
        with ann.live(svg=False) as live:
            for view in live:
                for event in view.events:
                    print(event.text)
                if view.decision is not None:
                    live.act(view.decision, choose(view))
    if view.result is not None:
        for standing in view.result.standings:
            print(standing.place, view.seats[standing.seat].player, standing.score_text)


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
    except ClientError as error:
        sys.exit(str(error))
