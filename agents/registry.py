"""Agent specs: short texts that name an agent, such as ``heuristic`` or ``ppo:runs/chicago``.

Another distribution adds a kind of agent by an entry point ``prefix = "module:name"`` in the group
``gangland.agents``. It names a factory, an ``Agent`` class for example, which is called with the
text after the colon and the game; lists show the first line of its documentation. Or it names an
:class:`AgentKind`, which gives more information.

>>> from gangland.envs import load
>>> make("random", load("chicago"))
<RandomAgent random>
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.integers import shown
from ..envs.plugins import AGENTS, Plugin, PluginError, plugins, warn
from .base import Agent

Factory: TypeAlias = Callable[[str, Game], Agent]
"""Makes an agent from the text after the colon (empty if there is none) and the game."""


class UnknownAgentError(GanglandError, ValueError):
    """No agent has this spec."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known about an agent before it is made, which may take minutes of compiling.

    Attributes:
        probabilities: Whether it gives the probabilities of its actions.
        observations: Whether it can decide from an observation, a mask and a role alone.
    """

    probabilities: bool = False
    observations: bool = False


def no_traits(argument: str, game: Game) -> Traits:
    """The traits of an agent about which nothing is known."""
    return Traits()


@dataclass(frozen=True, slots=True)
class AgentKind:
    """One kind of agent.

    Attributes:
        prefix: The word before the colon of its specs.
        usage: How its spec is written, such as ``hold[:POINTS]``.
        doc: What it is, in one line.
        factory: Makes it.
        games: Names of the games for which the prefix alone is a spec to offer; ``None`` for all.
        traits: Returns what is known about an agent of this kind, given the text after the colon
            and the game.
    """

    prefix: str
    usage: str
    doc: str
    factory: Factory
    games: Collection[str] | None = ()
    traits: Callable[[str, Game], Traits] = no_traits

    def stands_alone(self, game: Game) -> bool:
        """Whether the prefix alone is a spec to offer for a game."""
        return self.games is None or game.name in self.games


POLICY = "ppo"
"""Prefix of trained policies."""

LEVEL = "bot"
"""Prefix of the levels of a game's bot."""

BOT_FILE, SUFFIX = "py", ".py"
"""Prefix of bots in a Python file, which the file's name stands for alone."""

KINDS: dict[str, AgentKind] = {}
"""Our own kinds and those of this process by prefix, in order of registration; see :func:`kinds`.
"""


def register(
    prefix: str,
    factory: Factory,
    doc: str,
    *,
    usage: str | None = None,
    games: Collection[str] | None = (),
    traits: Callable[[str, Game], Traits] = no_traits,
) -> None:
    """Add a kind of agent, for this process.

    Args:
        prefix: The word before the colon of its specs.
        factory: Called with the text after the colon and the game.
        doc: One line for ``gangland agents``.
        usage: How its spec is written; ``prefix`` by default.
        games: Names of the games for which the prefix alone is a spec to offer; ``None`` for all.
        traits: Returns what is known about an agent before it is made; see :class:`AgentKind`.

    Raises:
        ValueError: If the prefix is taken or no plain word.
    """
    if not _is_prefix(prefix):
        raise ValueError(f"prefix {prefix!r}: must be a word without colon, comma or space")
    if prefix in KINDS:
        raise ValueError(f"prefix {prefix!r} is taken: {KINDS[prefix].doc}")
    KINDS[prefix] = AgentKind(prefix, usage or prefix, doc, factory, games, traits)


def _is_prefix(word: str) -> bool:
    return bool(word) and not set(word) & set(":, \t")


def kinds() -> dict[str, AgentKind]:
    """All kinds by prefix: our own, then those of other distributions.

    One of another distribution that cannot be loaded is left out, with a warning that names it.
    """
    foreign = _foreign()
    for prefix, found in list(foreign.items()):
        if isinstance(found, Plugin):
            try:
                _loaded(prefix)
            except PluginError as error:
                del foreign[prefix]
                warn(error)
    loaded = {k: kind for k, kind in foreign.items() if isinstance(kind, AgentKind)}
    return KINDS | {prefix: kind for prefix, kind in loaded.items() if prefix not in KINDS}


