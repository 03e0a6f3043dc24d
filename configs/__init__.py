"""Training configurations, one YAML file for each game."""
