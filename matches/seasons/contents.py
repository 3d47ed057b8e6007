"""The contests that organisers can choose for a main match, each with a reference."""

from typing import NamedTuple

from games.contest.content import Content
from games.contest.presets import PRESETS, load
from games.kernel import Illegal
from matches.seasons.domain.contests import PlayedContest


class OfferedContest(NamedTuple):
    """A contest that can be chosen. `summary` is the first paragraph of its rules, `rounds` counts repetitions."""

    reference: str
    title: str
    summary: str
    least_seats: int
    most_seats: int
    rounds: int


def look_up(reference: str) -> tuple[Content, PlayedContest]:
    """Return the content of a contest, and how the record names it; raise bad_options for an unknown reference."""
    try:
        content = load(reference)
    except KeyError:
        raise Illegal("bad_options", f"There is no such contest. The presets are {', '.join(PRESETS)}.") from None
    return content, PlayedContest(title=content.title, preset=reference)


def offered_contests() -> list[OfferedContest]:
    """Return the contests that can be chosen."""
    return [_offered(it, look_up(it)[0]) for it in PRESETS]


def _offered(reference: str, content: Content) -> OfferedContest:
    summary = " ".join(content.rules.strip().partition("\n\n")[0].split())
    rounds = sum(it.repeat for it in content.rounds)
    return OfferedContest(reference, content.title, summary, content.least_seats, content.most_seats, rounds)
