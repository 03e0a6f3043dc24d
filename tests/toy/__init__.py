"""A small game for tests of the core: hidden cards, one swap each, a challenge out of turn."""
