"""The feed of all matches that an account may see, in one order; each event is made by its match's own feed."""

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Max, Q

from events.models import LoggedEvent
from matches.models import Match, Seat
from matches.reads import entitlements, feed, permissions
from matches.reads.documents.news import FeedEvent
from matches.storage import order
from matches.storage.order import Place
from matches.storage.repository import BrokenRecord

_MOST_MATCHES = 50
"""A page has events of at most so many matches, as each may have to be folded first."""
_WINDOW = 1000
_WINDOWS = 20
"""A page reads at most so many windows of the order; the first is as small as the page, the next ones grow."""


class Mark(NamedTuple):
    """A reader's position: after the last event that it received, so that the mark reveals nothing about other events;
    or at a position, after many events that it may not see."""

    stream: UUID | None = None
    version: int = 0
    late: bool = False
    hash: str = ""
    position: int = 0


class Lost(Exception):
    """The log no longer holds the last event that the reader received."""


class FeedPage(NamedTuple):
    """A part of the feed, the mark after it, and True if there may be more by now."""

    results: list[FeedEvent]
    mark: Mark
    more: bool


class _Taken(NamedTuple):
    """The versions of a place that the reader gets."""

    match: Match
    place: Place
    versions: list[int]


def page_since(account: UUID, mark: Mark, limit: int, streams: Collection[UUID] | None = None) -> FeedPage:
    """Return what the account may see after a mark, at most `limit` events, of these matches or of all. Raise Lost.

    Of a match that spectators see late, a player sees at once what has happened since taking the seat; everybody else
    sees each event once its delay is over. An account that gets or loses a seat meanwhile misses nothing that it may
    see, but may see some events twice.
    """
    order.place()
    start = _position_of(mark)
    taken, reached, more = _gather(account, mark, start, limit, streams)
    results, last, stalled = _serialized(account, taken)
    if last is not None or stalled or not more:
        return FeedPage(results, last or mark, more and not stalled)
    return FeedPage([], Mark(position=reached), more)


def matches_of(account: UUID, match: UUID | None, season: UUID | None, mine: bool) -> list[UUID] | None:
    """Return the ids of the matches to which a reader narrows the feed, of those that they may see; None without a
    filter."""
    wanted = Q(id=match) if match else Q()
    if season:
        wanted &= Q(season=season)
    if mine:
        wanted &= Q(id__in=Seat.objects.filter(account=account).values("match_id"))
    if not wanted:
        return None
    return list(Match.objects.filter(wanted & permissions.visibility_filter(account)).values_list("id", flat=True))


def _position_of(mark: Mark) -> int:
    if mark.stream is None:
        return mark.position
    position = order.position_of(mark.stream, mark.version, mark.late, mark.hash)
    if position is None:
        raise Lost
    return position


def _gather(
    account: UUID, mark: Mark, start: int, limit: int, streams: Collection[UUID] | None
) -> tuple[list[_Taken], int, bool]:
    """Return what to show from a position on, the position to continue from, and True if there may be more."""
    reached, taken, matches_taken = start, list[_Taken](), set[UUID]()
    # One more than the page has events: of the first place all may have been received.
    window, places_left = min(limit + 1, _WINDOW), _WINDOW * _WINDOWS
    while places_left > 0:
        # Read places first, rights after: an account that one of these events seats is then found seated.
        places = order.read(reached, window, streams)
        rights = _Rights(account, {place.stream for place in places})
        for place in places:
            after = mark.version if mark.stream and place.position == start else 0
            versions = list(range(max(place.first, after + 1), place.last + 1))
            if not versions or not rights.hold_at(place):
                continue
            if not limit or len(matches_taken | {place.stream}) > _MOST_MATCHES:
                return taken, place.position, True
            taken.append(_Taken(rights.matches[place.stream], place, versions[:limit]))
            if len(versions) > limit:
                return taken, place.position + 1, True
            limit -= len(versions)
            matches_taken.add(place.stream)
        if len(places) < window:
            return taken, reached, False
        reached = places[-1].position + 1
        # If the reader may see few of them, larger windows need fewer queries.
        places_left, window = places_left - window, min(4 * window, _WINDOW)
    return taken, reached, True


class _Rights:
    """The matches that an account may see, and since which version it sits at those that spectators see late."""

    def __init__(self, account: UUID, streams: Collection[UUID]) -> None:
        visible = Match.objects.filter(permissions.visibility_filter(account), id__in=streams)
        self.matches = {match.id: match for match in visible.only("id", "code", "game", "season", "spectator_delay")}
        delayed = [match.id for match in self.matches.values() if match.spectator_delay]
        seated = Seat.objects.filter(account=account, match__in=delayed).values_list("match_id", flat=True)
        self._seated_since = {match_id: _seated_since(match_id, account) for match_id in seated}

    def hold_at(self, place: Place) -> bool:
        """True if the account gets a place's events there, and not at their other place or never."""
        match = self.matches.get(place.stream)
        if match is None or not match.spectator_delay:
            return match is not None
        since = self._seated_since.get(match.id)
        return place.late == (since is None or place.last < since)


def _seated_since(match_id: UUID, account: UUID) -> int:
    """Return the version at which the account got the seat that it holds."""
    seatings = LoggedEvent.objects.filter(stream=match_id, type__in=("seat_taken", "seat_substituted"))
    version: int | None = seatings.filter(public__player=str(account)).aggregate(Max("version"))["version__max"]
    return version or 1


def _serialized(account: UUID, taken: list[_Taken]) -> tuple[list[FeedEvent], Mark | None, bool]:
    """Return the events, the mark after them, and True if they end before one that can't be seen yet."""
    by_match = {match_id: _told_by_match(account, match_id, taken) for match_id in {it.match.id for it in taken}}
    results, last = list[FeedEvent](), None
    for match, place, versions in taken:
        if (match_events := by_match[match.id]) is None:
            continue
        witness, events = match_events
        for version in versions:
            # The database's clock was set back: what was due isn't any more.
            if version not in events:
                return results, last, True
            event = events[version]
            results.append(FeedEvent(match.id, match.code, match.game, match.season_id, witness, event))
            last = Mark(match.id, version, place.late, event["hash"][:12])
    return results, last, False


def _told_by_match(account: UUID, match_id: UUID, taken: list[_Taken]) -> tuple[str, dict[int, dict[str, Any]]] | None:
    """Return the name of the account's witness at a match and its events by version; None if the account may see none,
    or if the record is broken."""
    versions = [version for it in taken if it.match.id == match_id for version in it.versions]
    first, last = min(versions), max(versions)
    try:
        entitlement = entitlements.entitled(match_id, str(account))
        page = feed.events(match_id, entitlement.witness, first - 1, last - first + 1, entitlement.upto)
    except (entitlements.NotEntitled, BrokenRecord):
        return None
    return entitlements.witness_name(entitlement.witness), {event["version"]: event for event in page.results}