@cache
def _foreign() -> dict[str, Plugin | AgentKind]:
    """Kinds of other distributions by prefix, loaded or not."""
    found: dict[str, Plugin | AgentKind] = {}
    for prefix, plugin in plugins(AGENTS, KINDS).items():
        if _is_prefix(prefix):
            found[prefix] = plugin
        else:
            warn(plugin.refusal(f"{prefix!r} is no word without colon, comma or space"))
    return found


def _loaded(prefix: str) -> AgentKind:
    """A kind of another distribution.

    Raises:
        PluginError: If it cannot be loaded.
    """
    found = _foreign()[prefix]
    if isinstance(found, Plugin):
        found = _foreign()[prefix] = _kind_of(found)
    return found


def _kind_of(plugin: Plugin) -> AgentKind:
    named: Any = plugin.load()
    if isinstance(named, AgentKind):
        if named.prefix != plugin.name:
            raise plugin.refusal(f"its prefix is {named.prefix!r}, must be {plugin.name!r}")
        return replace(named, doc=f"{named.doc} ({plugin.source})")
    if not callable(named):
        raise plugin.refusal(f"{named!r} is neither an AgentKind nor a factory of agents")
    lines = (named.__doc__ or "").strip().splitlines() or ["no documentation"]
    doc = f"{lines[0].rstrip('.')} ({plugin.source})"
    return AgentKind(plugin.name, plugin.name, doc, named, None)


def divided(spec: str) -> tuple[str, str]:
    """The prefix of a spec, and the text after the colon."""
    prefix, colon, argument = spec.strip().partition(":")
    return (prefix, argument) if colon or not prefix.endswith(SUFFIX) else (BOT_FILE, prefix)


def _parse(spec: str) -> tuple[AgentKind, str]:
    """The kind of a spec, and the text after the colon.

    Raises:
        UnknownAgentError: Naming the specs there are.
        PluginError: If the kind is another distribution's and cannot be loaded.
    """
    prefix, argument = divided(spec)
    if prefix in KINDS:
        return KINDS[prefix], argument
    if prefix in _foreign():
        return _loaded(prefix), argument
    if len(spec) < 200 and Path(f"{spec}{SUFFIX}").is_file():
        raise UnknownAgentError(f"no agent {spec!r}: is {spec}{SUFFIX} meant?")
    known = ", ".join(kind.usage for kind in kinds().values())
    raise UnknownAgentError(f"no agent {spec!r}: must be one of {known}")


def make(spec: str, game: Game) -> Agent:
    """The agent of this spec for this game.

    A spec can start programs, call addresses and read folders, so it has to be the words of the
    person who runs the program. Specs from files and requests go to :func:`make_built_in`.

    Raises:
        UnknownAgentError: Naming the specs there are.
        GanglandError: If the agent does not fit the game or cannot be loaded.
    """
    if not isinstance(spec, str):
        raise UnknownAgentError(f"{shown(spec)}: must be an agent's spec, such as heuristic")
    spec = spec.strip()
    kind, argument = _parse(spec)
    agent: Any = kind.factory(argument, game)
    if not isinstance(agent, Agent):
        raise GanglandError(f"{spec}: its factory made {agent!r}, must be an Agent")
    agent.spec = agent.spec or spec
    return agent


