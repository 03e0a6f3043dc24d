"""The configuration of a training: its keys, its files, and what a run keeps of it."""

from .files import load_config, read_config
from .parsing import ConfigError, in_yaml, parse
from .sections import ImitationConfig, LeagueConfig, Linear, NetworkConfig, PPOConfig, value_at
from .train_config import TrainConfig

__all__ = [
    "ConfigError",
    "ImitationConfig",
    "LeagueConfig",
    "Linear",
    "NetworkConfig",
    "PPOConfig",
    "TrainConfig",
    "in_yaml",
    "load_config",
    "parse",
    "read_config",
    "value_at",
]
