"""Entries of lists for the contests that come with the game."""

from functools import cache
from typing import Final

from games.contest.content import Content
from games.contest.options import EXAMPLE
from games.contest.presets import PRESETS, load, summary
from matches.reads.documents.catalogue import PresetCard

EXAMPLE_NAME: Final = "example"
"""The name of the game's default in forms."""


@cache
def card(name: str) -> PresetCard:
    """Return what a list says of a preset; raise KeyError for a name that isn't one of PRESETS."""
    return card_of(name, load(name))


def card_of(name: str, content: Content) -> PresetCard:
    """Return what a list says of a content under a name."""
    return PresetCard(
        name=name,
        title=content.title,
        author=content.author,
        players={"min": content.least_seats, "max": content.most_seats},
        rounds=sum(it.repeat for it in content.rounds),
        summary=summary(content),
    )


@cache
def offered_contests() -> tuple[PresetCard, ...]:
    """Return the contests among which whoever opens a match chooses: the game's default, and the presets."""
    return (card_of(EXAMPLE_NAME, EXAMPLE), *map(card, PRESETS))
