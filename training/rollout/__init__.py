"""Playing: many tables at once, and what the seats that learn leave in the buffer."""
