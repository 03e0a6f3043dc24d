"""The bots that a server offers: loading them, asking them, and judging posted positions."""
