"""The PettingZoo environment of any game: seats act in the order that the game says."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ..core.errors import GanglandError, IllegalActionError, ResetNeededError
from ..core.game import Game
from ..core.history import History, Memory
from ..core.integers import MAX_PLIES, IntegerError, as_integer, as_seed, shown, whole_number
from ..core.rng import draw_seed, stream
from ..core.state import State, blank, copy_states
from ..core.view import NoHistoryError

RENDER_MODES = ["human", "ansi", "svg", "rgb_array"]
REWARDS = ("result", "score")
_PER_AGENT = ("agents", "infos", "rewards", "_cumulative_rewards", "terminations", "truncations")


class AgentError(GanglandError, KeyError):
    """There is no such agent at this table."""

    __str__ = Exception.__str__  # which KeyError's puts in quotes


class SaveError(GanglandError, ValueError):
    """A saved position does not belong to this environment."""


def check_terms(seats: int, reward: str, max_cycles: int | None) -> int:
    """Check how an environment pays, and after how many decisions of a seat it truncates.

    Args:
        seats: Seats at the table.
        reward: One of :data:`REWARDS`.
        max_cycles: Decisions a seat on average, or ``None`` for no limit.

    Returns:
        The most decisions of all seats.

    Raises:
        ValueError: Naming the argument that is wrong and what is allowed.
    """
    if reward not in REWARDS:
        raise ValueError(f"reward={shown(reward)}: must be one of {', '.join(REWARDS)}")
    if max_cycles is None:
        return MAX_PLIES
    return min(whole_number("max_cycles", max_cycles, 1, MAX_PLIES) * seats, MAX_PLIES)


def check_seat(name: str, seat: int | None, seats: int) -> int | None:
    """An argument that is ``None`` or a seat of a table, as a Python integer.

    Raises:
        IntegerError: Naming the argument and the seats that there are.
    """
    number = as_integer(seat)
    if seat is None or (number is not None and 0 <= number < seats):
        return number
    raise IntegerError(f"{name}={shown(seat)}: must be None or an integer 0..{seats - 1}")


def payments(game: Game, state: State, reward: str) -> list[float]:
    """What each seat is paid at the end of a game that no cap truncated.

    Args:
        game: The game.
        state: The finished record.
        reward: One of :data:`REWARDS`: the result as the rules pay it, or each seat's score less
            the mean score of the others, in units of the game's ``score_scale``.
    """
    result = game.result(state)
    if reward == "result":
        return list(result.rewards)
    total, others = sum(result.scores), len(result.scores) - 1
    return [float((own - (total - own) / others) / game.score_scale) for own in result.scores]


class GameEnv(AECEnv[str, dict[str, NDArray[Any]], int | None]):  # type: ignore[misc]
    """A table of one game as a PettingZoo AEC environment.

    Observations are dictionaries: ``observation`` (float32 of shape ``(observation_size,)``, the
    seat itself first) and ``action_mask`` (int8 of shape ``(num_actions,)``, all zero for a seat
    that does not decide). The mask is also in ``info``. Both are copies, the caller's to change:
    what is legal is judged by the rules. Everybody is paid once, at the end: with
    ``reward="result"`` the winners share +1 and the others -1, with ``reward="score"`` each seat
    gets its score less the mean score of the others, in units of the game's ``score_scale``. A cap
    of the rules that pays nobody truncates; at any other end all agents terminate.

    Beyond PettingZoo the position can be cloned, copied, pickled, saved and restored in the middle
    of a game, and goes on exactly where it stood.

    Args:
        game: The game.
        version: Version of the environment module, for its name.
        render_mode: One of ``RENDER_MODES`` or ``None``.
        render_seat: The seat whose knowledge is rendered; ``None`` shows the open table.
        reward: ``result`` or ``score``.
        max_cycles: Truncate, without reward, after this many decisions a seat on average;
            ``None`` plays every game to its end.
        history: Whether to take note of what every seat notices; see :meth:`history`.
        options: The game's options.

    Raises:
        OptionError: For an option that the game does not allow.
        ValueError: For an unknown render mode, reward, seat or cycle limit.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo declares it so)
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: Game,
        version: int = 0,
        *,
        render_mode: str | None = None,
        render_seat: int | None = None,
        reward: str = "result",
        max_cycles: int | None = None,
        history: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = game
        self.options = game.options.resolve(options)
        n = game.num_players(self.options)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(
                f"render_mode={shown(render_mode)}: must be None or one of {RENDER_MODES}"
            )
        self.metadata = {**GameEnv.metadata, "name": f"{game.name}_v{version}"}
        self.render_mode = render_mode
        self.render_seat = check_seat("render_seat", render_seat, n)
        self.reward = reward
        self._max_plies = check_terms(n, reward, max_cycles)
        self._remembers = history
        self._memories: list[Memory] = []
        self.possible_agents = list(game.agent_names(self.options))
        self.agents: list[str] = []
        self.agent_selection = ""
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._template = game.template(**options)
        self._states = blank(game.dtype)
        # Legality is checked with this mask alone: callers get a copy.
        self._mask = np.zeros(game.num_actions, np.bool_)
        self._bind()
        self._next_seed: int | None = None
        self._window: Any = None
        low, high = game.observation_range
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(
                        low, high, (game.observation_size,), np.float32
                    ),
                    "action_mask": gymnasium.spaces.Box(0, 1, (game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(game.num_actions) for agent in self.possible_agents
        }
        self.state_space = gymnasium.spaces.Box(low, high, (n * game.observation_size,), np.float32)

    def _bind(self) -> None:
        """Hold views of the record's fields: reading them costs a tenth of a record access."""
        self._bytes = self._states.view(np.uint8)
        self._seat = self._states["seat"]
        self._over = self._states["over"]
        self._ply = self._states["ply"]
        self._mask_int8 = self._mask.view(np.int8)
        self._action_in = np.zeros(1, np.int64)

    def _seat_named(self, agent: str) -> int:
        """The seat of an agent, which may not be of this table."""
        try:
            return self._seat_of[agent]
        except (KeyError, TypeError):
            known = ", ".join(self.possible_agents)
            raise AgentError(
                f"{self.game.name}: agent {shown(agent)}: must be one of {known}"
            ) from None

    # --- PettingZoo ---------------------------------------------------------------------------

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """Space of an agent's observations; always the same object."""
        self._seat_named(agent)
        space: gymnasium.spaces.Dict = self.observation_spaces[agent]  # type: ignore[assignment]
        return space

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Space of an agent's actions; always the same object."""
        self._seat_named(agent)
        space: gymnasium.spaces.Discrete = self.action_spaces[agent]  # type: ignore[assignment]
        return space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: Seed of the game. Without one the seeds follow from the last seed given, or are
                drawn at random if none ever was.
            options: Ignored; the game's options belong to the environment.

        Raises:
            IntegerError: If the seed is no integer 0 to 2**64 - 1; nothing is changed.
        """
        if seed is None:
            seed = self._next_seed if self._next_seed is not None else draw_seed()
        seed = as_seed(seed)
        self._next_seed = int(stream(np.uint64(seed), np.uint64(1)))
        self._bytes[:] = self._template.view(np.uint8)
        self.game.compiled.reset(self._states[0], np.uint64(seed))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._no_action() for agent in self.agents}
        self.agent_selection = self.possible_agents[0]
        self._skip_agent_selection = None
        self._remember()
        self._look()

    def step(self, action: int | None) -> None:
        """Play the deciding agent's action; ``None`` for an agent whose game is over.

        Raises:
            IllegalActionError: If it is no integer, or naming the action and the legal ones;
                nothing is changed.
            ResetNeededError: Before the first ``reset``.
        """
        agent = self.agent_selection
        if not agent:
            raise ResetNeededError(self.game.name)
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if type(action) is not int:
            if action is None:
                raise self._refusal(action)
            action = self.game.as_action(action)
        if not 0 <= action < len(self._mask) or not self._mask[action]:
            raise self._refusal(action)
        self._cumulative_rewards[agent] = 0.0
        compiled = self.game.compiled
        self._action_in[0] = action
        actor = int(self._seat[0])
        compiled.batch["apply_batch"](compiled.pointers.apply, self._states, self._action_in, 0, 1)
        for memory in self._memories:
            memory.see(actor, action, self.record)
        if self._over[0]:
            self._finish()
        elif self._ply[0] >= self._max_plies:
            self._truncate()
        else:
            self._look()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Observation of any agent at any time.

        Raises:
            ResetNeededError: Before the first ``reset``.
            AgentError: If there is no such agent.
        """
        if not self.agent_selection:
            raise ResetNeededError(self.game.name)
        seat = self._seat_named(agent)
        observation = np.empty(self.game.observation_size, np.float32)
        compiled = self.game.compiled
        compiled.batch["observe_row"](compiled.pointers.observe, self._states, 0, seat, observation)
        decides = seat == self._seat[0]
        mask = self._mask_int8.copy() if decides else np.zeros_like(self._mask_int8)
        return {"observation": observation, "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """All seats' observations in a row, for central critics: float32."""
        return np.concatenate([self.observe(a)["observation"] for a in self.possible_agents])

    def render(self) -> Any:
        """Picture or text of the table by ``render_mode``; ``None`` for ``human``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode, given to env(render_mode=...)")
            return None
        if self.render_mode == "ansi":
            return self.game.text(self._visible(), self.render_seat)
        svg = self.svg()
        if self.render_mode == "svg":
            return svg
        from .raster import rgb_array

        pixels = rgb_array(svg)
        if self.render_mode == "rgb_array":
            return pixels
        if self._window is None:
            from .raster import Window

            self._window = Window(self.game.title)
        self._window.show(pixels)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _look(self) -> None:
        """Select the deciding agent and put its mask into its info."""
        compiled = self.game.compiled
        compiled.batch["legal_row"](compiled.pointers.legal_actions, self._states, 0, self._mask)
        self.infos[self.agent_selection] = self._no_action()
        self.agent_selection = self.possible_agents[self._seat[0]]
        self.infos[self.agent_selection] = {"action_mask": self._mask_int8.copy()}

    def _no_action(self) -> dict[str, NDArray[np.int8]]:
        """The info of an agent that does not decide, for the caller to keep or change."""
        return {"action_mask": np.zeros(len(self._mask), np.int8)}

    def _finish(self) -> None:
        """Pay the result and let every agent take its last, empty step."""
        if self.game.is_truncated(self.record):
            self._truncate()
            return
        paid = payments(self.game, self.record, self.reward)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = paid[seat]
        self._accumulate_rewards()
        self._dismiss(self.terminations)

    def _truncate(self) -> None:
        """Stop without pay: at the environment's own limit, or at such a cap of the rules."""
        self._dismiss(self.truncations)

    def _dismiss(self, ended: dict[str, bool]) -> None:
        self._mask[:] = False
        for agent in self.possible_agents:
            ended[agent] = True
            self.infos[agent] = self._no_action()
        self._deads_step_first()

    def _refusal(self, action: int | None) -> IllegalActionError:
        if action is None:
            return IllegalActionError(
                f"{self.game.name}: {self.agent_selection} is still in the game, "
                "None is for agents whose game is over"
            )
        return self.game.refusal(self.record, int(action))

    # --- beyond PettingZoo ----------------------------------------------------------------------

    @property
    def record(self) -> State:
        """The state record itself, live. Change it only if you mean to change the game."""
        return self._states[0]

    def history(self, agent: str) -> History:
        """What an agent has noticed of the game so far, or since it was restored.

        Raises:
            NoHistoryError: If the environment was made without ``history=True``.
            ResetNeededError: Before the first ``reset``.
            AgentError: If there is no such agent.
        """
        seat = self._seat_named(agent)
        if not self._remembers:
            raise NoHistoryError(f"{self.game.name}: the environment needs history=True")
        if not self._memories:
            raise ResetNeededError(self.game.name)
        return self._memories[seat].history

    def _remember(self) -> None:
        """Begin the histories at this position."""
        if self._remembers:
            seats = range(len(self.possible_agents))
            self._memories = [Memory(self.game, seat, self.record) for seat in seats]

    def clone(self) -> GameEnv:
        """An independent environment in the same position, rewards and agents included."""
        other = object.__new__(GameEnv)
        other.__setstate__(self.__getstate__())
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        # NumPy's own copy of a record leaves garbage between the fields.
        return self.clone()

    def save(self) -> bytes:
        """The position as bytes, to be given to :meth:`restore`."""
        return self._states.tobytes()

    def restore(self, saved: bytes) -> None:
        """Go on from a saved position; a finished one starts the agents' last steps.

        Raises:
            SaveError: If the bytes are no position of this game with these options.
        """
        size = len(saved) if isinstance(saved, bytes | bytearray | memoryview) else None
        if size != self._states.nbytes:
            given = f"{type(saved).__name__}" if size is None else f"{size} bytes"
            raise SaveError(
                f"{self.game.name}: {given}, a saved position has {self._states.nbytes} bytes"
            )
        state = np.frombuffer(bytearray(saved), self.game.dtype)[0]
        self._enter(state)

    def state_to_dict(self) -> dict[str, Any]:
        """The position, every field by name, JSON-able."""
        return self.game.to_dict(self.record)

    def state_from_dict(self, data: dict[str, Any]) -> None:
        """Go on from a position of :meth:`state_to_dict`.

        Raises:
            NotationError: Naming what is missing, unknown or out of range.
            SaveError: If it was played with other options.
        """
        self._enter(self.game.from_dict(data))

    def _enter(self, state: State) -> None:
        options = self.game.read_options(state) if state.num_seats > 0 else None
        if options != self.options:
            raise SaveError(
                f"{self.game.name}: the position has options {options}, "
                f"this environment {self.options}"
            )
        self.reset(seed=0)
        self._bytes[:] = np.frombuffer(state.tobytes(), np.uint8)
        self._remember()
        if self._over[0]:
            self.agent_selection = self.possible_agents[0]
            self._finish()
        else:
            self._look()

    def svg(self) -> str:
        """The table as an SVG picture, from ``render_seat``'s view, legal actions marked."""
        legal = np.flatnonzero(self._mask) if self._shows_mover() else ()
        return self.game.svg(self._visible(), self.render_seat, [int(a) for a in legal])

    def _repr_svg_(self) -> str:
        return self.svg()

    def _shows_mover(self) -> bool:
        return self.render_seat is None or self.render_seat == self._seat[0]

    def _visible(self) -> State:
        if self.render_seat is None:
            return self.record
        return self.game.redact(self.record, self.render_seat)

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        for name in ("_bytes", "_seat", "_over", "_ply", "_mask_int8", "_action_in"):
            del kept[name]
        kept["_window"] = None
        kept["_states"] = copy_states(self._states)
        kept["_mask"] = self._mask.copy()
        kept["_memories"] = [memory.copy() for memory in self._memories]
        for name in _PER_AGENT:
            if name in kept:
                kept[name] = kept[name].copy()
        if "infos" in kept:
            kept["infos"] = {
                agent: {name: mask.copy() for name, mask in info.items()}
                for agent, info in kept["infos"].items()
            }
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()
