"""Training configurations, YAML files: of each game its recipe of five minutes and its bots."""
