"""A server for checking clients: it misbehaves as networks and busy servers do, and watches."""
