"""What people see of a game: sentences, pictures, what can be asked about it, lessons."""
