"""Calendars (iCalendar, RFC 5545): one of each season, one of each player over all their seasons. They have the matches
with a time, and the end of the round that is open in each contest.

Anybody may read the calendar of a public season. All others are read at an address with a secret, because calendar
programs send no token: whoever has the address reads what its account may see now. Only a hash of the secret is stored.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from matches.domain.clocks import instant
from matches.models import Account
from matches.seasons import repository
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.models import CalendarLink, Member
from matches.seasons.models import Season as SeasonRow
from matches.seasons.reads import selectors
from matches.seasons.reads.beginnings import early
from matches.seasons.reads.event_documents import NOBODY, display_names, names_of
from matches.seasons.reads.open_rounds import OpenRound, open_rounds

if TYPE_CHECKING:
    from icalendar import Event

CONTENT_TYPE = "text/calendar; charset=utf-8"
_KINDS = {"main": "Main match", "death": "Death match", "final": "Match of the final"}
_LASTS = timedelta(hours=1)
_STATUS = {"annulled": "CANCELLED"}
_REFRESH = timedelta(minutes=30)


class Calendar(NamedTuple):
    """Contents of a calendar: the matches of these seasons that `player` plays, or all their matches if it is None."""

    title: str
    seasons: list[SeasonRow]
    player: str | None


@transaction.atomic
def make(account: Account, season: SeasonRow | None) -> str:
    """Return a new secret for the calendar of a season that the account may see, or with None for its own calendar. The
    earlier secret becomes invalid. Only a hash of the new one is stored, so that it can't be read again."""
    # Two at once would each make one, of which the constraint refuses the second.
    Account.objects.select_for_update(no_key=True).get(id=account.id)
    revoke(account, season)
    secret = secrets.token_urlsafe(32)
    CalendarLink.objects.create(account=account, season=season, digest=_digest(secret), made_at=timezone.now())
    return secret


def revoke(account: Account, season: SeasonRow | None) -> bool:
    """Revoke the account's address of this calendar; return True if there was one."""
    gone, _ = CalendarLink.objects.filter(account=account, season=season).delete()
    return bool(gone)


def links_of(account: Account) -> list[CalendarLink]:
    """Return the account's valid addresses, oldest first, without their secrets."""
    return list(CalendarLink.objects.filter(account=account).select_related("season").order_by("made_at"))


def load_calendar(secret: str) -> Calendar | None:
    """Return the calendar of a secret address; None if the address was never made or is revoked."""
    link = CalendarLink.objects.select_related("account", "season").filter(digest=_digest(secret)).first()
    if link is None or not link.account.is_active:
        return None
    if link.season is None:
        return of_player(link.account)
    season = selectors.season_for(link.account, link.season.id)
    return of_season(season) if season else None


def of_season(season: SeasonRow) -> Calendar:
    """Return the calendar of all matches of a season."""
    return Calendar(season.title, [season], None)


def of_player(account: Account) -> Calendar:
    """Return the calendar of the matches that an account plays in all its seasons."""
    mine = Member.objects.filter(account=account, role=Member.Role.PLAYER).values("season")
    seasons = list(selectors.seasons_for(account).filter(id__in=mine))
    return Calendar(f"Croupier: {account.username}", seasons, str(account.id))


def written(calendar: Calendar, address: str) -> bytes:
    """Return the calendar as an iCalendar file, with links to pages below `address`. Raise BrokenRecord."""
    # It takes a good part of a second to import, and most processes never write one.
    import icalendar

    document = icalendar.Calendar()
    document.add("prodid", "-//Croupier//croupier//EN")
    document.add("version", "2.0")
    document.add("calscale", "GREGORIAN")
    document.add("name", calendar.title)
    document.add("x-wr-calname", calendar.title)
    document.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
    for season in calendar.seasons:
        for event in _events(season, calendar.player, address):
            document.add_component(event)
    return bytes(document.to_ical())


def _events(row: SeasonRow, player: str | None, address: str) -> "Iterator[Event]":
    season = repository.load(row.id)
    theirs = [it for it in season.matches.values() if player is None or player in it.players]
    contests = {UUID(it.id): it for it in theirs if it.contest and it.status == "scheduled"}
    for match_id, open_round in open_rounds(contests, UUID(player) if player else None).items():
        yield _round_end(row, season, contests[match_id], open_round, address)
    matches = [it for it in theirs if it.opens_at]
    names = names_of({who for match in matches for who in match.players}) | display_names(season)
    times = {UUID(it.id): datetime.fromisoformat(str(it.opens_at)) for it in matches}
    began = early(times, UUID(player) if player else None)
    for match in matches:
        at = began.get(UUID(match.id))
        # Another time of the same event is a new sequence of it.
        actual = replace(match, opens_at=instant(at), moved=match.moved + 1, setup=0) if at else match
        yield _event(row, season, actual, [names.get(it, NOBODY) for it in match.players], address)


def _event(row: SeasonRow, season: Season, match: SeasonMatch, players: Iterable[str], address: str) -> "Event":
    import icalendar

    starts = datetime.fromisoformat(str(match.opens_at))
    event = icalendar.Event()
    event.add("uid", f"{match.id}@croupier")
    # When it is said, by RFC 5545; the same until something in the season is said anew.
    event.add("dtstamp", row.changed_at)
    event.add("dtstart", starts)
    event.add("dtend", starts + _LASTS)
    event.add("sequence", match.moved + (match.status == "annulled"))
    event.add("status", _STATUS.get(match.status, "CONFIRMED"))
    event.add("summary", f"{_KINDS[match.kind]}: {match.title}, {' - '.join(players)}")
    where = f"episode {match.episode}" if match.episode else "the final"
    event.add("description", f"{season.title}, {where}{_setup(match)}")
    event.add("url", f"{address}/m/{match.id}/")
    return event


def _round_end(row: SeasonRow, season: Season, match: SeasonMatch, open_round: OpenRound, address: str) -> "Event":
    """Return the end of the open round of a contest; that of the next round updates the same event."""
    import icalendar

    event = icalendar.Event()
    event.add("uid", f"{match.id}-round@croupier")
    event.add("dtstamp", row.changed_at)
    event.add("dtstart", open_round.closes_at)
    event.add("sequence", open_round.version)
    event.add("status", "CONFIRMED")
    ends = "is to be judged by its host" if open_round.is_judged else "closes"
    event.add("summary", f"{match.title}: round {open_round.number} of {open_round.total} {ends}")
    event.add("description", f"{season.title}, episode {match.episode}")
    event.add("url", f"{address}/m/{match.id}/")
    return event


def _setup(match: SeasonMatch) -> str:
    """Return the set-up period of a match as the end of a description; empty if it has none."""
    begins, closes = match.begins_at, match.setup_closes_at
    return f". Set up from {begins:%Y-%m-%d %H:%M} to {closes:%Y-%m-%d %H:%M} UTC." if begins and closes else ""


def address_of(secret: str, root: str) -> str:
    """Return the address of the calendar with this secret, below the public URL or else `root`."""
    return f"{settings.PUBLIC_URL or root}/calendars/{secret}.ics"


def forget(account_id: UUID, name: str, erased: str) -> None:
    """Delete the calendar addresses of an account that is erased."""
    CalendarLink.objects.filter(account_id=account_id).delete()


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
