"""A language model at a table of bots, with a transcript of all that it was asked and answered.

    pip install 'gangland[remote]'
    python examples/llm_match.py --url http://localhost:11434/v1 --model llama3.1

Any server that speaks the OpenAI-compatible chat protocol will do; a key, if it needs one, is read
from the environment variable GANGLAND_LLM_KEY. The same agent plays in ``gangland arena`` and
``gangland play``, and on a server's page with ``gangland serve --bot 'chicago=llm:...'``.
"""

from __future__ import annotations

import argparse

from gangland.agents import make
from gangland.arena import play_table
from gangland.envs import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--game", default="chicago")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--rivals", default="heuristic", help="an agent spec for the other seats")
    parser.add_argument("--games", type=int, default=1, help="rounded up to all rotations")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--transcript", default="transcript.jsonl")
    args = parser.parse_args()

    spec = f"llm:{args.url}?model={args.model}&transcript={args.transcript}"
    table = [make(spec, load(args.game)), *[args.rivals] * (args.players - 1)]
    options = {name: int(value) for name, value in (text.split("=") for text in args.option)}
    result = play_table(args.game, table, args.games, players=args.players, **options)
    print(f"won {result.of(spec).win.share:.0%} of {result.games} games against {args.rivals}")
    print(result.notes[spec])
    print(f"transcript: {args.transcript}")


if __name__ == "__main__":
    main()
