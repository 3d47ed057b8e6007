"""Queries beside the log: matches, their seats, and accounts."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db.models import (
    Case,
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    When,
    Window,
)
from django.db.models.functions import Now, Random, RowNumber
from django.utils import timezone
from msgspec import UNSET

from events import chain, distribution, projections
from events.pipeline import array, roundtrip
from events.records import Point
from events.store import raw_connection
from games.kernel import SPECTATOR
from matches.domain import show
from matches.domain.fair_queue import Work
from matches.domain.names import name_key
from matches.models import Account, Deadline, Match, PlayerResult, Seat
from matches.reads import feed, permissions
from matches.reads.documents.match import MatchCard, OpenTo, PlayerDocument, SeatDocument
from matches.reads.titles import title_of
from matches.storage import codes, node_outages
from matches.storage.raw_models import columns, fill, model_of_row
from matches.storage.repository import BrokenRecord

LONGEST_DELAY = timedelta(hours=1)
"""The longest delay of spectators that a match may have."""

_MARGIN = timedelta(minutes=1)
"""Margin for the difference between this clock and the database's."""

_TO_COME = (Match.Status.WAITING, Match.Status.RUNNING, Match.Status.PAUSED)


class ClockTimestamp(Func):
    """The database's current time, not that of the transaction's start."""

    function = "clock_timestamp"
    output_field = DateTimeField()


# With joins instead of EXISTS, which a distributed database would ask of every node.
_STANDING = f"""
SELECT {columns(Match)}, coalesce(d.falls_at < clock_timestamp(), false)
FROM matches_match LEFT JOIN matches_deadline d ON d.match_id = matches_match.id WHERE
"""  # noqa: S608  made of the models' own names
_SEATED = f"""
SELECT {columns(Seat)}, {columns(Account)}
FROM matches_match JOIN matches_seat ON matches_seat.match_id = matches_match.id
LEFT JOIN matches_account ON matches_account.id = matches_seat.account_id
"""  # noqa: S608  made of the models' own names
_STANDING_OF = """
SELECT h.stream, h.version, h.hash, coalesce(d.falls_at < clock_timestamp(), false)
FROM events_head h JOIN matches_match m ON m.id = h.stream
LEFT JOIN matches_deadline d ON d.match_id = h.stream WHERE h.stream = ANY($1)
"""
_MOVED_FROM = """
SELECT k.id, h.version, h.hash, d.falls_at IS NOT NULL
FROM unnest($1::uuid[], $2::int[], $3::bytea[]) AS k (id, version, hash)
LEFT JOIN matches_match m ON m.id = k.id
LEFT JOIN events_head h ON h.stream = m.id
LEFT JOIN matches_deadline d ON d.match_id = m.id AND d.falls_at < clock_timestamp()
WHERE h.version IS DISTINCT FROM k.version OR h.hash IS DISTINCT FROM k.hash OR d.falls_at IS NOT NULL
"""
_BY_ID = f"{_STANDING} matches_match.id = $1", f"{_SEATED} WHERE matches_match.id = $1 ORDER BY number"
_BY_CODE = f"{_STANDING} code = $1", f"{_SEATED} WHERE code = $1 ORDER BY number"


def match_by(name: str) -> Match | None:
    """Return a match by its id or its short code, with its seats; `overdue` is True if a flag should have fallen."""
    try:
        sought: UUID | str = UUID(name)
    except ValueError:
        sought = name.upper()
        if not (sought.isascii() and sought.isalnum()):
            return None
        sought = codes.match_id_of(sought) or sought
    statements = _BY_ID if isinstance(sought, UUID) else _BY_CODE
    rows, seated = roundtrip(raw_connection(), [(sql, (sought,)) for sql in statements])
    if not rows:
        return None
    match = model_of_row(Match, rows[0])
    match.overdue = rows[0][-1]
    fill(match, "seats", [_seat(match, row) for row in seated])
    return match


def _seat(match: Match, row: tuple[Any, ...]) -> Seat:
    seat = model_of_row(Seat, row)
    seat.match, seat.account = match, model_of_row(Account, row, after=Seat) if seat.account_id else None
    return seat


