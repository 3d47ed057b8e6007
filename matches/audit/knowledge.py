"""When each person was told what, computed from a match's record alone. Pure.

The public part of an event reaches seats at once and others after the spectators' delay. Its secret reaches the seat
that it is for at once, a host when they next view the truth, a new player with the seat, and everybody with the seed,
which is revealed at the end or later. A later event that tells the same to all is an event of its own.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import chain as chained
from typing import Any, NamedTuple

import msgspec

from events.records import Recorded
from matches.storage import codec

_SITS = ("seat_taken", "seat_substituted")
SPECTATORS = "spectators"


class Knower(NamedTuple):
    """Somebody who can have been told: a `seat` with the account, or program, that held it from `since` to `until`; a
    host who viewed the truth, without a seat; or spectators."""

    who: str
    seat: int | None = None
    since: datetime | None = None
    until: datetime | None = None


class DisclosureTimes(NamedTuple):
    """When somebody was told the public part of an event, and when the whole of it; None for not yet."""

    public: datetime | None
    whole: datetime | None


class EventDisclosure(NamedTuple):
    """An event: True if it has a secret, and for each knower when they were told."""

    version: int
    sealed: bool
    by_knower: list[DisclosureTimes]


def knowers(rows: Sequence[Recorded]) -> list[Knower]:
    """Return all who can have been told a match's events: each tenure of each seat, each host who viewed it,
    spectators."""
    tenures: list[Knower] = []
    for row in rows:
        fields = _fields(row) if row.type in (*_SITS, "seat_declined") else {}
        if fields:
            tenures = [
                it._replace(until=row.at) if it.seat == fields["seat"] and it.until is None else it for it in tenures
            ]
        if row.type in _SITS:
            tenures.append(Knower(fields["player"], fields["seat"], row.at))
    hosts = dict.fromkeys(row.actor for row in rows if row.type == "truth_viewed")
    seats = sorted(tenures, key=lambda it: (it.seat, it.since))
    return [*seats, *map(Knower, hosts), Knower(SPECTATORS)]


def disclosures(rows: Sequence[Recorded], versions: Collection[int], among: Sequence[Knower]) -> list[EventDisclosure]:
    """Return these events of a whole record, each with when each knower was told; `among` comes from `knowers`."""
    delay = timedelta(seconds=_fields(rows[0]).get("spectator_delay", 0))
    return [
        EventDisclosure(row.version, row.secret is not None, [_disclosure_times(rows, row, it, delay) for it in among])
        for row in rows
        if row.version in versions
    ]


def _disclosure_times(rows: Sequence[Recorded], row: Recorded, knower: Knower, delay: timedelta) -> DisclosureTimes:
    sits = knower.since is not None and (knower.until is None or row.at < knower.until)
    public = row.at + delay
    if sits and knower.since:
        public = min(public, max(row.at, knower.since))
    if row.secret is None:
        return DisclosureTimes(public, public)
    # The secrets of a seat are shown to whoever takes it over.
    at_the_seat = sits and knower.seat in codec.seats_of(row.audience)
    reached = [max(row.at, knower.since)] if at_the_seat and knower.since else []
    if opened := _opened(rows, row, knower, delay):
        reached.append(max(public, opened))
    if knower.seat is None and (look := _first(rows, row, ("truth_viewed",), knower.who)):
        reached.append(look)
    return DisclosureTimes(public, min(reached, default=None))


def _opened(rows: Sequence[Recorded], row: Recorded, knower: Knower, delay: timedelta) -> datetime | None:
    """Return when a revealed seed opened an event to somebody. If its end was undone before the delay had passed, it
    opens nothing."""
    for opening in (it for it in rows[row.version :] if it.type == "seed_revealed"):
        still_sits = knower.since is not None and (knower.until is None or opening.at < knower.until)
        is_host = knower.seat is None and knower.who != SPECTATORS
        reached = opening.at if still_sits or is_host else opening.at + delay
        undone = _first(rows, opening, ("match_rewound",))
        if undone is None or reached < undone:
            return reached
    return None


def _first(rows: Sequence[Recorded], after: Recorded, types: Collection[str], actor: str = "") -> datetime | None:
    """Return when the first of these events came after another one, by this actor if one is named."""
    later = (it for it in rows[after.version :] if it.type in types and (not actor or it.actor == actor))
    return next((it.at for it in later), None)


def dropped(rows: Sequence[Recorded], after: int = 0) -> set[int]:
    """Return the versions that a rewind later than `after` took out of play."""
    rewinds = [row for row in rows if row.type == "match_rewound" and row.version > after]
    return set(chained.from_iterable(range(_fields(it)["to_version"] + 1, it.version) for it in rewinds))


def _fields(row: Recorded) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(row.public)
    return fields
