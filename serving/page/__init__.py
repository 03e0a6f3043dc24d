"""The page for people; ``docs/page.md`` describes it."""
