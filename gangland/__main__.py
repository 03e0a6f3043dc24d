"""``python -m gangland``: the command line."""

from .cli import main

main()
