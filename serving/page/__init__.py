"""The web page for people; see ``docs/page.md``."""
