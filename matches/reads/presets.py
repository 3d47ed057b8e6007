"""What lists say of the contests that come with the game."""

from functools import cache

from games.contest.presets import load, summary
from matches.reads.documents.catalogue import PresetCard


@cache
def card(name: str) -> PresetCard:
    """Return what a list says of a preset; raise KeyError for a name that isn't one of PRESETS."""
    content = load(name)
    return PresetCard(
        name=name,
        title=content.title,
        author=content.author,
        players={"min": content.least_seats, "max": content.most_seats},
        rounds=sum(it.repeat for it in content.rounds),
        summary=summary(content),
    )
