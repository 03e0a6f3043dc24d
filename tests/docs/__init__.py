"""The documentation site, its tutorials and its generated pages."""
