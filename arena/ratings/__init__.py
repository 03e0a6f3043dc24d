"""Ratings: of agents by their games, and of a matrix of agents against tables of each other.

- :mod:`.online`: openskill's Plackett-Luce model, updated game by game, also for the server's
  leaderboard;
- :mod:`.plackett_luce`: the same model fitted to all games at once, for ladders;
- :mod:`.equilibrium`: deviation ratings of a game in normal form;
- :mod:`.evolution`: alpha-rank of a game in normal form.
"""
