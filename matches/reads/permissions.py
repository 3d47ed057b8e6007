"""Visibility of matches: every signed-in account sees a public match; members and the house's organisers one of a
private season; its players and the house's organisers a rematch that would reveal an end to delayed spectators. Also
who plays in a season and so may not run it."""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.db.models import DurationField, Exists, ExpressionWrapper, F, OuterRef, Q, Value
from django.db.models.functions import Now

from events.models import LoggedEvent
from matches.domain import impartiality
from matches.domain.guests import not_for_guests
from matches.domain.lifecycle import Lifecycle
from matches.models import Account, Match, Seat

_STAFF = ("organiser", "host", "auditor")


def visibility_filter(account: UUID | str | OuterRef | None) -> Q:
    """Return the filter for the matches that this account may see; None is an anonymous caller, an OuterRef one of an
    outer query."""
    # `storage.batch:SEES_SEASON` has the same conditions on the season; change them together.
    public = Q(season=None) | Q(season__public=True)
    if account is None:
        return public & ~_tells_of_an_end()
    mine = Account.objects.filter(id=account, memberships__season=OuterRef("season"))
    seated = Seat.objects.filter(account=account, match=OuterRef("id"))
    of_the_house = Exists(Account.objects.filter(id=account, is_organiser=True))
    return (public | Exists(mine) | of_the_house) & (~_tells_of_an_end() | Exists(seated) | of_the_house)


def spectator_delay(margin: timedelta = timedelta()) -> ExpressionWrapper:
    """Return the delay of a match's spectators, with a margin."""
    delay = F("spectator_delay") * Value(timedelta(seconds=1)) + Value(margin)
    return ExpressionWrapper(delay, output_field=DurationField())


def _tells_of_an_end() -> Q:
    """Return the filter for rematches that would reveal the end of the match before, which delayed spectators see
    later."""
    return Q(rematch_of__isnull=False, spectator_delay__gt=0, opened_at__gt=Now() - spectator_delay())


def may_see(match_id: UUID, account: UUID | str | None) -> bool:
    return Match.objects.filter(visibility_filter(account), id=match_id).exists()


def plays_in(season_id: UUID | str, account: UUID | str) -> bool:
    """True if the account plays in the season or ever did: as one of its players, or in a seat that a host gave it at
    one of its matches."""
    players = Account.objects.filter(memberships__season=season_id, memberships__role="player")
    seated = Match.objects.filter(season=season_id, seats__account=account)
    return players.filter(id=account).exists() or seated.exists() or _left_a_seat(season_id, account)


def runs(season_id: UUID | str, account: UUID | str) -> bool:
    """True if the account may run the season: it is of its staff, or an organiser of the house who
    doesn't play in it."""
    staff = Q(memberships__season=season_id, memberships__role__in=_STAFF)
    officials = Account.objects.filter(Q(is_organiser=True) | staff, id=account)
    return officials.exists() and not plays_in(season_id, account)


def hosts_to_call(match: Match, lifecycle: Lifecycle) -> list[UUID]:
    """Return the accounts to tell that a match waits for its host: the season's organisers and hosts, or whoever opened
    a friendly; nobody who plays."""
    if match.season_id is None:
        opener = match.opened_by_id
        plays = lifecycle.seat_of(str(opener)) is not None or impartiality.plays(lifecycle, str(opener))
        return [] if plays else [opener]
    staff = Account.objects.filter(memberships__season=match.season_id, memberships__role__in=("organiser", "host"))
    return [it for it in staff.values_list("id", flat=True) if not plays_in(match.season_id, it)]


def refuse_guests(accounts: Iterable[UUID | str], why: str) -> None:
    """Raise not_for_guests with this reason if one of these accounts is a guest."""
    if Account.objects.filter(id__in=list(accounts)).exclude(guest_until=None).exists():
        raise not_for_guests(why)


def _left_a_seat(season_id: UUID | str, account: UUID | str) -> bool:
    """True if the account was once seated at a match of the season; the seats' rows hold only the current players."""
    matches = Match.objects.filter(season=season_id).values("id")
    seatings = LoggedEvent.objects.filter(stream__in=matches, type="seat_substituted")
    return seatings.filter(public__player=str(account)).exists()
