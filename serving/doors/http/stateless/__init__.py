"""The bots without matches: an application that stores nothing, on one machine or on Ray Serve."""
