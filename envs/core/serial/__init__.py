"""Records written down: as dictionaries by field, and as the bytes that replays hash."""
