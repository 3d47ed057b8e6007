"""Formats of dates and times for templates that don't set one, by language."""
