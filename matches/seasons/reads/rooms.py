"""The rooms of a season as an account may know them, and what it may do in each.

Who sits at a match of the season that is under way knows the rooms as they were at its start, except private rooms
whose members all sit there too.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, DateTimeField, Exists, Max, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Now
from msgspec.structs import replace

from events.models import LoggedEvent
from matches.domain.talk import TalkFor
from matches.models import Account, Match, Seat
from matches.reads import permissions
from matches.seasons import repository
from matches.seasons.domain import rooms
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.rooms import Part, RoomKind, RoomRights
from matches.seasons.models import Member, Room, RoomLook, RoomMember, Season
from matches.seasons.reads import board
from matches.talk import settings
from matches.talk.reading import Ears

THREAD = "room"
"""The name of the thread of a room, and of its kind of talk in `Rights`."""
_STAFF = (Member.Role.ORGANISER, Member.Role.HOST, Member.Role.AUDITOR)
_MODERATORS = (Member.Role.ORGANISER, Member.Role.HOST)


class Wall(NamedTuple):
    """The wall around an account that sits at matches under way: the start of the first, and the accounts that sit at
    all of them. A match whose seats have changed hands has no such accounts."""

    since: datetime
    together: frozenset[UUID]


class Visitor(NamedTuple):
    """An account with what decides which of a season's rooms it knows."""

    account: Account
    season: Season
    options: SeasonOptions
    part: Part
    open_to: TalkFor
    wall: Wall | None

    @property
    def is_over(self) -> bool:
        return self.season.status == Season.Status.FINISHED

    def rights(
        self, kind: RoomKind, *, is_member: bool, is_closed: bool = False, is_walled: bool = False
    ) -> RoomRights:
        """Return the account's rights in a room of this kind."""
        return rooms.rights(
            kind, self.part, self.options, is_member=is_member, is_closed=is_closed, is_over=self.is_over,
            is_walled=is_walled, open_to=self.open_to,
        )  # fmt: skip


class KnownRoom(NamedTuple):
    """A room that an account knows. `ears` say what it hears there; `reads` is True for a host who has looked, too.
    `closed_at` is None if the account can't know yet that the room is closed."""

    room: Room
    rights: RoomRights
    ears: Ears
    is_member: bool
    is_walled: bool
    reads: bool
    closed_at: datetime | None


def visitor(account: Account, season: Season) -> Visitor:
    """Return the account as a visitor of the season's rooms; the caller has checked that it may see the season."""
    return visitors([account], season)[0]


def visitors(accounts: Sequence[Account], season: Season) -> list[Visitor]:
    """Return accounts that may see the season as visitors of its rooms."""
    ids = [account.id for account in accounts]
    roles = dict(Member.objects.filter(season=season.id, account__in=ids).values_list("account_id", "role"))
    seated = Match.objects.filter(season=season.id, status__in=board.UNDER_WAY, seats__account__in=ids)
    behind = {account: _wall_of(account, season.id) for account in seated.values_list("seats__account", flat=True)}
    options, open_to = repository.load(season.id).options, settings.open_to(season.id)
    return [
        Visitor(it, season, options, _part_of(it, roles.get(it.id), season.id), open_to, behind.get(it.id))
        for it in accounts
    ]


def rooms_of(it: Visitor) -> QuerySet[Room]:
    """Return the rooms that the visitor knows, for `opened`."""
    me = it.account.id
    membership = RoomMember.objects.filter(room=OuterRef("id"), account=me, left_at=None)
    looks = RoomLook.objects.filter(room_id=OuterRef("id"), by=me).order_by("-id").values("at")[:1]
    annotated = Room.objects.filter(season=it.season.id).annotate(
        is_member=Case(When(Exists(membership) | Q(subject=me), then=True), default=False),
        is_among=_is_among(it.wall),
        looked_at=Subquery(looks, output_field=DateTimeField()),
    )
    knows = Q(pk__in=[])
    for kind in rooms.KINDS:
        for is_member in (True, False):
            if it.rights(kind, is_member=is_member).knows:
                knows |= Q(kind=kind, is_member=is_member)
    if it.wall is not None:
        knows &= Q(opened_at__lt=it.wall.since) | Q(is_among=True)
    return annotated.filter(knows).select_related("opened_by", "subject")


def opened(it: Visitor, room: Room) -> KnownRoom:
    """Return a room of `rooms_of` with what the visitor may do in it."""
    entry = _entry(
        it, room, is_member=room.is_member, is_walled=it.wall is not None and not room.is_among,
        looked_at=room.looked_at,
    )  # fmt: skip
    if room.kind == Room.Kind.LOUNGE and entry.rights.writes and _knows_more_than_spectators(it):
        return entry._replace(rights=replace(entry.rights, writes=False))
    return entry


