"""Nothing that a seat is ever given leads back to the chance or to the players' secret.

Each interface by which agents are asked is used once with a spy in every seat; all numbers that the
spies were given are attacked with what inverts the mixing of seeds. The finaliser of splitmix64 is
a bijection, and anybody can compute its inverse: a number that comes out of
:func:`gangland.envs.core.rng.mix` or :func:`gangland.envs.core.rng.stream` is as good as the number
that went in.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from gangland.agents.base import Agent
from gangland.agents.decision import Decision
from gangland.agents.outside.remote import HttpAgent, commands_for
from gangland.agents.seat_env import SeatEnv
from gangland.agents.seeds import players_key
from gangland.arena import play_games, table_schedule
from gangland.commands.shared.session import Session
from gangland.envs import load
from gangland.envs.core.rng import GAMMA, mix, stream
from gangland.serving.bots.bot import Bot
from gangland.serving.doors.engine import Engine
from gangland.serving.doors.mcp import Table
from gangland.serving.matches.match import Match
from gangland.serving.storage.journal import Entry, SeatSetup, Setup
from gangland.training.measure.evaluation import play_match
from tests.games import GAMES

# --- the attack -----------------------------------------------------------------------------------

Numbers = NDArray[np.uint64]

STEPS = 2**20
"""Draws forward or back within which a position of the chance counts as found."""
PLIES_AND_SEATS = 64 * 64
"""Numbers of streams tried first: decisions times seats, as a decision's seed may number them."""
SMALL = 16
"""Numbers of streams tried after that: tables, games, players, episodes."""

_GAMMA_INVERSE = np.uint64(pow(int(GAMMA), -1, 2**64))


