"""When a scheduled match opens and begins, and how to change that before it has begun. Pure.

A match without a set-up begins when it opens. Otherwise it begins earlier, so that the longest step of the set-up has
its whole time.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from games import catalogue
from games.kernel import ClockSpec, Event, Illegal, SetupShare, commitments, json_text
from matches.domain import impartiality, lifecycle, nonces
from matches.domain.bidi import apart
from matches.domain.clocks import SECOND, SETUP_CLOSES_BEFORE, ClockTimes, in_utc
from matches.domain.events import MatchOpened, MatchRescheduled
from matches.domain.lifecycle import Lifecycle

CLOCK = "clock"
"""The actor of acts caused by time alone."""


def clock_specs(game: str, options: dict[str, Any]) -> Mapping[str, ClockSpec]:
    """Return the clocks of a match with these options; raise Illegal("bad_options")."""
    rules = catalogue[game]
    return rules.clocks if rules.clocks_of is None else _own_clocks(game, json_text(options))


@lru_cache(maxsize=256)
def _own_clocks(game: str, options: bytes) -> Mapping[str, ClockSpec]:
    rules = catalogue[game]
    assert rules.clocks_of is not None  # noqa: S101  `clock_specs` has seen to it
    return rules.clocks_of(rules.read_options(msgspec.json.decode(options)))


def title_in(game: str, options: Mapping[str, Any]) -> str:
    """Return the title for people of a match with these options: its own one, if it has one, or that of its game."""
    rules = catalogue[game]
    return apart(rules.titled(options)) if rules.titled else rules.title


def setup_seconds(
    game: str,
    options: dict[str, Any],
    clocks: Mapping[str, ClockTimes] | None,
    closes: int = SETUP_CLOSES_BEFORE,
) -> int:
    """Return how many seconds before its opening a scheduled match begins its set-up, so that the longest step has its
    whole time until the set-up `closes`, so many seconds before play. 0 without a set-up."""
    specs = clock_specs(game, options)
    steps = [times.base for name, times in (clocks or {}).items() if specs[name].setup]
    return max(steps) + closes if steps else 0


def setup_shares(game: str, options: dict[str, Any]) -> dict[str, SetupShare]:
    """Return the shares of a match's set-up by clock, for steps that end with their share."""
    return {name: spec.share for name, spec in clock_specs(game, options).items() if spec.share}


def has_sealed_parts(opened: MatchOpened) -> bool:
    """True if parts of the options are sealed."""
    return any(commitments(opened.options))


def begins_at(current: Lifecycle) -> int | None:
    """Return the instant at which a scheduled match, or its set-up, begins by itself; None if it isn't scheduled."""
    opened = current.opened
    if opened.opens_at is None:
        return None
    return opened.opens_at - setup_seconds(opened.game, opened.options, opened.clocks, opened.setup_closes) * SECOND


def reschedule(current: Lifecycle, opens_at: int | None, reason: str) -> Event:
    """Let a match that hasn't begun open at another instant; raises already_started, match_over, nonces_called."""
    lifecycle.refuse_started(current)
    if current.called is not None:
        raise Illegal("nonces_called", "The start was called; play begins within seconds.")
    return MatchRescheduled(opens_at=opens_at, reason=reason)


def start(current: Lifecycle, actor: str, reason: str, at: int) -> Sequence[Event]:
    """Begin play, or call the start, at the instant `at`. A scheduled match that is started early opens with it, and
    its scheduled time is dropped.

    Raises not_open_yet for an early start by one of its players, and the refusals of any start.
    """
    begins = begins_at(current)
    if actor == CLOCK and (begins is None or at < begins):
        raise Illegal("not_open_yet", "The match has got another time meanwhile.")
    if begins is None or at >= begins:
        return (nonces.start(current, reason, at),)
    started = nonces.start(current, reason, at)
    if impartiality.plays(current, actor):
        raise Illegal(
            "not_open_yet",
            f"The match opens at {in_utc(current.opened.opens_at or 0)} by itself. Whoever plays at it doesn't open it "
            "before the other expects it: ask one of its hosts who doesn't play.",
        )
    return reschedule(current, None, reason), started
