"""Training configurations, YAML files: the recipe of all games, and what each game changes."""
