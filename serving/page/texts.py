"""The page's texts and their translations: gettext catalogues by language in ``web/texts``.

``t("...")`` in a module marks a text, ``tn("...", "...", n)`` one that depends on a number, and
``N_("...")`` one that is translated elsewhere; ``data-text`` and ``data-label`` mark elements of
``index.html``. After a change of texts,

    python -m gangland.serving.page.texts

adds what is new to every catalogue, without a translation, and takes out what is gone. A new
language is a new file, such as ``fr.po``, with the header of another one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from ..texts import STRING, read_catalogue

WEB = Path(__file__).parent / "web"
TEXTS = WEB / "texts"
_ONE = re.compile(rf"(?<![\w.])(?:t|N_)\(({STRING})")
_MANY = re.compile(rf"(?<![\w.])tn\(({STRING}),\s*({STRING})")
_ELEMENT = re.compile(r'<[^>]* data-text>([^<]+)<|aria-label="([^"]+)" data-label>')
_NAME = re.compile(r"X-Language-Name: (.+?)\\n")

Message = tuple[str, str]
"""A text, and its plural; the latter is empty if it does not depend on a number."""


def messages() -> list[Message]:
    """All texts of the page, sorted."""
    found: set[Message] = set()
    for file in sorted(WEB.rglob("*.js")):
        source = file.read_text(encoding="utf-8")
        found |= {(json.loads(text), "") for text in _ONE.findall(source)}
        found |= {(json.loads(one), json.loads(many)) for one, many in _MANY.findall(source)}
    for words, label in _ELEMENT.findall((WEB / "index.html").read_text(encoding="utf-8")):
        found.add((words or label, ""))
    return sorted(found)


def languages() -> dict[str, str]:
    """Code and name of each language that there is a catalogue of; English is in the program."""
    return {
        file.stem: found[1] if (found := _NAME.search(file.read_text("utf-8"))) else file.stem
        for file in sorted(TEXTS.glob("*.po"))
    }


def catalogue(file: Path) -> dict[str, list[str]]:
    """Translations by text, several where they depend on a number; under ``""`` the header."""
    return read_catalogue(file.read_text(encoding="utf-8"))


def update(file: Path) -> tuple[int, int]:
    """Bring a catalogue up to date; returns how many texts are new and how many are gone."""
    known = catalogue(file)
    header = known.pop("")[0]
    wanted = messages()
    forms = int(found[1]) if (found := re.search(r"nplurals=(\d)", header)) else 2
    blocks = [_block("", "", [header])]
    for one, many in wanted:
        blocks.append(_block(one, many, known.get(one, [""] * (forms if many else 1))))
    file.write_text("\n".join(blocks), encoding="utf-8")
    texts = {one for one, _ in wanted}
    return len(texts - known.keys()), len(known.keys() - texts)


def _block(one: str, many: str, translated: list[str]) -> str:
    def quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    lines = [f"msgid {quoted(one)}"]
    if many:
        lines.append(f"msgid_plural {quoted(many)}")
        lines += [f"msgstr[{k}] {quoted(text)}" for k, text in enumerate(translated)]
    else:
        lines.append(f"msgstr {quoted(translated[0])}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Bring all catalogues up to date."""
    for file in sorted(TEXTS.glob("*.po")):
        new, gone = update(file)
        print(f"{file.name}: {new} new, {gone} gone")


if __name__ == "__main__":
    main()
