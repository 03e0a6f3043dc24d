"""Five Points: Gangs of New York, for three to five political gangs."""
