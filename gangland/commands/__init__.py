"""Sub-commands of the command line, one module each, each with a ``command``."""