def matches_for(
    account: Account | None,
    *,
    status: str = "",
    game: str = "",
    player: UUID | None = None,
    seated: UUID | None = None,
    needs_me: bool = False,
    season: UUID | None = None,
) -> QuerySet[Match]:
    """Return the matches that fit and that this account, or an anonymous caller, may see, each with its seats.

    Besides those of a `status` it includes those that may still have it in a delayed view: see `visible_to`.
    """
    reader = account.id if account else None
    wanted = permissions.visibility_filter(reader)
    if season:
        wanted &= Q(season_id=season)
    if status:
        wanted &= Q(status=status) | _perhaps_otherwise(reader)
    if game:
        wanted &= Q(game=game)
    for sitter in filter(None, (player, seated)):
        wanted &= Q(id__in=Seat.objects.filter(account_id=sitter).values("match_id"))
    if needs_me and account:
        wanted &= Q(needs__contains=[account.id], id__in=account.seats.values("match_id"))
    return Match.objects.filter(wanted).prefetch_related("seats__account")


def matches_on_show() -> QuerySet[Match]:
    """Return the public matches that run, or may still do so in a delayed view, each with its seats."""
    running = Q(status=Match.Status.RUNNING) | _perhaps_otherwise(None)
    return Match.objects.filter(permissions.visibility_filter(None) & running).prefetch_related("seats__account")


def newest_show() -> Match | None:
    """Return the show match of the front page, or the last one, with its seats; None before the first."""
    shown = Match.objects.filter(opened_by=show.OPENER).prefetch_related("seats__account")
    return shown.order_by("-opened_at").exclude(status=Match.Status.WAITING).first()


def _perhaps_otherwise(reader: UUID | None) -> Q:
    """Return the filter for matches whose delayed view, as spectators have it, may differ from their rows."""
    # The longest delay only enables the index range.
    late = Q(spectator_delay__gt=0, changed_at__gt=Now() - LONGEST_DELAY)
    late &= Q(changed_at__gt=Now() - permissions.spectator_delay(_MARGIN))
    return late & ~Q(id__in=Seat.objects.filter(account_id=reader).values("match_id")) if reader else late


def with_seats(match_ids: Collection[UUID]) -> QuerySet[Match]:
    return Match.objects.filter(id__in=match_ids).prefetch_related("seats")


def matches_known_over(account: Account) -> QuerySet[Match]:
    """Return the matches whose end this account may know: with a delay, once that has passed."""
    mine = Q(id__in=Seat.objects.filter(account_id=account.id).values("match_id"))
    announced = Q(spectator_delay=0) | Q(finished_at__lte=Now() - permissions.spectator_delay())
    return matches_for(account).filter(mine | announced)


def visible_to(matches: Iterable[Match], reader: UUID | None, *statuses: str) -> list[Match]:
    """Return the matches as this reader may see them, filtered by these statuses in that view; without any, all.

    A reader without a seat at a match with a spectator delay sees it as of the start of the delay. A match whose record
    is broken is left out during the delay, so that the others can be listed.
    """
    visible = [_as_visible_to(match, reader) for match in matches]
    return [match for match in visible if match and (not statuses or match.status in statuses)]


def _as_visible_to(match: Match, reader: UUID | None) -> Match | None:
    if not match.spectator_delay or timezone.now() - match.changed_at > timedelta(seconds=match.spectator_delay + 5):
        return match
    if reader and any(seat.account_id == reader for seat in match.seats.all()):
        return match
    try:
        then = feed.visible_state(match.id, SPECTATOR)
    except BrokenRecord:
        return None
    match.status, match.version, match.changed_at = then.lifecycle.status, then.version, chain.instant(then.at)
    match.finished_at = match.finished_at if then.lifecycle.over else None
    for seat in match.seats.all():
        # A move accepts a seat, so its acceptance is shown no earlier than the move.
        seat.awaited = seat.number in then.lifecycle.awaited
    return match


def card(match: Match, account: Account | None) -> MatchCard:
    """Return a match as a card in a list for this account, or an anonymous caller; `match` comes from `visible_to`."""
    return MatchCard(
        id=match.id,
        code=match.code,
        game=match.game,
        title=title_of(match),
        status=match.status,
        version=match.version,
        seats=seats_of(match),
        needs_me=account is not None and account.id in match.needs,
        opened_at=match.opened_at,
        opens_at=match.opens_at,
        changed_at=match.changed_at,
        finished_at=match.finished_at,
    )


