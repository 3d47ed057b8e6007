"""Documents of a season's rooms, and how many remarks of each are unread."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _
from msgspec import Struct

from matches.models import Account
from matches.reads import selectors
from matches.reads.documents.match import PlayerDocument
from matches.seasons.domain import rooms
from matches.seasons.domain.options import RoomsAtEnd, SeasonOptions
from matches.seasons.domain.rooms import RoomKind, RoomReader
from matches.seasons.models import RoomLook, RoomRead
from matches.seasons.reads.rooms import THREAD, KnownRoom, Visitor, members_of, rooms_of

MOST_UNREAD = 100
"""Unread remarks are counted up to this number."""
_MOST_LOOKS = 50

# One index scan for each room; the counts stop at MOST_UNREAD, however long the thread is.
_COUNTS = """
SELECT wanted.room,
    coalesce((
        SELECT r.number FROM web_remark r
        WHERE r.thread_id = t.id AND (wanted.until IS NULL OR r.said_at < wanted.until) ORDER BY r.number DESC LIMIT 1
    ), 0),
    (SELECT count(*) FROM (
        SELECT FROM web_remark r
        WHERE r.thread_id = t.id AND r.number > wanted.read AND r.account_id <> %s
            AND (wanted.until IS NULL OR r.said_at < wanted.until)
        LIMIT %s
    ) unread)
FROM unnest(%s::uuid[], %s::int[], %s::timestamptz[]) AS wanted (room, read, until)
JOIN web_thread t ON t.about = wanted.room AND t.name = %s
"""


class Counts(NamedTuple):
    """The number of the last remark that an account hears in a room, that of the last one it has marked as read, and
    how many of others are unread."""

    last: int = 0
    read: int = 0
    unread: int = 0


class LookDocument(Struct, frozen=True):
    """A host's look into a private room: the host has read what was said before it."""

    by: PlayerDocument
    at: datetime


class RoomDocument(Struct, frozen=True):
    """A room of a season. `members` are those of a private room, or the player of a confessional. `read_by` are those
    who may read it while the season runs, `at_end` those who may once it is over, and `text` says both in words:
    `hosts_on_record` are hosts whose `looks` are listed here. `may_look` is for such a host, who reads up to the last
    look. `unread` counts others' remarks after number `read`, up to 100."""

    id: UUID
    kind: RoomKind
    title: str
    opened_by: PlayerDocument | None
    opened_at: datetime
    closed_at: datetime | None
    members: list[PlayerDocument]
    read_by: list[RoomReader]
    at_end: RoomsAtEnd
    text: str
    reads: bool
    writes: bool
    moderates: bool
    may_look: bool
    last: int
    read: int
    unread: int
    looks: list[LookDocument]


class RoomList(Struct, frozen=True):
    """The rooms of a season that the caller knows, newest first, and the kinds that the caller may open."""

    results: list[RoomDocument]
    next: str | None
    may_open: list[RoomKind]


def documents(it: Visitor, known_rooms: Sequence[KnownRoom]) -> list[RoomDocument]:
    """Return rooms as documents for the visitor."""
    counts, members, looks = counts_of(it, known_rooms), members_of(it, known_rooms), _looks(it, known_rooms)
    return [
        _document(it, each, counts.get(each.room.id, Counts()), members.get(each.room.id, []), looks)
        for each in known_rooms
    ]


def kinds_to_open(it: Visitor) -> list[RoomKind]:
    """Return the kinds of rooms that the visitor may open."""
    if it.open_to == "off":
        return []
    return [
        kind
        for kind in rooms.KINDS
        if rooms.may_open(kind, it.part, it.options) and not (it.is_over and kind in rooms.OF_PLAYERS)
    ]


def has_any(it: Visitor) -> bool:
    """True if the visitor knows a room, or may open one."""
    return bool(kinds_to_open(it)) or rooms_of(it).exists()


def counts_of(it: Visitor, known_rooms: Sequence[KnownRoom]) -> dict[UUID, Counts]:
    """Return the counts of those of these rooms that the visitor reads and in which something was said."""
    read = [each for each in known_rooms if each.reads]
    if not read:
        return {}
    ids = [each.room.id for each in read]
    marks = dict(RoomRead.objects.filter(account=it.account, room__in=ids).values_list("room", "number"))
    values = (ids, [marks.get(room, 0) for room in ids], [each.ears.until for each in read])
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, [it.account.id, MOST_UNREAD, *values, THREAD])
        return {room: Counts(last, marks.get(room, 0), unread) for room, last, unread in cursor.fetchall()}


def who_reads_now(kind: RoomKind, options: SeasonOptions) -> str:
    """Return who may read a room of this kind while the season runs, in a sentence or two."""
    if "hosts_on_record" in rooms.readers(kind, options):
        return _("Its members read this room. Hosts may read it too; each look is on record and listed here.")
    return {
        "private": _("Only its members read this room."),
        "confessional": _("Its player, the season's staff and the organisers of this service read this room."),
        "lounge": _("Everybody who may see the season reads this room."),
        "staff": _("The season's staff and the organisers of this service read this room."),
    }[kind]


def who_reads(kind: RoomKind, options: SeasonOptions) -> str:
    """Return who may read a room of this kind, during the season and once it is over, in sentences."""
    if kind not in rooms.OF_PLAYERS:
        return who_reads_now(kind, options)
    afterwards = {
        "everybody": _("Once the season is over, everybody who may see the season reads it."),
        "members": _("That stays so once the season is over."),
        "nobody": _("Once the season is over, nobody reads it."),
    }[options.rooms_at_end]
    reported = _("If somebody reports a remark, the season's organisers and hosts read that remark.")
    return f"{who_reads_now(kind, options)} {afterwards} {reported}"


def _document(
    it: Visitor, entry: KnownRoom, counts: Counts, members: list[Account], looks: Mapping[UUID, list[LookDocument]]
) -> RoomDocument:
    room = entry.room
    people = [room.subject] if room.subject else members
    return RoomDocument(
        id=room.id,
        kind=room.kind,
        title=room.title,
        opened_by=selectors.person(room.opened_by) if room.opened_by else None,
        opened_at=room.opened_at,
        closed_at=entry.closed_at,
        members=[selectors.person(each) for each in people],
        read_by=list(rooms.readers(room.kind, it.options)),
        at_end=rooms.at_end(room.kind, it.options),
        text=who_reads(room.kind, it.options),
        reads=entry.reads,
        writes=entry.rights.writes,
        moderates=entry.rights.moderates,
        may_look=entry.rights.looks,
        last=counts.last,
        read=counts.read,
        unread=counts.unread,
        looks=looks.get(room.id, []),
    )


def _looks(it: Visitor, known_rooms: Sequence[KnownRoom]) -> dict[UUID, list[LookDocument]]:
    """Return the newest looks into each private room, newest first; behind a wall those before it."""
    if not it.options.hosts_read_rooms:
        return {}
    walled = {each.room.id for each in known_rooms if each.is_walled}
    place = Window(RowNumber(), partition_by="room_id", order_by="-id")
    newest = RoomLook.objects.filter(room_id__in=[each.room.id for each in known_rooms]).annotate(place=place)
    rows = [
        row
        for row in newest.filter(place__lte=_MOST_LOOKS).order_by("-id")
        if it.wall is None or row.room_id not in walled or row.at < it.wall.since
    ]
    accounts = Account.objects.in_bulk({row.by for row in rows})
    looks: dict[UUID, list[LookDocument]] = {}
    for row in rows:
        looks.setdefault(row.room_id, []).append(LookDocument(selectors.person(accounts[row.by]), row.at))
    return looks
