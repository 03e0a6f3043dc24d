"""Games for language models, as tools of the Model Context Protocol (MCP).

A model takes a seat against bots, sees what its seat may know, decides, and may ask a bot for
advice. Everything runs in this process; tables are lost when it ends.
"""

from .server import make_server
from .tables import MAX_TABLES, Table, Tables

__all__ = ["MAX_TABLES", "Table", "Tables", "make_server"]