def cards_that_need(account: Account, most: int = 100) -> list[MatchCard]:
    """Return the matches that wait for an account, the last to change first."""
    return [card(match, account) for match in matches_for(account, needs_me=True).order_by("-changed_at")[:most]]


class Standing(NamedTuple):
    """The newest point of a match; `overdue` is True if a flag should have fallen."""

    match_id: UUID
    newest: Point
    overdue: bool


def standing_of(match_ids: Collection[UUID]) -> list[Standing]:
    """Return the standings of those of these matches that exist."""
    (rows,) = roundtrip(raw_connection(), [(_STANDING_OF, (array(map(str, match_ids)),))])
    return [Standing(match_id, Point(version, hash), overdue) for match_id, version, hash, overdue in rows]


def moved_from(points: Mapping[UUID, Point]) -> tuple[list[Standing], set[UUID]]:
    """Return the standings of those of these matches whose newest point differs or which are overdue; and the ids of
    those that don't exist."""
    versions, hashes = zip(*points.values(), strict=True)
    (rows,) = roundtrip(raw_connection(), [(_MOVED_FROM, (array(map(str, points)), array(versions), array(hashes)))])
    moved = [Standing(id, Point(version, hash), overdue) for id, version, hash, overdue in rows if version is not None]
    return moved, {id for id, version, *_ in rows if version is None}


def seats_of(match: Match, invitations: dict[int, str] | None = None) -> list[SeatDocument]:
    """Return the seats of a match; pass `invitations` only in the response to the opener."""
    links = invitations or {}
    return [
        SeatDocument(
            seat.number,
            _player(seat),
            seat.role,
            accepted=False if seat.awaited else UNSET,
            invitation=links.get(seat.number) or UNSET,
            open_to=open_to(match, seat) or UNSET,
        )
        for seat in sorted(match.seats.all(), key=lambda seat: seat.number)
    ]


def open_to(match: Match, seat: Seat) -> OpenTo | None:
    """Return the audience of an open seat; None if it is taken, or open only by its link."""
    is_open = match.status == Match.Status.WAITING and seat.account_id is None and not seat.is_bot
    if not is_open or seat.open_to is None:
        return None
    return "named" if seat.open_to else "anybody"


def _player(seat: Seat) -> PlayerDocument | Literal["bot"] | None:
    if seat.is_bot:
        return "bot"
    return person(seat.account) if seat.account else None


def person(account: Account) -> PlayerDocument:
    return PlayerDocument(account.id, account.username, account.portrait)


def accounts_exist(ids: set[UUID]) -> bool:
    """True if every one of these accounts exists and is active."""
    return Account.objects.filter(id__in=ids, is_active=True).count() == len(ids)


_OWNER = Case(When(season=None, then=F("opened_by_id")), default=F("id"))
"""The owner to whom a match's share of the workers is counted: its opener; a season's match is its own owner."""


def _has_people() -> Exists:
    return Exists(Seat.objects.filter(match_id=OuterRef("id"), account__isnull=False, stood_in=False))


def matches_that_wait_for_the_house(most: int = 200) -> list[UUID]:
    """Return running matches whose dealer or bot should have acted a second ago: their hint was lost.

    One of each owner, then a second one of each, and so on, those with people first; otherwise in random order, so that
    matches that can't go on don't block others.
    """
    late = Match.objects.filter(wake=True, changed_at__lt=Now() - timedelta(seconds=1))
    theirs = Window(RowNumber(), partition_by=[_OWNER, _has_people()], order_by=Random())
    fairly = late.annotate(turn=theirs, has_people=_has_people()).order_by("turn", "-has_people", "?")
    return list(fairly.values_list("id", flat=True)[:most])


