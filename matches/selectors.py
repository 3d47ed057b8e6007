"""The reads beside the log: which matches there are, who sits where, who is who."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import (
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
)
from django.db.models.functions import Now

from events import projections
from games import catalogue
from matches import membership
from matches.accounts import name_key
from matches.documents import MatchCard, PlayerDocument, SeatDocument
from matches.models import Account, Deadline, Match, PlayerResult, Seat


class ClockTimestamp(Func):
    """The database's clock at this moment, not at the transaction's start."""

    function = "clock_timestamp"
    output_field = DateTimeField()


def match_by(name: str) -> Match | None:
    """A match by its id or its short code, with its seats; `overdue` tells that a flag should have fallen."""
    late = Exists(Deadline.objects.filter(match_id=OuterRef("id"), falls_at__lt=ClockTimestamp()))
    found = Match.objects.prefetch_related("seats__account").annotate(overdue=late)
    try:
        return found.filter(id=UUID(name)).first()
    except ValueError:
        return found.filter(code=name.upper()).first()


def matches_for(
    account: Account,
    *,
    status: str = "",
    game: str = "",
    player: UUID | None = None,
    seated: UUID | None = None,
    needs_me: bool = False,
    season: UUID | None = None,
) -> QuerySet[Match]:
    """The matches that fit and that this account may see, each with its seats."""
    wanted = membership.seen_by(account.id)
    if season:
        wanted &= Q(season_id=season)
    if status:
        wanted &= Q(status=status)
    if game:
        wanted &= Q(game=game)
    for sitter in filter(None, (player, seated)):
        wanted &= Q(id__in=Seat.objects.filter(account_id=sitter).values("match_id"))
    if needs_me:
        wanted &= Q(needs__contains=[account.id], id__in=account.seats.values("match_id"))
    return Match.objects.filter(wanted).prefetch_related("seats__account")


def matches_on_show() -> QuerySet[Match]:
    """The running matches that even a passer-by may hear of, each with its seats."""
    running = Match.objects.filter(membership.seen_by(None), status=Match.Status.RUNNING)
    return running.prefetch_related("seats__account")


def card(match: Match, account: Account) -> MatchCard:
    """A match as it stands in a list."""
    return MatchCard(
        id=match.id,
        code=match.code,
        game=match.game,
        title=catalogue[match.game].title,
        status=match.status,
        version=match.version,
        seats=seats_of(match),
        needs_me=account.id in match.needs,
        opened_at=match.opened_at,
        opens_at=match.opens_at,
        changed_at=match.changed_at,
        finished_at=match.finished_at,
    )


def cards_that_need(account: Account, most: int = 100) -> list[MatchCard]:
    """The matches that wait for an account, those that moved last first."""
    return [card(match, account) for match in matches_for(account, needs_me=True).order_by("-changed_at")[:most]]


def versions_of(match_ids: list[UUID]) -> list[tuple[UUID, int, bool]]:
    """Of each of these matches its newest version, and whether a flag of it should have fallen."""
    late = Exists(Deadline.objects.filter(match_id=OuterRef("id"), falls_at__lt=ClockTimestamp()))
    return list(Match.objects.filter(id__in=match_ids).annotate(overdue=late).values_list("id", "version", "overdue"))


def seats_of(match: Match, invitations: dict[int, str] | None = None) -> list[SeatDocument]:
    """Who sits where; `invitations` only in the answer to the opener."""
    told = invitations or {}
    return [
        SeatDocument(seat.number, _player(seat), seat.role, **_invitation(told.get(seat.number)))
        for seat in sorted(match.seats.all(), key=lambda seat: seat.number)
    ]


def _player(seat: Seat) -> PlayerDocument | str | None:
    if seat.is_bot:
        return "bot"
    return PlayerDocument(seat.account.id, seat.account.username) if seat.account else None


def _invitation(told: str | None) -> dict[str, str]:
    return {"invitation": told} if told else {}


def accounts_exist(ids: set[UUID]) -> bool:
    """Whether every one of these accounts is there and active."""
    return Account.objects.filter(id__in=ids, is_active=True).count() == len(ids)


def matches_that_wait_for_the_house(most: int = 200) -> list[UUID]:
    """Running matches whose dealer or bot should have acted a second ago: their hint was lost.

    In no order, so that matches which can't go on never stand before all others.
    """
    late = Match.objects.filter(wake=True, changed_at__lt=Now() - timedelta(seconds=1))
    return list(late.order_by("?").values_list("id", flat=True)[:most])


def flags_to_fall(within_seconds: float, most: int = 2000) -> list[tuple[UUID, float]]:
    """The matches whose next flag falls within so many seconds, first ones first, with the seconds until then."""
    # The statement's own instant: against a clock that goes on while it runs, the index would be of no use.
    until = ExpressionWrapper(F("falls_at") - Now(), output_field=DurationField())
    soon = Now() + timedelta(seconds=within_seconds)
    due = Deadline.objects.filter(falls_at__lt=soon).order_by("falls_at").annotate(until=until)
    return [(match_id, left.total_seconds()) for match_id, left in due.values_list("match_id", "until")[:most]]


def matches_on_the_clock_since(instant: datetime, most: int = 500) -> list[UUID]:
    """Running matches with a running clock in which nothing has happened since an instant."""
    on_the_clock = Match.objects.filter(status=Match.Status.RUNNING, deadline__falls_at__isnull=False)
    running = on_the_clock.filter(changed_at__lt=instant)
    return list(running.order_by("changed_at").values_list("id", flat=True)[:most])


def winners_of(match_ids: Collection[UUID]) -> dict[UUID, frozenset[int]]:
    """The seats that have won, of those of these matches that are over."""
    current = projections.generation("results")
    rows = PlayerResult.objects.filter(generation=current, match_id__in=match_ids, won=True)
    winners: dict[UUID, set[int]] = {}
    for match_id, seat in rows.values_list("match_id", "seat"):
        winners.setdefault(match_id, set()).add(seat)
    return {match_id: frozenset(seats) for match_id, seats in winners.items()}


def name_of(account_id: UUID) -> str:
    """What the account is called."""
    return Account.objects.values_list("username", flat=True).get(id=account_id)


def account_named(name: str) -> Account | None:
    """The active account with this name, however it is typed."""
    return Account.objects.filter(name_key=name_key(name), is_active=True).first()


def matches_to_start(most: int = 200) -> list[UUID]:
    """Scheduled matches whose start, or set-up, should have begun, and whose seats are all taken."""
    open_seats = Seat.objects.filter(match_id=OuterRef("id"), account=None, is_bot=False)
    due = Match.objects.filter(~Exists(open_seats), status=Match.Status.WAITING, starts_at__lte=Now())
    return list(due.order_by("starts_at").values_list("id", flat=True)[:most])


def running_of_season(season_id: UUID, most: int = 20) -> QuerySet[Match]:
    """A season's matches under way, the last ones to change first."""
    running = Match.objects.filter(season_id=season_id, status__in=(Match.Status.RUNNING, Match.Status.PAUSED))
    return running.select_related("deadline").prefetch_related("seats__account").order_by("-changed_at")[:most]


def record_of(account_id: UUID) -> list[PlayerResult]:
    """How the account's last hundred matches went, newest first."""
    current = projections.generation("results")
    rows = PlayerResult.objects.filter(generation=current, account_id=account_id)
    return list(rows.order_by("-finished_at")[:100])