def undo_xorshift(values: Numbers, shift: int) -> Numbers:
    """The values of which ``z ^ (z >> shift)`` was taken."""
    found = values.copy()
    for _ in range(64 // shift):
        found = values ^ (found >> np.uint64(shift))
    return found


def undo_mix(values: Numbers) -> Numbers:
    """The values that ``mix`` scrambled."""
    z = undo_xorshift(values, 31) * np.uint64(pow(0x94D049BB133111EB, -1, 2**64))
    z = undo_xorshift(z, 27) * np.uint64(pow(0xBF58476D1CE4E5B9, -1, 2**64))
    return undo_xorshift(z, 30)


def undo_stream(values: Numbers, numbers: int) -> Numbers:
    """The seeds whose streams of the numbers ``0 .. numbers - 1`` start with these values."""
    steps = np.arange(numbers, dtype=np.uint64) * GAMMA
    return undo_mix((undo_mix(values)[:, None] - steps).ravel()) - GAMMA


def guesses(values: Numbers) -> Iterable[Numbers]:
    """All numbers that may have led to these, and the numbers themselves."""
    yield values
    yield undo_mix(values)
    first = undo_stream(values, PLIES_AND_SEATS)
    yield first
    second = undo_stream(first, SMALL)
    yield second
    yield undo_stream(second, 4)


def found_by_attack(
    given: Iterable[int], chance: Iterable[int], secrets: Mapping[str, Iterable[int]]
) -> set[str]:
    """What of the secrets the given numbers lead to.

    Args:
        given: Decision seeds and other 64-bit numbers that a seat was shown, few of them: every
            two are also combined.
        chance: Positions of the chance, ``state.rng``; found are also those a few draws away.
        secrets: By name, other numbers that must not be found: seeds, words of keys.

    Returns:
        Names of what was found; ``chance`` among them.
    """
    single = np.unique(np.array([int(number) for number in given], np.uint64))
    a, b = np.array(list(combinations(single, 2)), np.uint64).reshape(-1, 2).T
    pairs = np.concatenate([a ^ b, a - b, b - a])
    values = np.concatenate([single, pairs])
    found = set()
    with np.errstate(over="ignore"):
        for part in np.array_split(values, max(1, len(values) // 8)):
            for candidates in guesses(part):
                for rng in chance:
                    steps = (candidates - np.uint64(rng)) * _GAMMA_INVERSE
                    if (steps + np.uint64(STEPS) < np.uint64(2 * STEPS)).any():
                        found.add("chance")
                for name, numbers in secrets.items():
                    if np.isin(candidates, np.array(list(numbers), np.uint64)).any():
                        found.add(name)
    return found


# --- every interface ------------------------------------------------------------------------------

SEED = 0x5DEECE66D1CE4E5B
"""A full 64-bit seed, as those are that nobody chose."""
NUMBER = re.compile(r"0x[0-9a-f]+|[0-9]+")
ENOUGH = 3
"""Decisions that are attacked: with their combinations, some millions of candidates."""


@dataclass
class Interface:
    """What came through one of the ways by which agents are asked.

    Attributes:
        seeds: Seeds of decisions, in order.
        numbers: Other 64-bit numbers that were readable: all windows of eight bytes of records.
        chance: Positions of the chance of the games played.
        secrets: Other numbers that must stay secret.
    """

    seeds: list = field(default_factory=list)
    numbers: list = field(default_factory=list)
    chance: list = field(default_factory=list)
    secrets: dict = field(default_factory=dict)

    def found(self):
        """What an attack finds."""
        assert len(set(self.seeds)) >= ENOUGH
        plain = np.array(self.numbers, np.uint64)
        for rng in self.chance:
            assert int(rng) not in plain
            assert int(rng) not in undo_mix(plain)
        chosen = list(dict.fromkeys(self.seeds))[:ENOUGH]
        return found_by_attack(chosen, self.chance, self.secrets)


class Spy(Agent):
    """Plays the first legal action and notes what it is given.

    Args:
        interface: Where it is noted.
    """

    spec = "spy"

    def __init__(self, interface):
        self.interface = interface

    def decide(self, view):
        self.interface.seeds.append(int(view.seed))
        if len(self.interface.numbers) < 100_000:
            raw = view.known.tobytes()
            self.interface.numbers += [
                int.from_bytes(raw[k : k + 8], "little") for k in range(len(raw) - 7)
            ]
        return Decision(view.legal_actions[0])


def arena():
    interface, game = Interface(), load("chicago")
    spy = Spy(interface)
    schedule = table_schedule([0] * 5, game.seat_roles(game.options.resolve({})), 1)
    games = play_games(game, game.options.resolve({}), [spy], schedule, seed=SEED, replays=True)
    interface.chance = [game.new_state(replay.seed).rng for replay in games.replays]
    keys = np.concatenate([players_key(SEED, number) for number in range(len(games))])
    interface.secrets = {
        "run": [SEED],
        "games": [replay.seed for replay in games.replays],
        "players": keys,
    }
    return interface


def short_matches():
    interface, game = Interface(), load("chicago")
    play_match(game, [{}], [Spy(interface)], Spy(interface), 2, SEED)
    kind = int(stream(np.uint64(SEED), np.uint64(0)))
    deals = stream(np.uint64(kind), np.uint64(1))
    seed = int(stream(np.uint64(stream(np.uint64(deals), np.uint64(0))), np.uint64(0)))
    interface.chance = [game.new_state(seed).rng]
    interface.secrets = {
        "run": [SEED, kind, int(deals)],
        "games": [seed],
        "players": np.concatenate([players_key(kind, number) for number in range(2)]),
    }
    return interface


def match_of(name, seed):
    game = load(name)
    options = game.options.resolve({})
    seats = (SeatSetup("bot", bot="random"),) * game.num_players(options)
    setup = Setup(
        "m", name, game.rules_version, options, seed, seats, None, "random", True, True, "now"
    )
    return Match(setup)


def served_match(name="chicago"):
    interface = Interface()
    match, spy = match_of(name, SEED), Spy(interface)
    interface.chance = [match.state.rng]
    while len(interface.seeds) < ENOUGH + 2 and match.status == "playing":
        seat = match.to_act
        match.apply(Entry("play", seat, spy.decide(match.bot_view()).action, "bot"))
    interface.secrets = {"match": [SEED], "players": players_key(SEED)}
    return interface


def language_model():
    interface, game = Interface(), load("chicago")
    bot = Bot(game, "spy", Spy(interface))
    table = Table("t", game, 0, dict.fromkeys(range(1, 5), bot), SEED, {})
    for _ in range(3):
        table.act(str(game.legal_actions(table._state)[0]))
    interface.chance, interface.secrets = [table._state.rng], {"game": [SEED]}
    interface.secrets["players"] = players_key(SEED)
    return interface


def engine():
    interface, game = Interface(), load("chicago")
    talk = Engine(game, "random", lambda line: None)
    talk.agent = Spy(interface)
    actions, state = [], game.new_state(SEED)
    talk.command(f"newgame seed {SEED}")
    for _ in range(ENOUGH):
        talk.command("go")
        actions.append(game.legal_actions(state)[0])
        game.apply(state, actions[-1])
        talk.command("position actions " + " ".join(map(str, actions)))
    interface.chance, interface.secrets = [game.new_state(SEED).rng], {"game": [SEED]}
    interface.secrets["players"] = players_key(SEED)
    return interface


def terminal():
    interface, game = Interface(), load("chicago")
    session = Session(game, None, [Spy(interface)] * 5, SEED)
    interface.chance, interface.secrets = [session.recorder.state.rng], {"game": [SEED]}
    interface.secrets["players"] = players_key(SEED)
    session.run()
    return interface


def gymnasium_seat():
    interface = Interface()
    env = SeatEnv("chicago", opponents="random")
    env._bots = [Spy(interface)] * 4
    env.reset(seed=7)
    interface.chance = [env._env.record.rng]
    for _ in range(3):
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    interface.secrets = {"players": env._players_key}
    return interface


def training():
    """An opponent of the league in self-play, whose seeds a worker draws."""
    pytest.importorskip("sb3_contrib")
    from stable_baselines3.common.logger import Logger

    from gangland.training.config import parse
    from gangland.training.selfplay import make_trainer

    small = {"shared": [8], "policy": [8], "value": [8]}
    config = parse(
        {
            "game": "chicago",
            "seed": SEED % 2**32,
            "steps": 64,
            "threads": 1,
            "network": small,
            "ppo": {"tables": 2, "steps": 16, "batch_size": 16},
            "league": {"baselines": ["random"], "share": 1.0},
        }
    )
    trainer = make_trainer(config, "cpu")
    trainer.set_logger(Logger(None, []))
    collector, interface = trainer.collector, Interface()
    (worker,) = collector.workers
    collector._begin()
    collector.bots[1] = Spy(interface)
    before = copy.deepcopy(worker.rng.bit_generator)
    interface.chance = worker.group.states["rng"].tolist()
    collector.collect(0.0)
    collector.close()
    run = np.uint64(config.seed)
    interface.secrets = {
        "run": [config.seed],
        "tables": [int(stream(run, np.uint64(1000)))],
        "worker": [int(stream(run, np.uint64(2000)))],
        "drawn": before.random_raw(1000).tolist(),
        "players": worker._players_key,
    }
    return interface


INTERFACES = [
    arena,
    short_matches,
    served_match,
    language_model,
    engine,
    terminal,
    gymnasium_seat,
    training,
]


@pytest.mark.parametrize("interface", INTERFACES, ids=lambda interface: interface.__name__)
def test_what_agents_are_given_does_not_lead_to_the_chance(interface, capsys):
    assert interface().found() == set()


@pytest.mark.parametrize("name", GAMES)
def test_what_a_view_holds_does_not_lead_to_the_chance(name):
    assert served_match(name).found() == set()


def test_what_is_sent_to_bots_elsewhere_does_not_lead_to_the_chance(monkeypatch):
    """Every number in the lines to an engine and in the request to a web address."""
    match, sent = match_of("chicago", SEED), []
    bot = HttpAgent(match.game, "http://127.0.0.1:9/bot")

    def post(url, json):
        sent.append(json)
        return SimpleNamespace(status_code=200, json=lambda: {"action": view.legal_actions[0]})

    monkeypatch.setattr(bot._client, "post", post)
    words = []
    for _ in range(ENOUGH):
        view = match.bot_view()
        action = bot.decide(view).action
        words += [*commands_for(view, ()), json.dumps(sent[-1])]
        match.apply(Entry("play", match.to_act, action, "bot"))
    found = {
        int(number, 16 if "x" in number else 10)
        for line in words
        for number in NUMBER.findall(line)
    }
    small = [number for number in found if number < 2**32]
    large = sorted(found - set(small))
    assert len(large) == ENOUGH, "the seeds, each sent both ways"
    chance, secrets = [match.state.rng], {"match": [SEED], "players": players_key(SEED)}
    assert found_by_attack(large, chance, secrets) == set()
    assert found.isdisjoint({int(match.state.rng), SEED, *secrets["players"].tolist()})


def test_the_attack_finds_what_the_bare_mixing_of_seeds_gave_away():
    """As seeds were made before: streams of streams of the game's seed, or differences of them."""
    rng = SEED
    players = stream(np.uint64(rng), np.uint64(2))
    seeds = [int(stream(players, np.uint64(64 * ply + 3))) for ply in range(2)]
    assert found_by_attack(seeds[:1], [rng], {"players": [int(players)]}) == {"chance", "players"}
    hidden = [int(np.uint64(0x1234567890ABCDEF) ^ np.uint64(seeds[0])), 0x1234567890ABCDEF]
    assert "chance" in found_by_attack(hidden, [rng], {})
    values = np.array([rng, 1, 2**63], np.uint64)
    assert (undo_mix(np.array([mix(v) for v in values], np.uint64)) == values).all()
    assert np.uint64(rng) in undo_stream(np.array([players], np.uint64), 3)
