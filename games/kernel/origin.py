"""The origin of a game, as its source names it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """The designers in one string for pages, and the first season (or the place of publication) as `featured_in`."""

    designers: str
    featured_in: str
