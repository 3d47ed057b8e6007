"""How dates and times are written where a template doesn't say it, by language."""
