"""The report of a tournament: one HTML file that needs no other file and no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ...envs.core.game import Game
from ...envs.core.presentation.foreign_text import printable
from ..tables import deals, percent
from .moments import EXAMINED, Moment
from .result import FolderResult, Standing

STYLE = """
:root { color-scheme: light dark; --line: #8884; --bar: #8c1c13; --muted: #777; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child, .words { text-align: left; }
.words { overflow-wrap: anywhere; }
.bar { position: relative; width: 12rem; }
.bar i { position: absolute; top: 50%; height: 4px; margin-top: -2px; background: var(--bar); }
.bar b { position: absolute; top: 20%; bottom: 20%; border-left: 2px solid var(--muted); }
.note, figcaption { color: var(--muted); }
figure { margin: 1.5rem 0; }
figure svg { width: 100%; height: auto; }
code { overflow-wrap: anywhere; }
"""

FORFEITS = (
    "A decision that fails, by an error or an illegal answer, is made at random, so that the "
    "others can play on. The bot is asked again at its next decision, but it has forfeited that "
    "game in that seat: it counts as last there, and the others move up. A game that all have "
    "forfeited is won by nobody."
)


def as_html(
    result: FolderResult,
    game: Game,
    moments: Sequence[Moment],
    *,
    title: str,
    command: str,
    replays: str,
    judge: str | None = None,
) -> str:
    """The report.

    Args:
        result: The tournament.
        game: Its game.
        moments: Its decisive moments.
        title: What it is called, such as the name of the folder.
        command: The command that plays it again.
        replays: Name of the file with the games.
        judge: Spec of the agent that judged the moments; ``None`` for nobody.
    """
    heading = f"{_text(title)}: {_text(game.title)}"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{heading}</title><style>{STYLE}</style></head><body>",
            f"<h1>{heading}</h1>",
            *_about(result, command),
            *_standings(result),
            *_cross(result),
            *_faults(result, replays),
            *_moments(result, moments, judge, replays),
            "</body></html>\n",
        ]
    )


def _about(result: FolderResult, command: str) -> Iterable[str]:
    options = ", ".join(f"{key}={value}" for key, value in result.options.items())
    on = deals(result.deals)
    yield (
        f"<p>{len(result.places):,} games on {on}, seed {result.seed}. Rules version "
        f"{result.rules_version}, {_text(options)}. All line-ups are mixed, and every bot plays "
        "equally often in every seat. Made by</p>"
    )
    yield f"<p><code>{_text(command)}</code></p>"


def _standings(result: FolderResult) -> Iterable[str]:
    par = result.par
    yield "<h2>Standings</h2>"
    yield (
        f'<p class="note">The line is the 95 % interval, by deals; the mark is par, {par:.1%}, '
        "which equal players win. A bot whose interval does not reach the mark is better or worse "
        "than the average opponent.</p>"
    )
    full = max((one.win.high for one in result.standings), default=1.0) or 1.0
    heads = ("bot", "win share", "95 %", "", "place", "games", "forfeits", "ms/decision")
    rows = (
        [
            f"{number} {_text(one.name)}",
            f"{one.win.share:.1%}",
            f"{one.win.low:.1%}–{one.win.high:.1%}",
            _bar(one, par, full),
            f"{one.place:.2f}",
            f"{one.games:,}",
            f"{one.forfeits:,}" if one.forfeits else "",
            f"{one.milliseconds:.2f}",
        ]
        for number, one in enumerate(result.standings, 1)
    )
    yield from _table(heads, rows)
    for name, why in result.refused.items():
        yield f"<p><b>{_text(name)}</b> did not take part: <code>{_text(why)}</code></p>"


def _bar(one: Standing, par: float, full: float) -> str:
    """An interval, and par, on a line from 0 to ``full``."""
    left, width = one.win.low / full, (one.win.high - one.win.low) / full
    line = f'<i style="left:{left:.1%};width:{max(width, 0.01):.1%}"></i>'
    return f'<div class="bar">&nbsp;{line}<b style="left:{min(par / full, 1):.1%}"></b></div>'


def _cross(result: FolderResult) -> Iterable[str]:
    yield "<h2>Who finishes ahead of whom</h2>"
    yield (
        '<p class="note">How often the bot of the row finishes ahead of that of the column in the '
        "same game; ties count half.</p>"
    )
    heads = ["bot", *(f"{number}" for number, _ in enumerate(result.standings, 1))]
    rows = (
        [f"{number} {_text(one.name)}", *(percent(share) for share in row)]
        for number, (one, row) in enumerate(zip(result.standings, result.ahead, strict=True), 1)
    )
    yield from _table(heads, rows)


def _faults(result: FolderResult, replays: str) -> Iterable[str]:
    yield "<h2>Faults</h2>"
    rows = [
        [
            _text(one.name),
            f"<code>{_text(what)}</code>",
            f"{count:,}",
            f"{first.game + 1}, decision {first.ply + 1}",
        ]
        for one in result.standings
        for what, count, first in result.commonest(one.name)
    ]
    if not rows:
        yield "<p>No bot that took part has failed.</p>"
        return
    yield f"<p>{FORFEITS}</p>"
    heads = ("bot", "error", "seats lost", "first in game")
    yield from _table(heads, rows, words=(1,))
    example = f"gangland replay {replays} --game {rows[0][3].split(',')[0]}"
    yield f"<p>Look at one: <code>{_text(example)}</code></p>"


def _moments(
    result: FolderResult, moments: Sequence[Moment], judge: str | None, replays: str
) -> Iterable[str]:
    if not moments:
        return
    yield "<h2>Decisive moments</h2>"
    among = f"of the first {min(EXAMINED, len(result.places))} games"
    if judge is None:
        yield f'<p class="note">The last decision of winners {among}.</p>'
    else:
        yield (
            f'<p class="note">The decisions {among} after which a winner\'s probability of winning '
            f"rose most until its next one, as <code>{_text(judge)}</code> estimates it from what "
            "the seat knew.</p>"
        )
    for moment in moments:
        example = f"gangland replay {replays} --game {moment.game + 1}"
        yield f"<figure><div inert>{moment.svg}</div><figcaption>{caption(moment)} "
        yield f"<code>{_text(example)}</code></figcaption></figure>"


def caption(moment: Moment) -> str:
    """A moment in words, as HTML."""
    words = (
        f"<b>{_text(moment.name)}</b>, {_text(moment.seat)}, on its way to winning game "
        f"{moment.game + 1}. Decision {moment.ply + 1} of {moment.length}: "
        f"<b>{_text(moment.action)}</b>"
    )
    if moment.chances is None:
        return words
    before, after = moment.chances
    then = "; it decided no more" if moment.last else f", and {after:.0%} when it decided next"
    return f"{words} Its probability of winning was {before:.0%}{then}."


def _table(
    heads: Iterable[str], rows: Iterable[Sequence[str]], words: Sequence[int] = ()
) -> Iterable[str]:
    """A table of cells that are HTML; columns ``words`` are aligned to the left."""

    def line(tag: str, cells: Iterable[str]) -> str:
        kinds = (' class="words"' if k in words else "" for k in range(len(list(heads))))
        written = (f"<{tag}{kind}>{cell}</{tag}>" for cell, kind in zip(cells, kinds, strict=True))
        return f"<tr>{''.join(written)}</tr>"

    yield '<div class="wide"><table>'
    yield line("th", heads)
    for row in rows:
        yield line("td", row)
    yield "</table></div>"


def _text(words: str) -> str:
    """Text as HTML, without what is obeyed or cannot be seen."""
    return escape(printable(words))
