"""The cards of Crime Lords: the JSON file, its checks, and the tables made from it."""
