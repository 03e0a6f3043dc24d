"""Every game as an OpenSpiel game: ``pyspiel.load_game("gangland_chicago(players=3)")``.

Importing this module registers ``gangland_<game>`` for each game but Kuhn and Leduc poker, with the
game's options as parameters.

Chance is explicit. Before a decision that draws from the game's generator there are chance nodes
of 256 equally likely outcomes each, two for a decision and four for the deal; their numbers are
the seed from which the generator goes on. So a history says all that happened, states can be
copied and serialised, and no search can foretell the dice from a copy. With the parameter ``seed``
there are no chance nodes, and the same decisions give the same game as ``Game.new_state(seed)``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs import game_names, load
from ..envs.core.errors import MissingDependencyError
from ..envs.core.game import Game
from ..envs.core.options import OptionValue
from ..envs.core.rng import draw_seed, stream
from ..envs.core.state import NO_SEAT, State

try:
    import pyspiel
except ImportError as error:
    raise MissingDependencyError(
        "gangland.adapters.openspiel needs OpenSpiel: pip install 'gangland[openspiel]'"
    ) from error

PREFIX = "gangland_"
OUTCOMES = 256
"""Outcomes of each chance node."""
DEAL_NODES = 4
"""Chance nodes before the first decision."""
DECISION_NODES = 2
"""Chance nodes of a decision that draws from the game's generator."""
LONGEST = 100_000
"""Most decisions of a game; the games' own caps end them before."""
DIGEST_BYTES = 16


_EQUALLY_LIKELY = [(outcome, 1.0 / OUTCOMES) for outcome in range(OUTCOMES)]


class _Position:
    """The record of a state; a copy is one of its bytes."""

    def __init__(self, game: Game, record: State | None) -> None:
        self.game = game
        self.record = record

    def __deepcopy__(self, memo: dict[int, Any]) -> _Position:
        return _Position(self.game, None if self.record is None else self.game.clone(self.record))


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its options chosen, as OpenSpiel's ``Game``."""

    rules: Game
    """Set by the subclass that is registered for each game."""
    spiel_type: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        seed = int(given.get("seed", -1))
        self.seed = None if seed < 0 else seed
        options = {
            name: _option(self.rules, name, value)
            for name, value in given.items()
            if name != "seed"
        }
        self.options: dict[str, OptionValue] = self.rules.options.resolve(options)
        self.seats = self.rules.num_players(self.options)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.num_actions,
            max_chance_outcomes=OUTCOMES,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(self.spiel_type, info, given)

    def new_initial_state(self, *_: Any) -> SpielState:
        """The deal's first chance node or, with a seed, the first decision."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        """What a player sees; see :class:`Observer`.

        Raises:
            ValueError: If parameters are given, or only public or everybody's knowledge is wanted.
        """
        if params:
            raise ValueError(f"observers of gangland's games take no parameters: {params}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not wanted.public_info or wanted.private_info != single:
            raise ValueError("gangland's games show what one player knows, public and private")
        return Observer(self, bool(wanted.perfect_recall))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position, or a chance node between two.

    Attributes:
        record: The state record, live; ``None`` before the deal.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._options = game.options
        self._seats = game.seats
        self._position = _Position(game.rules, None)
        # Chance nodes that are left, the numbers drawn, and the decision that waits for them.
        self._left = DEAL_NODES
        self._drawn: tuple[int, ...] = ()
        self._waiting: int | None = None
        self._salt = 0
        # Read once a position: reading a record's field is slow.
        self._mover = NO_SEAT
        self._knowledge = _Knowledge((b"",) * game.seats, (b"",) * game.seats)
        if game.seed is not None:
            self._seeded = True
            self._left = 0
            self._deal(game.seed)
        else:
            self._seeded = False

    @property
    def record(self) -> State | None:
        """The state record, live; ``None`` before the deal."""
        return self._position.record

    def current_player(self) -> int:
        """The deciding seat, or OpenSpiel's number for chance or the end."""
        if self._left:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self._mover == NO_SEAT else self._mover

    def _legal_actions(self, player: int) -> list[int]:
        if self._left or player != self._mover:
            return []
        return self._rules.legal_actions(self._known())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All outcomes, equally likely."""
        return _EQUALLY_LIKELY

    def _apply_action(self, action: int) -> None:
        if self._left:
            self._left -= 1
            self._drawn = (*self._drawn, action)
            if not self._left:
                self._draw()
            return
        record, player = self._known(), self._mover
        after = self._rules.clone(record)
        self._rules.apply(after, action)
        self._salt = _mixed(self._salt, action)
        self._knowledge = self._knowledge.acted(player, action)
        if self._seeded or after.rng == record.rng:
            self._enter(after)
        else:
            self._left, self._waiting = DECISION_NODES, action

    def _draw(self) -> None:
        """Go on from the numbers that the chance nodes gave."""
        number = int.from_bytes(bytes(self._drawn), "big")
        self._drawn = ()
        self._salt = _mixed(self._salt, number)
        if self._waiting is None:
            self._deal(self._salt)
            return
        after = self._rules.clone(self._known())
        after.rng = np.uint64(self._salt)
        self._rules.apply(after, self._waiting)
        self._waiting = None
        self._enter(after)

    def _deal(self, seed: int) -> None:
        self._enter(self._rules.new_state(seed, **self._options))

    def _enter(self, record: State) -> None:
        self._position.record = record
        self._mover = self._rules.seat_to_act(record)
        self._knowledge = self._knowledge.seen(self._rules, record, self._mover)

    def _known(self) -> State:
        assert self._position.record is not None
        return self._position.record

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return self._rules.action_text(self._known(), action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._mover == NO_SEAT and not self._left

    def returns(self) -> list[float]:
        """Winners share 1, the others share -1; zeros before the end and without a result."""
        if not self.is_terminal() or self._rules.is_truncated(self._known()):
            return [0.0] * self._seats
        return list(self._rules.result(self._known()).rewards)

    def sees(self, player: int) -> NDArray[np.float32]:
        """The observation of a player: float32 ``(observation_size,)``, zeros before the deal."""
        if self._position.record is None:
            return np.zeros(self._rules.observation_size, np.float32)
        return self._rules.observe(self._position.record, player)

    def knows(self, player: int, recall: bool) -> str:
        """A digest of what a player sees or, with ``recall``, of all that it saw and did."""
        knowledge = self._knowledge
        return (knowledge.chains if recall else knowledge.last)[player].hex()

    def sample(self, player: int, seed: int) -> SpielState:
        """A state that ``player`` cannot distinguish from this one, with chance of its own.

        Raises:
            ValueError: At a chance node: the draw is under way.
        """
        if self._left:
            raise ValueError("a chance node: only positions in which somebody decides are sampled")
        other: SpielState = self.clone()
        other._position.record = self._rules.resample_hidden(self._known(), player, seed)
        other._salt = seed
        fresh = _Knowledge((b"",) * self._seats, (b"",) * self._seats)
        other._knowledge = fresh.seen(self._rules, other._known(), self._mover).remembering(
            player, self._knowledge
        )
        return other

    def __str__(self) -> str:
        if self._position.record is None:
            return f"deal {list(self._drawn)}"
        text = self._rules.position_text(self._position.record)
        return text if self._waiting is None else f"{text} {self._waiting} {list(self._drawn)}"


class _Knowledge:
    """Digests of what each player sees, and of all that it saw and did; never changed in place.

    Only what changes is added to a chain, so that its length reveals no decisions that a
    player may not know of.
    """

    def __init__(self, last: tuple[bytes, ...], chains: tuple[bytes, ...]) -> None:
        self.last = last
        self.chains = chains

    def __deepcopy__(self, memo: dict[int, Any]) -> _Knowledge:
        return self

    def acted(self, player: int, action: int) -> _Knowledge:
        """After a player's own action."""
        chains = list(self.chains)
        chains[player] = _digest(chains[player], action.to_bytes(8, "little"))
        return _Knowledge(self.last, tuple(chains))

    def seen(self, game: Game, record: State, mover: int) -> _Knowledge:
        """After a new position."""
        last, chains = list(self.last), list(self.chains)
        for seat in range(len(last)):
            parts = [game.observe(record, seat).tobytes()]
            if mover == seat:
                parts.append(game.action_mask(record).tobytes())
            now = _digest(*parts)
            if now != last[seat]:
                last[seat], chains[seat] = now, _digest(chains[seat], now)
        return _Knowledge(tuple(last), tuple(chains))

    def remembering(self, player: int, other: _Knowledge) -> _Knowledge:
        """With the memory that one player has in another state."""
        chains = list(self.chains)
        chains[player] = other.chains[player]
        return _Knowledge(self.last, tuple(chains))


