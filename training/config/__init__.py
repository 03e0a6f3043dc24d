"""The configuration of a training: its keys, its files, and what a run keeps of it."""

from .files import load_config, read_config
from .parsing import ConfigError, parse
from .schedules import Linear, value_at
from .sections import ImitationConfig, LeagueConfig, NetworkConfig, PPOConfig
from .train_config import TrainConfig

__all__ = [
    "ConfigError",
    "ImitationConfig",
    "LeagueConfig",
    "Linear",
    "NetworkConfig",
    "PPOConfig",
    "TrainConfig",
    "load_config",
    "parse",
    "read_config",
    "value_at",
]