def make_all(agents: Sequence[Agent | str], game: Game) -> list[Agent]:
    """The agents of these specs, each made once; agents stand for themselves.

    Raises:
        TypeError: For what is neither.
        UnknownAgentError: Naming the specs there are.
        GanglandError: If an agent does not fit the game or cannot be loaded.
    """
    made: dict[str, Agent] = {}
    found: list[Agent] = []
    for agent in agents:
        if isinstance(agent, Agent):
            plays = getattr(agent, "game", game)
            if isinstance(plays, Game) and plays.name != game.name:
                raise GanglandError(f"{agent.spec}: is an agent for {plays.name}, not {game.name}")
            found.append(agent)
        elif isinstance(agent, str):
            if agent not in made:
                made[agent] = make(agent, game)
            found.append(made[agent])
        else:
            raise TypeError(f"{agent!r} ({type(agent).__name__}): must be an Agent or a spec")
    return found


def traits(spec: str, game: Game) -> Traits:
    """What is known of the agent of a spec without making it.

    Raises:
        UnknownAgentError: Naming the specs there are.
        GanglandError: If it cannot be found out.
    """
    kind, argument = _parse(spec.strip())
    return kind.traits(argument, game)


def make_built_in(spec: str, game: Game) -> Agent:
    """The agent of a spec that somebody else wrote: in a checkpoint, for example.

    It can only be ``random`` or one of the game's own heuristics. No factory of :func:`kinds` is
    asked, so that no spec leads further: to another file, to another distribution's code, or back
    to the one that it stands in.

    Raises:
        UnknownAgentError: Naming the specs there are.
    """
    from .baseline.heuristic import make_heuristic, specs_of
    from .baseline.random import RandomAgent

    known = ["random", *specs_of(game)]
    if spec not in known:
        raise UnknownAgentError(
            f"no agent {spec[:60]!r} for a file to name: must be one of {', '.join(known)}"
        )
    return RandomAgent(game) if spec == "random" else make_heuristic(spec, game)


def specs(game: Game) -> dict[str, str]:
    """Specs that can be used as they stand, with a line about each.

    Levels of the game's bot, then baselines, then kinds that need no more than their prefix, then
    shipped bots.
    """
    from .baseline.heuristic import spec_of, variants
    from .shipped import cards, levels

    found = {spec: level.doc for spec, level in levels(game).items()}
    found["random"] = KINDS["random"].doc
    found |= {spec_of(name): doc for name, doc in variants(game).items()}
    for prefix, kind in kinds().items():
        if kind.stands_alone(game):
            found[prefix] = kind.doc
    return found | cards(game)


def strongest(game: Game) -> str:
    """Spec of the best agent at hand: the game's bot, else the heuristic, else random."""
    from .baseline.heuristic import has_heuristic

    bots = shipped(game.name)
    if bots:
        return policy_spec(bots[-1])
    return "heuristic" if has_heuristic(game) else "random"


def policy_spec(path: str | Path, temperature: float | None = None) -> str:
    """Spec of a trained policy.

    Args:
        path: The name of a shipped bot as text, or a checkpoint's folder as path.
        temperature: How it plays; ``None`` as it does unless it is asked to play otherwise.

    Raises:
        UnknownAgentError: If no spec can name the folder: commas separate specs on the command
            line, question marks begin their settings, and what does not print is not pasted.
    """
    from .trained.policy import is_shipped

    name = str(path)
    if name != name.strip() or set(name) & {",", "?"} or not name.isprintable():
        raise UnknownAgentError(
            f"{name!r} cannot be played as an agent: a folder's name must have no comma, question "
            "mark, control character or space at its ends"
        )
    if isinstance(path, Path) and is_shipped(name):
        name = f"./{name}"
    asked = "" if temperature is None else f"?temperature={temperature:g}"
    return f"{POLICY}:{name}{asked}"


def shipped(game: str) -> list[str]:
    """Trained bots of a game that come with the project, as ``<game>/<bot>``, the best one last."""
    from .trained.policy import shipped_bots

    return [name for name in shipped_bots() if name.split("/")[0] == game]


def _random(argument: str, game: Game) -> Agent:
    from .baseline.random import RandomAgent

    if argument:
        raise UnknownAgentError(f"random:{argument}: random takes nothing after a colon")
    return RandomAgent(game)