class Observer:
    """What a player knows, in OpenSpiel's form.

    Strings are digests: equal exactly if the players cannot distinguish the states, by all that
    they saw and did (``perfect_recall``) or by what they see now. Tensors hold the player's number
    and the observation, with or without perfect recall.

    Attributes:
        tensor: Float32 ``(players + observation_size,)``.
        dict: Views of it: ``player`` (one-hot) and ``observation``.
    """

    def __init__(self, game: SpielGame, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self._name = game.rules.name
        self.tensor = np.zeros(game.seats + game.rules.observation_size, np.float32)
        self.dict = {
            "player": self.tensor[: game.seats],
            "observation": self.tensor[game.seats :],
        }

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        self.dict["player"][:] = 0.0
        self.dict["player"][player] = 1.0
        self.dict["observation"][:] = state.sees(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The digest of what a player knows."""
        return f"{self._name} {player} {state.knows(player, self._perfect_recall)}"


def resample(state: SpielState, player: int, *_: Any) -> SpielState:
    """For ``set_resampler`` of OpenSpiel's ISMCTS bots: a state that ``player`` may be in."""
    return state.sample(player, draw_seed())


def register_games(names: Sequence[str] | None = None) -> list[str]:
    """Register games with OpenSpiel, if they are not; returns the names that it knows them by.

    Args:
        names: Names of games; by default all registered ones.
    """
    known = set(pyspiel.registered_names())
    found = []
    for name in game_names() if names is None else names:
        if PREFIX + name not in known:
            game = load(name)
            kind, spiel_type = f"{type(game).__name__}SpielGame", _type_of(game)
            made = type(kind, (SpielGame,), {"rules": game, "spiel_type": spiel_type})
            pyspiel.register_game(spiel_type, made)
        found.append(PREFIX + name)
    return found


def _type_of(game: Game) -> Any:
    defaults = game.options.resolve({})
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**defaults, "seed": -1},
    )


def _option(game: Game, name: str, value: Any) -> OptionValue:
    """A value as the game takes it: a number that OpenSpiel had to take as text is one again."""
    default = game.options.resolve({}).get(name)
    if isinstance(default, str) and isinstance(value, str) and value.isdecimal():
        return int(value)
    chosen: OptionValue = value
    return chosen


def _mixed(salt: int, number: int) -> int:
    return int(stream(np.uint64(salt), np.uint64(number)))


def _digest(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=DIGEST_BYTES).digest()


register_games()