def work_of(match_ids: Collection[UUID]) -> list[Work]:
    """Return the work for those of these matches that wait for dealer or bot, in their order."""
    waiting = Match.objects.filter(id__in=match_ids, wake=True).annotate(owner=_OWNER, has_people=_has_people())
    by_match = {
        match_id: Work(match_id, owner, alone=not has_people)
        for match_id, owner, has_people in waiting.values_list("id", "owner", "has_people")
    }
    return [by_match[match_id] for match_id in match_ids if match_id in by_match]


def flags_to_fall(within_seconds: float, most: int = 2000) -> list[tuple[UUID, float]]:
    """Return the matches whose next flag falls within so many seconds, earliest first, with the seconds until then."""
    if distribution.is_distributed():
        return node_outages.flags_to_fall(within_seconds, most)
    # The statement's own instant: with clock_timestamp() the index could not be used.
    until = ExpressionWrapper(F("falls_at") - Now(), output_field=DurationField())
    soon = Now() + timedelta(seconds=within_seconds)
    due = Deadline.objects.filter(falls_at__lt=soon).order_by("falls_at").annotate(until=until)
    return [(match_id, left.total_seconds()) for match_id, left in due.values_list("match_id", "until")[:most]]


def matches_on_the_clock_since(instant: datetime, most: int = 500) -> list[UUID]:
    """Return running matches with a running clock in which nothing has happened since an instant."""
    on_the_clock = Match.objects.filter(status=Match.Status.RUNNING, deadline__falls_at__isnull=False)
    running = on_the_clock.filter(changed_at__lt=instant)
    return list(running.order_by("changed_at").values_list("id", flat=True)[:most])


def winners_of(match_ids: Collection[UUID]) -> dict[UUID, frozenset[int]]:
    """Return the winning seats of those of these matches that are over."""
    current = projections.generation("results")
    rows = PlayerResult.objects.filter(generation=current, match_id__in=match_ids, won=True)
    winners: dict[UUID, set[int]] = {}
    for match_id, seat in rows.values_list("match_id", "seat"):
        winners.setdefault(match_id, set()).add(seat)
    return {match_id: frozenset(seats) for match_id, seats in winners.items()}


def name_of(account_id: UUID) -> str:
    return Account.objects.values_list("username", flat=True).get(id=account_id)


def account_named(name: str) -> Account | None:
    """Return the active account with this name, in any spelling with the same key."""
    return Account.objects.filter(name_key=name_key(name), is_active=True).first()


def matches_to_start(most: int = 200) -> list[UUID]:
    """Return scheduled matches whose start or set-up is due, and whose seats are all taken by active accounts or bots;
    without those that wait for a check-in."""
    nobodys = Q(account=None, is_bot=False) | Q(account__is_active=False)
    open_seats = Seat.objects.filter(nobodys, match_id=OuterRef("id"))
    waiting = Match.objects.filter(status=Match.Status.WAITING, starts_at__lte=Now(), awaits_check_in=False)
    due = waiting.filter(~Exists(open_seats))
    return list(due.order_by("starts_at").values_list("id", flat=True)[:most])


def running_of_season(season_id: UUID, most: int = 20) -> QuerySet[Match]:
    """Return a season's matches under way, or shown as such in a delayed view, the last to change first."""
    under_way = Q(status__in=(Match.Status.RUNNING, Match.Status.PAUSED)) | _perhaps_otherwise(None)
    running = Match.objects.filter(under_way, season_id=season_id)
    return running.select_related("deadline").prefetch_related("seats__account").order_by("-changed_at")[:most]


def to_come_in_season(season_id: UUID, reader: Account | None) -> list[Match]:
    """Return the matches of a season that aren't over as far as this reader may know, the first opened first."""
    account = reader.id if reader else None
    open_ = Q(status__in=_TO_COME) | _perhaps_otherwise(account)
    unfinished = Match.objects.filter(permissions.visibility_filter(account) & open_, season_id=season_id)
    return visible_to(unfinished.prefetch_related("seats__account").order_by("opened_at", "id"), account, *_TO_COME)


def record_of(account_id: UUID, reader: Account) -> QuerySet[PlayerResult]:
    """Return the account's results, of matches that count and whose end the reader may know."""
    return PlayerResult.objects.filter(
        generation=projections.generation("results"),
        account_id=account_id,
        match_id__in=matches_known_over(reader).values("id"),
        counts=True,
    )
