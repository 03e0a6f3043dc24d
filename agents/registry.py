"""Agent specs: short texts that name an agent, such as ``heuristic`` or ``ppo:runs/chicago``.

>>> from gangland.envs import load
>>> make("random", load("chicago"))
<RandomAgent random>
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from .base import Agent

Factory: TypeAlias = Callable[[str, Game], Agent]
"""Makes an agent from the text after the colon (empty if there is none) and the game."""


class UnknownAgentError(GanglandError, ValueError):
    """No agent has this spec."""


@dataclass(frozen=True, slots=True)
class AgentKind:
    """One kind of agent.

    Attributes:
        prefix: The word before the colon.
        usage: How its spec is written.
        doc: What it is, in one line.
        factory: Makes it.
    """

    prefix: str
    usage: str
    doc: str
    factory: Factory


KINDS: dict[str, AgentKind] = {}
"""All kinds by prefix, in order of registration."""


def register(prefix: str, factory: Factory, doc: str, *, usage: str | None = None) -> None:
    """Add a kind of agent.

    Args:
        prefix: The word before the colon of its specs.
        factory: Called with the text after the colon and the game.
        doc: One line for ``gangland agents``.
        usage: How its spec is written; ``prefix`` by default.

    Raises:
        ValueError: If the prefix is taken or no plain word.
    """
    if not prefix or set(prefix) & set(":, \t"):
        raise ValueError(f"prefix {prefix!r}: must be a word without colon, comma or space")
    if prefix in KINDS:
        raise ValueError(f"prefix {prefix!r} is taken: {KINDS[prefix].doc}")
    KINDS[prefix] = AgentKind(prefix, usage or prefix, doc, factory)


def make(spec: str, game: Game) -> Agent:
    """The agent of this spec for this game.

    A spec can start programs, call addresses and read folders, so it has to be the words of the
    person who runs the program. Specs from files and requests go to :func:`make_built_in`.

    Raises:
        UnknownAgentError: Naming the specs there are.
        GanglandError: If the agent does not fit the game or cannot be loaded.
    """
    prefix, _, argument = spec.strip().partition(":")
    if prefix not in KINDS:
        known = ", ".join(kind.usage for kind in KINDS.values())
        raise UnknownAgentError(f"no agent {spec!r}: must be one of {known}")
    return KINDS[prefix].factory(argument, game)


def make_built_in(spec: str, game: Game) -> Agent:
    """The agent of a spec that somebody else wrote: in a checkpoint, for example.

    It can only be ``random`` or one of the game's own heuristics. No factory of :data:`KINDS` is
    asked, so that no spec leads further, to another file or back to the one that it stands in.

    Raises:
        UnknownAgentError: Naming the specs there are.
    """
    from .heuristic import HeuristicAgent, specs_of
    from .random import RandomAgent

    known = ["random", *specs_of(game)]
    if spec not in known:
        raise UnknownAgentError(
            f"no agent {spec[:60]!r} for a file to name: must be one of {', '.join(known)}"
        )
    if spec == "random":
        return RandomAgent(game)
    return HeuristicAgent(game, spec.partition(":")[2])


def specs(game: Game) -> dict[str, str]:
    """Specs that can be used as they stand, with a line each: baselines, then shipped bots."""
    from .heuristic import variants

    found = {"random": KINDS["random"].doc}
    for name, doc in variants(game).items():
        found[f"heuristic:{name}" if name else "heuristic"] = doc
    for path in shipped(game.name):
        found[f"ppo:{path}"] = _card(path)
    return found


def strongest(game: Game) -> str:
    """Spec of the best agent at hand: the newest shipped bot, else the heuristic, else random."""
    from .heuristic import has_heuristic

    bots = shipped(game.name)
    if bots:
        return f"ppo:{bots[-1]}"
    return "heuristic" if has_heuristic(game) else "random"


def shipped(game: str) -> list[str]:
    """Trained bots that come with the project, as ``<game>/...`` under its checkpoints."""
    from .policy import shipped_bots

    return [name for name in shipped_bots() if name.split("/")[0] == game]


def _card(path: str) -> str:
    """A shipped bot in one line, with how it fared against tables of the baselines."""
    from .policy import find_checkpoint, read_checkpoint

    model = read_checkpoint(find_checkpoint(path)).model
    shares = [
        f"wins {row['win_share']:.0%} (par {row['par']:.0%}) "
        f"against {row['players'] - 1} {row['baseline']}"
        + (f" as {row['role']}" if row["role"] else "")
        for row in model["ratings"]
    ]
    return "; ".join(["trained bot that comes with gangland", *shares])


def _random(argument: str, game: Game) -> Agent:
    from .random import RandomAgent

    if argument:
        raise UnknownAgentError(f"random:{argument}: random takes nothing after a colon")
    return RandomAgent(game)


def _heuristic(argument: str, game: Game) -> Agent:
    from .heuristic import HeuristicAgent

    return HeuristicAgent(game, argument)


def _ppo(argument: str, game: Game) -> Agent:
    from .policy import PolicyAgent

    path, _, query = argument.partition("?")
    if not path:
        raise UnknownAgentError("ppo: needs a checkpoint folder or a shipped bot, as ppo:PATH")
    return PolicyAgent(game, path, temperature=_temperature(query) if query else 0.0)


def _temperature(query: str) -> float:
    key, _, value = query.partition("=")
    try:
        temperature = float(value)
    except ValueError:
        temperature = -1.0
    if key != "temperature" or not 0.0 <= temperature < float("inf"):
        raise UnknownAgentError(f"?{query}: must be ?temperature=NUMBER, the number at least 0")
    return temperature


def _ismcts(argument: str, game: Game) -> Agent:
    from .search import SearchAgent

    return SearchAgent(game, argument)


def _cmd(argument: str, game: Game) -> Agent:
    from .remote import EngineAgent

    return EngineAgent(game, argument.strip())


def _web(scheme: str) -> Factory:
    def factory(argument: str, game: Game) -> Agent:
        from .remote import HttpAgent

        return HttpAgent(game, f"{scheme}:{argument}")

    return factory


register("random", _random, "uniform legal decisions")
register("heuristic", _heuristic, "the game's own rules of thumb", usage="heuristic[:NAME]")
register(
    "ppo",
    _ppo,
    "a bot trained by self-play, from a checkpoint folder",
    usage="ppo:PATH[?temperature=T]",
)
register(
    "ismcts",
    _ismcts,
    "tree search over what the seat knows, N positions or so many ms a decision",
    usage="ismcts:BUDGET[?rollout=R&exploration=C]",
)
register("cmd", _cmd, "an engine process of your own, see docs/engine.md", usage="cmd:COMMAND")
register("http", _web("http"), "a stateless bot endpoint", usage="http://HOST:PORT/PATH")
register("https", _web("https"), "the same, encrypted", usage="https://HOST/PATH")
