"""A Mob on its grid: cards that touch, Crooks that leave, are placed or move, spoils."""
