"""When a scheduled match opens and begins, and how that may change before it has begun. Pure.

A match begins at the instant that it opens, or so much earlier that the longest step of its set-up has its whole time.
"""

from collections.abc import Mapping, Sequence

from games import catalogue
from games.kernel import Event, Illegal, SetupShare
from matches.domain import impartiality, lifecycle, nonces
from matches.domain.clocks import SECOND, SETUP_CLOSES_BEFORE, ClockTimes, in_utc
from matches.domain.events import MatchRescheduled
from matches.domain.lifecycle import Lifecycle

CLOCK = "clock"
"""The actor of what only time brings."""


def setup_seconds(game: str, clocks: Mapping[str, ClockTimes] | None, closes: int = SETUP_CLOSES_BEFORE) -> int:
    """How long before a scheduled match opens its set-up begins, so that the longest step of it has its whole time
    until it `closes`, so many seconds before play; 0 where it has none."""
    specs = catalogue[game].clocks
    steps = [times.base for name, times in (clocks or {}).items() if specs[name].setup]
    return max(steps) + closes if steps else 0


def setup_shares(game: str) -> dict[str, SetupShare]:
    """The clocks of a game's set-up that end with a share of it, by name."""
    return {name: spec.share for name, spec in catalogue[game].clocks.items() if spec.share}


def begins_at(story: Lifecycle) -> int | None:
    """The instant at which a scheduled match, or its set-up, begins by itself."""
    opened = story.opened
    if opened.opens_at is None:
        return None
    return opened.opens_at - setup_seconds(opened.game, opened.clocks, opened.setup_closes) * SECOND


def reschedule(story: Lifecycle, opens_at: int | None, reason: str) -> Event:
    """A match that hasn't begun opens at another instant; raises already_started, match_over, nonces_called."""
    lifecycle.refuse_started(story)
    if story.called is not None:
        raise Illegal("nonces_called", "The start was called; play begins within seconds.")
    return MatchRescheduled(opens_at=opens_at, reason=reason)


def start(story: Lifecycle, actor: str, reason: str, at: int) -> Sequence[Event]:
    """Play begins, or is called, at the instant `at`. A scheduled match that is started early opens with it: its time
    is given up.

    Raises not_open_yet for an early start by who plays at it, and what any start is refused with.
    """
    begins = begins_at(story)
    if actor == CLOCK and (begins is None or at < begins):
        raise Illegal("not_open_yet", "The match has got another time meanwhile.")
    if begins is None or at >= begins:
        return (nonces.start(story, reason, at),)
    started = nonces.start(story, reason, at)
    if impartiality.plays(story, actor):
        raise Illegal(
            "not_open_yet",
            f"The match opens at {in_utc(story.opened.opens_at or 0)} by itself. Whoever plays at it doesn't open it "
            "before the other expects it: ask one of its hosts who doesn't play.",
        )
    return reschedule(story, None, reason), started
