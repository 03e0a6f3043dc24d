"""Attacks, from the announcement to what follows from the roll; Gang War."""
