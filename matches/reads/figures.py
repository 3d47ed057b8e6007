"""Counts of matches, flags and messages for the gauges: one round trip, each count by an index."""

from typing import NamedTuple

from events.pipeline import roundtrip
from events.store import raw_connection

_FIGURES = """
SELECT
    (SELECT count(*) FROM matches_match WHERE status = 'running'),
    (SELECT count(*) FROM matches_match WHERE status = 'paused'),
    (SELECT count(*) FROM matches_match WHERE wake),
    due.count, due.seconds, notices.waiting, notices.failing,
    (SELECT count(*) FROM matches_notice WHERE given_up_at > now() - interval '1 hour'),
    calls.waiting, calls.failing,
    (SELECT count(*) FROM matches_call WHERE state = 'given_up' AND done_at > now() - interval '1 hour')
FROM
    (SELECT count(*), coalesce(extract(epoch FROM now() - min(falls_at)), 0)::float8 AS seconds
     FROM matches_deadline WHERE falls_at < now()) due,
    (SELECT count(*) AS waiting, count(*) FILTER (WHERE attempts > 0) AS failing
     FROM matches_notice WHERE sent_at IS NULL AND given_up_at IS NULL) notices,
    (SELECT count(*) AS waiting, count(*) FILTER (WHERE attempts > 0) AS failing
     FROM matches_call WHERE state = 'waiting') calls
"""


class Messages(NamedTuple):
    """Messages of one way: how many wait, how many of them have failed before, and how many were given up in the last
    hour."""

    waiting: int
    failing: int
    given_up: int


class Figures(NamedTuple):
    """Matches by their state, overdue flags, with the age of the oldest, and messages by their way."""

    running: int
    paused: int
    awake: int
    flags_due: int
    flags_seconds: float
    webhooks: Messages
    calls: Messages


def read() -> Figures:
    """Return the current figures."""
    ((row,),) = roundtrip(raw_connection(), [(_FIGURES, ())])
    running, paused, awake, flags, age = row[:5]
    return Figures(running, paused, awake, flags, age, Messages(*row[5:8]), Messages(*row[8:]))
