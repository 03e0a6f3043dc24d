"""What several commands take: options, checks, a game in the terminal."""
