"""The bots that a server offers, and what they are asked."""