def _heuristic(argument: str, game: Game) -> Agent:
    from .baseline.heuristic import HeuristicAgent

    return HeuristicAgent(game, argument)


def _ppo(argument: str, game: Game) -> Agent:
    from .trained.policy import PolicyAgent

    path, temperature = _policy_argument(argument)
    return PolicyAgent(game, path, temperature=temperature)


def _ppo_traits(argument: str, game: Game) -> Traits:
    from .trained.policy import load_checkpoint

    load_checkpoint(_policy_argument(argument)[0])
    return Traits(probabilities=True, observations=True)


def _policy_argument(argument: str) -> tuple[str, float | None]:
    """Split the argument of ``ppo:`` into a path and a temperature, ``None`` if it has none."""
    path, _, query = argument.partition("?")
    if not path:
        raise UnknownAgentError("ppo: needs a checkpoint folder or a shipped bot, as ppo:PATH")
    return path, _temperature(query) if query else None


def _bot(argument: str, game: Game) -> Agent:
    from .shipped import level

    agent = make(level(argument, game).stands_for, game)
    agent.spec = f"{LEVEL}:{argument}"
    return agent


def _bot_traits(argument: str, game: Game) -> Traits:
    from .shipped import level

    return traits(level(argument, game).stands_for, game)


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
    from .search.ismcts import TreeSearchAgent

    return TreeSearchAgent(game, argument)


def _search(argument: str, game: Game) -> Agent:
    from .search.policy_search import PolicySearchAgent

    return PolicySearchAgent(game, argument)


def _cmd(argument: str, game: Game) -> Agent:
    from .outside.remote import EngineAgent

    return EngineAgent(game, argument.strip())


def _web(scheme: str) -> Factory:
    def factory(argument: str, game: Game) -> Agent:
        from .outside.remote import HttpAgent

        return HttpAgent(game, f"{scheme}:{argument}")

    return factory


def _bot_file(argument: str, game: Game) -> Agent:
    from .outside.bot_file import FileAgent

    return FileAgent(game, argument.strip())


def _llm(argument: str, game: Game) -> Agent:
    from .outside.llm import LlmAgent

    return LlmAgent(game, argument)


register(
    "random",
    _random,
    "uniform legal decisions",
    traits=lambda argument, game: Traits(probabilities=True, observations=True),
)
register("heuristic", _heuristic, "a hand-written strategy of the game", usage="heuristic[:NAME]")
register(
    POLICY,
    _ppo,
    "a trained policy, from a checkpoint folder",
    usage=f"{POLICY}:PATH[?temperature=T]",
    traits=_ppo_traits,
)
register(
    "ismcts",
    _ismcts,
    "tree search over what the seat knows, with a budget of iterations or time per decision",
    usage="ismcts:BUDGET[?rollout=R&exploration=C]",
    traits=lambda argument, game: Traits(probabilities=True),
)
register(
    "search",
    _search,
    "search over a trained policy, with a budget of positions or time per decision",
    usage="search:PATH[?BUDGET&actions=N&depth=N&scale=X&temperature=T]",
    traits=lambda argument, game: Traits(probabilities=True),
)
register(
    LEVEL,
    _bot,
    "a level of the game's bot: easy, medium, hard, and strong where a search is known to win more",
    usage=f"{LEVEL}:LEVEL",
    traits=_bot_traits,
)
register(
    BOT_FILE,
    _bot_file,
    "your own bot, a Python file with a function act(view)",
    usage="FILE.py",
)
register("cmd", _cmd, "your own engine process, see docs/engine.md", usage="cmd:COMMAND")
register("http", _web("http"), "a stateless bot endpoint", usage="http://HOST:PORT/PATH")
register("https", _web("https"), "the same, encrypted", usage="https://HOST/PATH")
register(
    "llm",
    _llm,
    "a language model behind an OpenAI-compatible address",
    usage="llm:URL?model=NAME[&SETTING=VALUE]",
)
