"""Self-play training, league and arena."""
