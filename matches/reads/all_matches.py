"""The events of all matches that an account may see, in one order; each is made by its match's own feed."""

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Max, Q

from events.models import LoggedEvent
from matches.models import Match, Seat
from matches.reads import feed, permissions
from matches.reads.documents import FeedEvent
from matches.storage import order
from matches.storage.order import Place
from matches.storage.repository import BrokenRecord

_MOST_MATCHES = 50
"""Of how many matches a page tells at most, as each may have to be folded first."""
_WINDOW = 1000
_WINDOWS = 20


class Mark(NamedTuple):
    """Where a reader stands: after the event that it was told last, so that nothing shows of what it isn't told; or at
    a position, after a long stretch with nothing for it."""

    stream: UUID | None = None
    version: int = 0
    late: bool = False
    hash: str = ""
    position: int = 0


class Lost(Exception):
    """The log no longer holds the event that the reader was told last."""


class Told(NamedTuple):
    """A stretch of the feed, the mark after it, and whether there may be more by now."""

    results: list[FeedEvent]
    mark: Mark
    more: bool


class _Taken(NamedTuple):
    """What of a place is to be told."""

    match: Match
    place: Place
    versions: list[int]


def told_since(account: UUID, mark: Mark, limit: int, streams: Collection[UUID] | None = None) -> Told:
    """What the account is told after a mark, at most `limit` events, of these matches or of all. Raises Lost.

    Of a match that spectators see late, who sits there is told at once what has happened since they do, and everybody
    else each event once its delay is over. Who gets or loses a seat meanwhile misses nothing that they may see; what
    they were told in the seat they may be told once more.
    """
    order.place()
    start = _position_of(mark)
    taken, reached, more = _gather(account, mark, start, limit, streams)
    results, last, stalled = _serialized(account, taken)
    if last is not None or stalled or not more:
        return Told(results, last or mark, more and not stalled)
    return Told([], Mark(position=reached), more)


def matches_of(account: UUID, match: UUID | None, season: UUID | None, mine: bool) -> list[UUID] | None:
    """The ids of the matches that a reader narrows the feed to, of those that they may see; None where to none."""
    wanted = Q(id=match) if match else Q()
    if season:
        wanted &= Q(season=season)
    if mine:
        wanted &= Q(id__in=Seat.objects.filter(account=account).values("match_id"))
    if not wanted:
        return None
    return list(Match.objects.filter(wanted & permissions.seen_by(account)).values_list("id", flat=True))


def _position_of(mark: Mark) -> int:
    if mark.stream is None:
        return mark.position
    position = order.find(mark.stream, mark.version, mark.late, mark.hash)
    if position is None:
        raise Lost
    return position


def _gather(
    account: UUID, mark: Mark, start: int, limit: int, streams: Collection[UUID] | None
) -> tuple[list[_Taken], int, bool]:
    """What is to be told from a position on, the position to go on from, and whether there may be more."""
    reached, taken, known = start, list[_Taken](), set[UUID]()
    for _ in range(_WINDOWS):
        # Places first, rights after: who was seated by an event among these is found seated.
        places = order.read(reached, _WINDOW, streams)
        rights = _Rights(account, {place.stream for place in places})
        for place in places:
            after = mark.version if mark.stream and place.position == start else 0
            versions = list(range(max(place.first, after + 1), place.last + 1))
            if not versions or not rights.hold_at(place):
                continue
            if not limit or len(known | {place.stream}) > _MOST_MATCHES:
                return taken, place.position, True
            taken.append(_Taken(rights.matches[place.stream], place, versions[:limit]))
            if len(versions) > limit:
                return taken, place.position + 1, True
            limit -= len(versions)
            known.add(place.stream)
        if len(places) < _WINDOW:
            return taken, reached, False
        reached = places[-1].position + 1
    return taken, reached, True


class _Rights:
    """Which of some matches an account may see, and since which version it sits at those that spectators see late."""

    def __init__(self, account: UUID, streams: Collection[UUID]) -> None:
        seen = Match.objects.filter(permissions.seen_by(account), id__in=streams)
        self.matches = {match.id: match for match in seen.only("id", "code", "game", "season", "spectator_delay")}
        delayed = [match.id for match in self.matches.values() if match.spectator_delay]
        seated = Seat.objects.filter(account=account, match__in=delayed).values_list("match_id", flat=True)
        self._seated_since = {match_id: _seated_since(match_id, account) for match_id in seated}

    def hold_at(self, place: Place) -> bool:
        """Whether the account is told a place's events there, and not at the other place of them, or at none."""
        match = self.matches.get(place.stream)
        if match is None or not match.spectator_delay:
            return match is not None
        since = self._seated_since.get(match.id)
        return place.late == (since is None or place.last < since)


def _seated_since(match_id: UUID, account: UUID) -> int:
    """The version at which the account has got the seat that it holds."""
    seatings = LoggedEvent.objects.filter(stream=match_id, type__in=("seat_taken", "seat_substituted"))
    found: int | None = seatings.filter(public__player=str(account)).aggregate(Max("version"))["version__max"]
    return found or 1


def _serialized(account: UUID, taken: list[_Taken]) -> tuple[list[FeedEvent], Mark | None, bool]:
    """The events, the mark after them, and whether one of them can't be seen yet, before which they end."""
    told = {match_id: _told_by_match(account, match_id, taken) for match_id in {it.match.id for it in taken}}
    results, last = list[FeedEvent](), None
    for match, place, versions in taken:
        if (known := told[match.id]) is None:
            continue
        witness, events = known
        for version in versions:
            # The database's clock was set back: what was due isn't any more.
            if version not in events:
                return results, last, True
            event = events[version]
            results.append(FeedEvent(match.id, match.code, match.game, match.season_id, witness, event))
            last = Mark(match.id, version, place.late, event["hash"][:12])
    return results, last, False


def _told_by_match(account: UUID, match_id: UUID, taken: list[_Taken]) -> tuple[str, dict[int, dict[str, Any]]] | None:
    """As which witness, and by version what, the match's own events tell the account; None where it may see none, or
    the record is broken."""
    versions = [version for it in taken if it.match.id == match_id for version in it.versions]
    first, last = min(versions), max(versions)
    try:
        seen = feed.entitled(match_id, str(account))
        page = feed.events(match_id, seen.witness, first - 1, last - first + 1, seen.upto)
    except (feed.NotEntitled, BrokenRecord):
        return None
    return feed.witness_name(seen.witness), {event["version"]: event for event in page.results}
