"""Search: information-set Monte Carlo tree search."""
