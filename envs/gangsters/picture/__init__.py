"""The table as an SVG picture."""
