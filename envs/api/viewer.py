"""A recorded game to step through, in a notebook or as a page of its own."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from ..core.replay import Replay
from ..core.state import State
from ..registry import load

OPEN = "open table"
"""Name of the view in which nothing is hidden."""

HEIGHT = 640
"""Height in a notebook, in pixels."""


_ELEMENT = re.compile(r"(?=<)")


class ReplayViewer:
    """Shows a game position by position, as any seat saw it or with open cards.

    A notebook displays it with a slider and a choice of views. It holds all pictures and needs
    neither a server nor the kernel: it works in a saved notebook and on a page (:meth:`save`).

    Args:
        replay: The game.
        views: Whose views can be chosen: seats, or ``None`` for the open table. By default the open
            table and all seats.

    Raises:
        ReplayError: If it is not a game of these rules.
        ValueError: If there is no such seat, or no view at all.
        UnknownGameError: If there is no such game.
    """

    def __init__(self, replay: Replay, views: Sequence[int | None] | None = None) -> None:
        game = load(replay.game)
        states = list(replay.states(game))
        seats = game.num_players(game.options.resolve(replay.options))
        chosen = [None, *range(seats)] if views is None else list(views)
        if not chosen or not all(view is None or 0 <= view < seats for view in chosen):
            raise ValueError(f"views={views!r}: must be seats of 0..{seats - 1}, or None")
        self.title = game.title
        names = [OPEN if view is None else game.seat_name(states[0], view) for view in chosen]
        if replay.players:
            names = [
                name if view is None else f"{name} ({replay.players[view]})"
                for name, view in zip(names, chosen, strict=True)
            ]
        self._shown = {
            name: [picture(replay, states, number, view) for number in range(len(states))]
            for name, view in zip(names, chosen, strict=True)
        }

    def __len__(self) -> int:
        """Positions: the start, and one after each decision."""
        return len(next(iter(self._shown.values())))

    def html(self) -> str:
        """A page of its own, which asks nothing of any server."""
        data = json.dumps(in_parts(self._shown), separators=(",", ":"))
        packed = base64.b64encode(gzip.compress(data.encode(), mtime=0)).decode()
        title = html.escape(self.title)
        return PAGE.substitute(title=title, last=len(self) - 1, packed=packed)

    def save(self, path: Path) -> None:
        """Write the page."""
        path.write_text(self.html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        page = html.escape(self.html())
        return f'<iframe srcdoc="{page}" width="100%" height="{HEIGHT}" frameborder="0"></iframe>'


def in_parts(shown: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Pictures as numbers of their elements: most are the same from one picture to the next.

    Args:
        shown: Each view's SVG pictures.

    Returns:
        ``elements``, texts, and ``views``: each picture of a view as the numbers of its elements,
        ``[kept, numbers, kept]`` where the first and the last ones are as in the picture before.
    """
    elements: dict[str, int] = {}
    views: dict[str, list[list[Any]]] = {}
    for name, pictures in shown.items():
        before: list[int] = []
        views[name] = []
        for one in pictures:
            now = [elements.setdefault(part, len(elements)) for part in _ELEMENT.split(one)]
            first = _same(before, now, min(len(before), len(now)))
            last = _same(before[::-1], now[::-1], min(len(before), len(now)) - first)
            views[name].append([first, now[first : len(now) - last], last])
            before = now
    return {"elements": list(elements), "views": views}


def _same(these: Sequence[int], those: Sequence[int], most: int) -> int:
    """How many of the first ones are the same."""
    for count in range(most):
        if these[count] != those[count]:
            return count
    return most


def picture(
    replay: Replay,
    states: Sequence[State],
    number: int,
    viewer: int | None,
    say: Callable[[str], str] = str,
) -> str:
    """A position's SVG picture as a seat sees it, with the last sentence on what led to it.

    Args:
        replay: The game.
        states: Its positions.
        number: Decisions before the position.
        viewer: The seat; ``None`` to show everything.
        say: Translates sentences.
    """
    game, state = load(replay.game), states[number]
    said: list[str] = []
    if number > 0:
        said = game.narrate(states[number - 1], replay.actions[number - 1], state, viewer)
    known = state if viewer is None else game.redact(state, viewer)
    return game.svg(known, viewer, (), say(said[-1]) if said else "")


PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<style>
body { margin: 0; font: 15px system-ui, sans-serif; background: #fff; color: #222; }
form { display: flex; gap: .5em; align-items: center; padding: .5em; flex-wrap: wrap; }
input { flex: 1; min-width: 8em; }
output { min-width: 6em; text-align: right; }
main svg { display: block; max-width: 100%; height: auto; margin: auto; }
</style>
</head>
<body>
<form>
<select aria-label="View"></select>
<button type="button" value="-1" aria-label="Back">◀</button>
<input type="range" min="0" max="$last" value="0" aria-label="Position">
<button type="button" value="1" aria-label="Forward">▶</button>
<output></output>
</form>
<main>This game needs a browser of 2023 or later.</main>
<script>
const packed = Uint8Array.from(atob("$packed"), (letter) => letter.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const [view, position, number] = ["select", "input", "output"].map((tag) =>
  document.querySelector(tag));
new Response(unpacked).json().then((game) => {
  const pictures = {};
  for (const [name, changes] of Object.entries(game.views)) {
    let parts = [];
    pictures[name] = changes.map(([first, changed, last]) => {
      parts = [...parts.slice(0, first), ...changed, ...parts.slice(parts.length - last)];
      return parts;
    });
  }
  const show = () => {
    const parts = pictures[view.value][position.value];
    document.querySelector("main").innerHTML = parts.map((at) => game.elements[at]).join("");
    number.value = position.value + " / " + position.max;
  };
  view.replaceChildren(...Object.keys(pictures).map((name) => new Option(name)));
  view.addEventListener("change", show);
  position.addEventListener("input", show);
  for (const button of document.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      position.value = Number(position.value) + Number(button.value);
      show();
    });
  }
  show();
});
</script>
</body>
</html>
""")
"""``$$title``, ``$$last``: number of the last position, ``$$packed``: pictures and views, gzip."""
