"""The origin of a game, as its source names it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """`designers` are joined as a page shows them; `featured_in` is the first season, or the place of publication."""

    designers: str
    featured_in: str
