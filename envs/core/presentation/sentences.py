"""Sentences about who does what, with verbs that agree with their subjects; dice in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

DICE: Final = " \u2680\u2681\u2682\u2683\u2684\u2685"
"""The face of a die by its number, from 1; pages draw it."""

VOWELS: Final = "aeiou"
IRREGULAR: Final = {"is": "is", "have": "has"}


def is_plural(name: str) -> bool:
    """Whether a name takes plural verbs: ``South Side Yardmen``, but not ``Saltis``."""
    return name.endswith("men") or (name.endswith("s") and not name.endswith(("ss", "is")))


def agree(name: str, deed: str) -> str:
    """A name and what it does, without a full stop.

    Args:
        name: The subject.
        deed: A verb in its base form, and what follows it; ``is`` for a form of *to be*.

    >>> agree("Red", "buy a bribe marker"), agree("Dead Rabbits", "pass")
    ('Red buys a bribe marker', 'Dead Rabbits pass')
    >>> agree("Casinos", "is sold")
    'Casinos are sold'
    """
    if not is_plural(name):
        return f"{name} {third_person(deed)}"
    return f"{name} {deed.replace('is ', 'are ', 1) if deed.startswith('is ') else deed}"


def third_person(deed: str) -> str:
    """The same of one person or thing.

    >>> third_person("pass"), third_person("carry it"), third_person("have one"), third_person("is")
    ('passes', 'carries it', 'has one', 'is')
    """
    verb, gap, rest = deed.partition(" ")
    if verb.endswith("y") and verb[-2] not in VOWELS:
        verb = f"{verb[:-1]}ies"
    elif verb in IRREGULAR:
        verb = IRREGULAR[verb]
    else:
        verb += "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    return verb + gap + rest


def listed(items: Sequence[str]) -> str:
    """Items of a list, as in a sentence; empty if there are none.

    >>> listed(["Red"]), listed(["Red", "Green", "Brown"])
    ('Red', 'Red, Green and Brown')
    """
    return " and ".join(part for part in (", ".join(items[:-1]), *items[-1:]) if part)
