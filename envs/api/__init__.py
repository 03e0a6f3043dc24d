"""The games as other libraries know them: PettingZoo, many tables at once, pixels."""
