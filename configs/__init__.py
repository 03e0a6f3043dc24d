"""Training configurations, one YAML file a game."""