def ears_in(room: Room, accounts: Sequence[Account]) -> dict[UUID, Ears]:
    """Return how each of these accounts reads a room, without those that don't. The number of queries depends only on
    how many of them are officials or sit at matches."""
    members = set(RoomMember.objects.filter(room=room, left_at=None).values_list("account_id", flat=True))
    members |= {room.subject_id} - {None}
    ids = [account.id for account in accounts]
    looks = dict(RoomLook.objects.filter(room_id=room.id, by__in=ids).values_list("by").annotate(Max("at")))
    see = Account.objects.filter(Q(is_organiser=True) | Q(memberships__season=room.season_id), id__in=ids)
    own = set(see.values_list("id", flat=True))
    may_see = [it for it in accounts if room.season.public or it.id in own]
    ears = {}
    for it in visitors(may_see, room.season):
        account = it.account.id
        entry = (
            find(it, room.id)
            if it.wall is not None
            else _entry(it, room, is_member=account in members, is_walled=False, looked_at=looks.get(account))
        )
        if entry is not None and entry.reads:
            ears[account] = entry.ears
    return ears


def find(it: Visitor, room_id: UUID) -> KnownRoom | None:
    """Return the room of this id, or None if the visitor doesn't know one."""
    room = rooms_of(it).filter(id=room_id).first()
    return opened(it, room) if room is not None else None


def members_of(it: Visitor, known_rooms: Sequence[KnownRoom]) -> dict[UUID, list[Account]]:
    """Return the members of each room in the order of their names, as the visitor may know them."""
    members: dict[UUID, list[Account]] = {}
    by_id = {each.room.id: each for each in known_rooms}
    rows = RoomMember.objects.filter(room__in=by_id).select_related("account").order_by("account__username")
    for row in rows:
        since = it.wall.since if it.wall is not None and by_id[row.room_id].is_walled else None
        if row.left_at is None or (since is not None and row.left_at >= since and row.account_id != it.account.id):
            members.setdefault(row.room_id, []).append(row.account)
    return members


def participants(season_id: UUID) -> QuerySet[Account]:
    """Return the accounts that can be members of a season's private rooms: its players, former ones too, and staff."""
    members = Member.objects.filter(season=season_id)
    return Account.objects.filter(id__in=members.values("account"), is_active=True, guest_until=None)


def _part_of(account: Account, role: str | None, season: UUID) -> Part:
    has_role = account.is_organiser or role in _STAFF
    runs = has_role and not permissions.plays_in(season, account.id)
    return Part(
        plays=role == Member.Role.PLAYER,
        runs=runs,
        moderates=runs and (account.is_organiser or role in _MODERATORS),
        is_guest=account.is_guest,
    )


def _entry(it: Visitor, room: Room, *, is_member: bool, is_walled: bool, looked_at: datetime | None) -> KnownRoom:
    closed_at = room.closed_at
    if it.wall is not None and is_walled and closed_at is not None and closed_at >= it.wall.since:
        closed_at = None
    rights = it.rights(room.kind, is_member=is_member, is_closed=closed_at is not None, is_walled=is_walled)
    ears = Ears(until=it.wall.since if it.wall is not None and is_walled else None)
    if rights.looks:
        ears = Ears(until=looked_at)
    reads = rights.reads or (rights.looks and looked_at is not None)
    return KnownRoom(room, rights, ears, is_member, is_walled, reads, closed_at)


def _knows_more_than_spectators(it: Visitor) -> bool:
    """True if the visitor sits at a match that spectators see with a delay, or has looked at its truth, and they
    haven't seen its end yet."""
    if not it.options.spectator_delay:
        return False
    unseen = Q(status__in=board.UNDER_WAY) | Q(finished_at__gt=Now() - permissions.spectator_delay())
    matches = Match.objects.filter(unseen, season=it.season.id, spectator_delay__gt=0)
    looks = LoggedEvent.objects.filter(
        stream__in=list(matches.values_list("id", flat=True)), type="truth_viewed", actor=str(it.account.id)
    )
    return matches.filter(seats__account=it.account.id).exists() or looks.exists()


def _wall_of(account: UUID, season: UUID) -> Wall | None:
    since = board.seated_since(account, season)
    if since is None:
        return None
    matches = board.matches_at(account, season)
    together = [
        set(Seat.objects.filter(match=match, account__isnull=False).values_list("account_id", flat=True))
        for match in matches
    ]
    has_changed = LoggedEvent.objects.filter(stream__in=list(matches), type="seat_substituted").exists()
    return Wall(since, frozenset() if has_changed or not together else frozenset(set.intersection(*together)))


def _is_among(wall: Wall | None) -> Any:
    """Return an expression that is True for private rooms in which only accounts behind the wall can have written since
    it stands."""
    if wall is None:
        return Value(False)
    stayed = Q(left_at=None) | Q(left_at__gte=wall.since)
    others = RoomMember.objects.filter(stayed, room=OuterRef("id")).exclude(account__in=wall.together)
    return Case(When(~Exists(others), kind="private", then=True), default=False)
