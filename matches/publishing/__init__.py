"""Hints after a commit: to those who watch, to workers, and signs of life. Losing one costs a moment."""
