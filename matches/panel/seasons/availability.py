"""The availability of players at the times that a form sets or proposes, and times that suit them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from events import store
from matches.panel.seasons.room import SeasonRoom
from matches.seasons.domain.availability import TimeSaid
from matches.seasons.reads.availability import times_said


class WordedTime(NamedTuple):
    """An instant and the availability at it, in words; `clashes` is true if somebody can't play then."""

    at: datetime
    words: str
    clashes: bool


class WordedTimes(NamedTuple):
    times: list[WordedTime]
    suited: list[WordedTime]


def worded_times(room: SeasonRoom, players: Sequence[str], times: Sequence[str]) -> WordedTimes | None:
    """Return the availability of these players at these times; None if there are no players."""
    if not players:
        return None
    instants = sorted({datetime.fromisoformat(time) for time in times})
    said = times_said(room.row.id, players, instants, store.clock())
    return WordedTimes([_worded_time(room, it) for it in said.times], [_worded_time(room, it) for it in said.suited])


def _worded_time(room: SeasonRoom, said: TimeSaid) -> WordedTime:
    parts = (
        (said.cannot, "said that they can’t play"),
        (said.can, "said that they can"),
        (said.unknown, "said nothing about it"),
    )
    return WordedTime(said.at, "; ".join(f"{room.call(*who)} {what}" for who, what in parts if who), bool(said.cannot))
