"""What comes with a game in its package: modules, rulebooks, texts in other languages, a lesson."""

from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
import sys
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from .presentation.lesson import Lesson


class GamePackage:
    """The part of :class:`~.game.Game` that finds what stands beside it in its package.

    Attributes:
        heuristics: Module of the game's heuristics, as
            :mod:`gangland.agents.baseline.heuristic` wants them; relative to the game's package.
            Not there, or ``None``: the game has none.
        conformance: Module of what the conformance suite needs to know of the game, as
            :mod:`gangland.envs.testing` wants it; relative to the game's package.
    """

    heuristics: ClassVar[str | None] = ".heuristics"
    conformance: ClassVar[str | None] = ".conformance"

    @property
    def package(self) -> str:
        """Name of the package that holds the game; empty for a module that stands alone."""
        return str(getattr(sys.modules[type(self).__module__], "__package__", "") or "")

    def module(self, name: str | None) -> ModuleType | None:
        """A module of the game, imported now; ``None`` if it is not there.

        Args:
            name: Its name, :attr:`heuristics` or :attr:`conformance`: dotted, with a dot in front
                if it is relative to :attr:`package`.
        """
        if name is None or (name.startswith(".") and not self.package):
            return None
        dotted = importlib.util.resolve_name(name, self.package)
        if importlib.util.find_spec(dotted) is None:
            return None
        return importlib.import_module(dotted)

    def rulebook(self) -> str | None:
        """The game's ``RULES.md``; ``None`` if it comes without written rules."""
        return self._file("RULES.md")

    def handbook(self, language: str = "en") -> str | None:
        """The rules as people read them: ``RULEBOOK.md``, or ``RULEBOOK.de.md`` in German.

        ``None`` if there is none in this language.
        """
        return self._file("RULEBOOK.md" if language == "en" else f"RULEBOOK.{language}.md")

    def languages(self) -> tuple[str, ...]:
        """Codes of the languages besides English that the game's texts are translated into."""
        if not self.package:
            return ()
        folder = importlib.resources.files(self.package) / "texts"
        names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
        return tuple(sorted(name[:-3] for name in names if name.endswith(".po")))

    def texts(self, language: str) -> str | None:
        """The gettext catalogue of a language; ``None`` if there is none."""
        return self._file("texts", f"{language}.po") if language in self.languages() else None

    def lesson(self) -> Lesson | None:
        """The game's ``lesson.json``; ``None`` if it comes without one."""
        text = self._file("lesson.json")
        if text is None:
            return None
        from .presentation.lesson import Lesson

        return Lesson.model_validate_json(text)

    def _file(self, *path: str) -> str | None:
        """A text beside the game; ``None`` if it is not there."""
        if not self.package:
            return None
        file = importlib.resources.files(self.package).joinpath(*path)
        return file.read_text(encoding="utf-8") if file.is_file() else None
