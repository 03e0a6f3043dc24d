"""Links between pages, from the repository's layout to the site's.

Pages link to each other by their paths in the repository, so that the links work where the
repository is browsed. The site has another layout: ``docs/`` is its top, and some pages come from
elsewhere (rules, model cards, the change log).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.S | re.M)
OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|#")


def relink(text: str, source: str, placed: Mapping[str, str], root: Path) -> str:
    """The text of a page with its links as the site needs them.

    Links to files of the repository that have no place on the site become plain text. Links to
    nothing are left as they are: the generator reports them.

    Args:
        text: Markdown.
        source: Path of the page in the repository.
        placed: Path on the site by path in the repository.
        root: The repository.
    """

    def replace(match: re.Match[str]) -> str:
        bang, label, target = match.groups()
        if OUTSIDE.match(target):
            return match[0]
        path, hash_sign, anchor = target.partition("#")
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if wanted not in placed:
            return str(label) if not bang and (root / wanted).exists() else match[0]
        here = posixpath.dirname(placed[source])
        label = relink(label, source, placed, root)
        return (
            f"{bang}[{label}]({posixpath.relpath(placed[wanted], here or '.')}{hash_sign}{anchor})"
        )

    # Code may look like a link.
    parts: list[str] = []
    rest = 0
    fences = [match.span() for match in FENCE.finditer(text)]
    for begin, end in [*fences, (len(text), len(text))]:
        parts += [LINK.sub(replace, text[rest:begin]), text[begin:end]]
        rest = end
    return "".join(parts)
