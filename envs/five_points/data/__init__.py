"""The components of Five Points: the JSON file, and the tables made from it."""
