"""Builds the documentation site: stages the pages, runs the generator, bundles what it links to."""
