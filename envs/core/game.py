"""What a game is: a record dtype, kernels, options, words and pictures.

Each game subclasses :class:`Game` once. Everything else in the project (environments, training,
arena, replays, serving) is written against this class and knows no game by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray

from .codes import ObservationCodes
from .compiling.compiled import Compiled, Rules
from .errors import GameOverError, IllegalActionError, NotationError
from .history import History
from .integers import as_integer, as_seed, shown, whole_number
from .layout import Layout
from .options import Option, OptionSet, OptionValue
from .package import GamePackage
from .presentation.words import Words
from .record import Record
from .serial import Fields, RulesFields
from .state import NO_SEAT, SOMEBODY, Result, State, States, blank
from .view import Detail, View

SERIAL_VERSION = 1

FROM_RECORD = ("max_seats", "dtype", "bounds", "scratch", "seat_arrays", "seat_indices")
"""What :attr:`Game.record` declares."""

REQUIRED = (
    "name", "title", "rules_version", "max_seats", "dtype", "num_actions", "observation_size",
    "options", "rules",
)  # fmt: skip
"""What every game declares, the record's by itself or by :attr:`Game.record`."""

_read = np.void.__getitem__
"""A field of a record by its name, five times as fast as ``state.name``, which is Python's."""


class Game(Words, GamePackage):
    """One board game. Stateless: states are records that the caller owns.

    What people read is :class:`~.presentation.words.Words`, and what comes with it in its package,
    written rules among it, :class:`~.package.GamePackage`. All that has no default is in
    :data:`REQUIRED`.

    Attributes:
        name: Short lower-case name, as in ``gangland.envs.load(name)``.
        title: Name for people.
        rules_version: Raised whenever the same seed and actions lead elsewhere. The layout of the
            record may change without it; see :attr:`scratch`.
        record: The fields of the record, each declared once. What follows from it need not be
            given: ``max_seats``, ``dtype``, ``bounds``, ``scratch``, ``seat_arrays`` and
            ``seat_indices``. ``None``: the game gives these itself.
        dtype: The record dtype; begins with :func:`gangland.envs.core.state.header`.
        scratch: Fields that play does not depend on: what kernels leave behind, what they derive
            from other fields, and counts of events. Replays do not record them.
        num_actions: Size of the flat action space.
        observation_layout: What every number of an observation means; see
            :mod:`gangland.envs.core.layout`. ``None``: the game does not say.
        item_actions: Which actions concern the rows of a block of the observation: for each row the
            same number of actions, one of each kind, or -1 where there is none. Networks may read
            such rows by an encoder.
        observation_size: Length of the observation vector; that of the layout where there is one.
        observation_range: Bounds of every number in an observation; taken from the layout where the
            game gives none.
        max_seats: The most seats.
        options: All options with their defaults; the first is ``players``.
        phases: Name of each phase number; a single one by default.
        roles: Names of the distinct parts that seats play (networks are shared within a role).
        seat_arrays: Fields of the game whose first axis is the seat; see :meth:`rotate`.
        seat_indices: Fields of the game that hold seat numbers, negative for none.
        bounds: Least and greatest value of integer fields, as :meth:`from_dict` demands them; of
            other fields it takes whatever fits their kind.
        rules: The kernels.
        score_scale: Score points that make a reward of 1 with ``reward="score"``. Taken from the
            rules, so that such rewards are about -1 to 1.
        objective: What its players want: ``result``, to win, or ``score``, as many points as they
            can get. Trainings pay it unless they are told otherwise.
        truncating_caps: Values of ``capped`` at which a game is stopped without a result. It is
            ranked, but its rewards are zero, and environments report a truncation. At all other
            caps it is scored, and terminates.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    record: ClassVar[Record | None] = None
    dtype: ClassVar[np.dtype[Any]]
    scratch: ClassVar[tuple[str, ...]] = ()
    num_actions: ClassVar[int]
    observation_layout: ClassVar[Layout[Any] | None] = None
    item_actions: ClassVar[Mapping[str, tuple[tuple[int, ...], ...]]] = {}
    observation_size: ClassVar[int]
    observation_range: ClassVar[tuple[float, float]] = (-8.0, 8.0)
    max_seats: ClassVar[int]
    options: ClassVar[OptionSet]
    phases: ClassVar[tuple[str, ...]] = ("PLAY",)
    roles: ClassVar[tuple[str, ...]] = ("player",)
    seat_arrays: ClassVar[tuple[str, ...]] = ()
    seat_indices: ClassVar[tuple[str, ...]] = ()
    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {}
    rules: ClassVar[Rules]
    score_scale: ClassVar[float] = 1.0
    objective: ClassVar[Literal["result", "score"]] = "result"
    truncating_caps: ClassVar[tuple[int, ...]] = ()
    _only: ClassVar[Game]

    # --- what a game may do in its own way ------------------------------------------------------

    def write_options(self, state: State, options: Mapping[str, OptionValue]) -> None:
        """Write resolved options into a zeroed record, whose ``num_seats`` is set.

        As it stands, each goes into the number of its name: itself, a flag, or the place of a
        word. What has none, or takes words and numbers, a game writes and reads itself.
        """
        for option in self.options:
            if self._has_field(option):
                state[option.name] = option.number(options[option.name])

    def read_options(self, state: State) -> dict[str, OptionValue]:
        """Resolved options of a record; the inverse of :meth:`write_options`."""
        found: dict[str, OptionValue] = {}
        for option in self.options:
            if option.name == "players":
                found[option.name] = int(state.num_seats)
            elif option.fixed:
                found[option.name] = option.default
            elif self._has_field(option):
                found[option.name] = option.value(int(state[option.name]))
        return found

    def event_counts(self, states: States) -> Mapping[str, NDArray[np.float64]]:
        """What happened in games, for statistics: by name, one number for each game.

        Args:
            states: Array of finished records.

        Returns:
            Counts, sums, or 0 and 1 for kinds of endings, each of shape ``(games,)``; a mean over
            games means something. None unless a game counts events.
        """
        return {}

    def deals(
        self, options: Mapping[str, OptionValue]
    ) -> tuple[States, NDArray[np.float64]] | None:
        """All first positions and how likely each is, of games that are small enough.

        Only for games in which all chance is in the deal and every action is seen by all, so that
        exact best responses can be computed; see :mod:`gangland.arena.exact`.

        Returns:
            Records of shape ``(D,)`` and probabilities of shape ``(D,)`` that add up to 1; ``None``
            for a game of which that cannot be said.
        """
        return None

    def hides_decision(self, state: State, viewer: int) -> bool:
        """Whether ``viewer`` may not know that the deciding seat has anything to decide.

        Forced decisions are never asked for, so where a choice depends on hidden cards, its being
        made would reveal them. Until it is made, servers show the viewer nothing and count
        nothing. A redacted record need not show it; where one shows ``SOMEBODY``, that is enough.

        Args:
            state: The true record.
            viewer: A seat, or ``NO_SEAT`` for a spectator.
        """
        return False

    def num_players(self, options: Mapping[str, OptionValue]) -> int:
        """Seats at a table with these resolved options."""
        return int(options["players"])

    def agent_names(self, options: Mapping[str, OptionValue]) -> tuple[str, ...]:
        """PettingZoo's names of the seats of a table with these resolved options."""
        return tuple(f"player_{seat}" for seat in range(self.num_players(options)))

    def seat_roles(self, options: Mapping[str, OptionValue]) -> tuple[int, ...]:
        """Index into :attr:`roles` of each seat's role."""
        return (0,) * self.num_players(options)

    def _has_field(self, option: Option) -> bool:
        """Whether the record has a number of the option's name that says which value it has."""
        fields: Any = self.dtype.fields
        return option.numbered and option.name in fields and fields[option.name][0].shape == ()

    # --- states -----------------------------------------------------------------------------

    @cached_property
    def compiled(self) -> Compiled:
        """The kernels as machine code, compiled or loaded on first use."""
        return Compiled(self.name, self.dtype, self.rules)

    @cached_property
    def observation_codes(self) -> ObservationCodes:
        """How observations are coded in bytes, without any loss.

        Raises:
            ValueError: If the game does not say what its observations hold.
        """
        if self.observation_layout is None:
            raise ValueError(
                f"{self.name}: declares no observation_layout, so observation_dtype must be "
                "'float32'"
            )
        return ObservationCodes(self.name, self.observation_layout)

    def template(self, **options: Any) -> NDArray[Any]:
        """An array of one zeroed record with the options written in.

        Raises:
            OptionError: Naming the option, the value and the valid values.
        """
        resolved = self.options.resolve(options)
        states = blank(self.dtype)
        states[0].num_seats = self.num_players(resolved)
        self.write_options(states[0], resolved)
        return states

    def new_state(self, seed: int = 0, **options: Any) -> State:
        """A new game at its first decision.

        Args:
            seed: Seed of the game's chance, 0 to 2**64 - 1.
            **options: The game's options.

        Raises:
            IntegerError: If the seed is no integer in this range.
            OptionError: Naming the option, the value and the valid values.
        """
        number = as_seed(seed)
        state = self.template(**options)[0]
        self.compiled.reset(state, np.uint64(number))
        return state

    def clone(self, state: State) -> State:
        """An independent copy."""
        # As copy_states does it; but reading a record's dtype is slow.
        return np.frombuffer(bytearray(state.tobytes()), self.dtype)[0]

    def num_seats(self, state: State) -> int:
        """Seats at this table."""
        return int(_read(state, "num_seats"))

    def is_over(self, state: State) -> bool:
        """Whether the game has ended."""
        return bool(_read(state, "over"))

    def is_truncated(self, state: State) -> bool:
        """Whether the game was stopped by a cap that pays nobody."""
        return self.is_over(state) and int(state.capped) in self.truncating_caps

    def seat_to_act(self, state: State) -> int:
        """The deciding seat; ``NO_SEAT`` (-1) when the game is over.

        In a redacted record ``SOMEBODY`` (-2): somebody decides, the viewer may not know who.
        """
        return int(_read(state, "seat"))

    def action_mask(self, state: State) -> NDArray[np.bool_]:
        """Bool mask of shape ``(num_actions,)`` of the legal actions.

        All false at the end, and in a redacted record whose deciding seat is not known.
        """
        mask = np.zeros(self.num_actions, np.bool_)
        if _read(state, "seat") >= 0:
            self.compiled.legal_actions(state, mask)
        return mask

    def legal_actions(self, state: State) -> list[int]:
        """Legal actions of the deciding seat, ascending; empty at the end."""
        return [int(action) for action in np.flatnonzero(self.action_mask(state))]

    def apply(self, state: State, action: int) -> None:
        """Play one decision in place.

        Raises:
            GameOverError: If the game has ended.
            IllegalActionError: Naming the action and the legal ones; nothing is changed.
        """
        if _read(state, "over"):
            raise GameOverError(
                f"{self.name}: the game is over, action {shown(action)} cannot be played"
            )
        action = self.as_action(action)
        mask = self.action_mask(state)
        if not 0 <= action < self.num_actions or not mask[action]:
            raise self.refusal(state, action)
        self.compiled.apply(state, action)

    def as_action(self, action: Any) -> int:
        """An action as a Python integer: from one of Python or NumPy, or an array of shape ``()``.

        Raises:
            IllegalActionError: For anything else, truth values, fractions and text among them.
        """
        number = as_integer(action)
        if number is not None:
            return number
        raise IllegalActionError(
            f"{self.name}: action {shown(action)} ({type(action).__name__}): "
            f"must be an integer 0..{self.num_actions - 1}"
        )

    def checked_action(self, action: Any) -> int:
        """An action of the action space, legal or not, as a Python integer.

        Raises:
            IllegalActionError: For anything else.
        """
        number = self.as_action(action)
        if not 0 <= number < self.num_actions:
            raise IllegalActionError(
                f"{self.name}: action {shown(number)}: must be 0..{self.num_actions - 1}"
            )
        return number

    def refusal(self, state: State, action: int) -> IllegalActionError:
        """The error for an illegal action, naming it and the legal ones."""
        known = 0 <= action < self.num_actions
        name = f" ({self.action_text(state, action)})" if known else ""
        legal = ", ".join(f"{a} ({self.action_text(state, a)})" for a in self.legal_actions(state))
        return IllegalActionError(
            f"{self.name}: action {shown(action)}{name} is not legal for seat {state.seat}: {legal}"
        )

    def observe(self, state: State, seat: int) -> NDArray[np.float32]:
        """Observation of a seat: float32 of shape ``(observation_size,)``.

        Raises:
            IntegerError: If there is no such seat.
        """
        out = np.zeros(self.observation_size, np.float32)
        self.compiled.observe(state, self._as_seat(seat, 0), out)
        return out

    def redact(self, state: State, seat: int) -> State:
        """A copy without anything that ``seat`` may not know; ``NO_SEAT`` for a spectator.

        Raises:
            IntegerError: If there is no such seat.
        """
        known = self.clone(state)
        self.compiled.redact(known, self._as_seat(seat, NO_SEAT))
        return known

    def resample_hidden(self, state: State, seat: int, seed: int) -> State:
        """A copy in which all that ``seat`` cannot know is drawn again, with chance of its own.

        Raises:
            IntegerError: If there is no such seat, or the seed is no integer 0 to 2**64 - 1.
        """
        sample = self.clone(state)
        place, number = self._as_seat(seat, NO_SEAT), as_seed(seed)
        self.compiled.resample_hidden(sample, place, np.uint64(number))
        return sample

    def _as_seat(self, seat: Any, low: int) -> int:
        """A seat as kernels take it, which check no bounds."""
        return whole_number("seat", seat, low, self.max_seats - 1)

    def rotate(self, state: State, shift: int) -> State:
        """The same position with everybody ``shift`` seats further on.

        What seat ``s`` saw, seat ``(s + shift) % num_seats`` sees, with the same legal actions:
        every view is relative to its seat.
        """
        n = self.num_seats(state)
        turned = self.clone(state)
        for name in ("places", "rewards", "scores", *self.seat_arrays):
            turned[name][:n] = np.roll(state[name][:n], shift, axis=0)
        for name in ("seat", *self.seat_indices):
            seats = np.asarray(state[name])
            turned[name] = np.where(seats >= 0, (seats + shift) % n, seats)
        return turned

    def view(
        self,
        state: State,
        seat: int,
        seed: int = 0,
        detail: Detail = Detail.ACTION,
        history: History | None = None,
    ) -> View:
        """What ``seat`` may know, or a spectator with ``NO_SEAT``; see :class:`View`.

        Raises:
            IntegerError: If there is no such seat, or the seed is no integer 0 to 2**64 - 1.
        """
        known = self.redact(state, seat)  # which checks the seat
        return View(self, known, int(seat), as_seed(seed), detail, history)

    def result(self, state: State) -> Result:
        """Outcome of a finished game.

        Raises:
            GameOverError: If the game still runs.
        """
        if not state.over:
            raise GameOverError(f"{self.name}: the game still runs, there is no result yet")
        n = self.num_seats(state)
        places = tuple(int(p) for p in state.places[:n])
        winners = 0 if self.is_truncated(state) else places.count(1)
        return Result(
            rewards=tuple(float(r) for r in state.rewards[:n]),
            scores=tuple(int(s) for s in state.scores[:n]),
            places=places,
            win_shares=tuple(1 / winners if winners and p == 1 else 0.0 for p in places),
            capped=bool(state.capped),
        )

    # --- what replays record --------------------------------------------------------------------

    def rules_bytes(self, state: State) -> bytes:
        """The rules' own fields, in a form that does not depend on the record's layout.

        See :mod:`gangland.envs.core.serial`.
        """
        return self._rules_fields.write(state)

    @cached_property
    def _rules_fields(self) -> RulesFields:
        return RulesFields(self.dtype, self.scratch)

    # --- dictionaries ---------------------------------------------------------------------------

    def to_dict(self, state: State) -> dict[str, Any]:
        """Every field by name as JSON-able values; ``rng`` as hexadecimal text."""
        return {
            "game": self.name,
            "rules_version": self.rules_version,
            "serial_version": SERIAL_VERSION,
            "fields": self._fields.to_dict(state),
        }

    def from_dict(self, data: Mapping[str, Any]) -> State:
        """A record from :meth:`to_dict`'s dictionary.

        Raises:
            NotationError: Naming what is missing, unknown or out of range.
        """
        if not isinstance(data, Mapping):
            raise NotationError(f"{shown(data)}: must be a dictionary as to_dict gives it")
        for key, wanted in (
            ("game", self.name),
            ("rules_version", self.rules_version),
            ("serial_version", SERIAL_VERSION),
        ):
            if data.get(key) != wanted:
                raise NotationError(f"{key}={shown(data.get(key))}: this game reads {wanted!r}")
        fields = data.get("fields")
        if not isinstance(fields, Mapping):
            raise NotationError("fields: must be an object with every field of the state")
        return self._fields.from_dict(fields)

    def inconsistency(self, state: State) -> str:
        """What no position of this game can be, beyond :attr:`bounds`; empty if nothing is found.

        For positions of unknown origin: kernels check no bounds, so a game names here what could
        lead them astray. Quick, and free of kernels.
        """
        return ""

    @cached_property
    def _fields(self) -> Fields:
        common = {
            "ply": (0, 2**31 - 1),
            "num_seats": (1, self.max_seats),
            "seat": (SOMEBODY, self.max_seats - 1),
            "phase": (-1, len(self.phases) - 1),
            "over": (0, 1),
            "places": (0, self.max_seats),
        }
        return Fields(self.dtype, {**common, **self.bounds})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} rules v{self.rules_version}>"

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if cls.record is not None and "record" in cls.__dict__:
            for name in FROM_RECORD:
                if name not in cls.__dict__:
                    setattr(cls, name, getattr(cls.record, name))
        layout = cls.observation_layout
        if layout is not None and "observation_layout" in cls.__dict__:
            cls.observation_size = layout.size
            if "observation_range" not in cls.__dict__:
                cls.observation_range = (float(layout.low.min()), float(layout.high.max()))

    @classmethod
    def missing(cls) -> list[str]:
        """Those of :data:`REQUIRED` that the class does not declare."""
        return [name for name in REQUIRED if not hasattr(cls, name)]

    def __new__(cls) -> Self:
        """The one object of this class: games are stateless.

        Raises:
            TypeError: Naming what it does not declare.
        """
        if missing := cls.missing():
            raise TypeError(f"{cls.__name__} does not declare {', '.join(missing)}")
        if "_only" not in cls.__dict__:
            cls._only = super().__new__(cls)
        return cast("Self", cls._only)

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        return type(self), ()


__all__ = ["NO_SEAT", "Game", "Result", "Rules"]
