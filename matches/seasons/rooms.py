"""Acts on a season's rooms: opening, closing, leaving, looking into, and marking as read. They are rows beside the
season's record."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from games.kernel import Illegal
from matches.models.talk import DATABASE_CLOCK, Remark, Thread
from matches.publishing import publisher
from matches.seasons.domain import rooms as rules
from matches.seasons.domain.rooms import FEWEST_MEMBERS, RoomKind
from matches.seasons.models import Member, Room, RoomLook, RoomMember, RoomRead
from matches.seasons.reads import rooms as reads
from matches.seasons.reads.rooms import KnownRoom, Visitor


class Opened(NamedTuple):
    """A room that was opened. It is `new` unless there was one of its kind already, and `replayed` if it was opened
    before under the same key."""

    room: UUID
    is_new: bool = True
    replayed: bool = False


def open_room(it: Visitor, kind: RoomKind, *, title: str, members: Collection[UUID], key: str | None) -> Opened:
    """Open a room, a private one for these members and the visitor. A confessional, the lounge and the staff's room are
    opened once, and that one is returned. Raise Illegal: forbidden, season_over, bad_members, too_many_rooms,
    idempotency_key_reused."""
    chosen = frozenset(members)
    if key is not None and (before := _replayed(it, kind, title, chosen, key)) is not None:
        return before
    _refuse(it, kind)
    if it.wall is not None and not (kind == "private" and chosen <= it.wall.together):
        raise Illegal(
            "forbidden",
            _("You sit at a match under way. Until its end you can open a room with those alone who sit there too."),
        )
    if kind != "private":
        return _open_once(it, kind, chosen)
    chosen |= {it.account.id}
    _refuse_members(it, chosen)
    try:
        with transaction.atomic():
            # Locked so that two requests can't both open the last room that the limit allows.
            list(Member.objects.select_for_update().filter(season=it.season.id, account=it.account))
            _refuse_too_many(it)
            room = Room.objects.create(
                id=uuid4(), season=it.season, kind=kind, title=title, opened_by=it.account, key=key
            )
            RoomMember.objects.bulk_create([RoomMember(room=room, account_id=account) for account in chosen])
    except IntegrityError:
        # Another request with the same key was faster.
        if key is None or (before := _replayed(it, kind, title, chosen, key)) is None:
            raise
        return before
    return Opened(room.id)


def close(entry: KnownRoom, it: Visitor) -> None:
    """Close a private room for further remarks: for its opener. Raise Illegal("forbidden")."""
    if entry.room.kind != "private" or entry.room.opened_by_id != it.account.id or not entry.is_member:
        raise Illegal("forbidden", _("Only the member who opened a private room closes it."))
    _close(entry.room)


@transaction.atomic
def leave(entry: KnownRoom, it: Visitor) -> None:
    """Take the visitor out of a private room. It closes if its opener leaves, or if a single member stays. Raise
    Illegal("forbidden")."""
    if entry.room.kind != "private" or not entry.is_member:
        raise Illegal("forbidden", _("Only the members of a private room can leave it."))
    members = RoomMember.objects.select_for_update().filter(room=entry.room, left_at=None)
    staying = [member.account_id for member in members if member.account_id != it.account.id]
    RoomMember.objects.filter(room=entry.room, account=it.account).update(left_at=DATABASE_CLOCK)
    if len(staying) < FEWEST_MEMBERS or entry.room.opened_by_id == it.account.id:
        _close(entry.room)
    _announce(entry.room.id)


def look(entry: KnownRoom, it: Visitor) -> None:
    """Record that a host looks into a private room, for its members to see; the host then reads what was said before.
    One look covers all that was said before it. Raise Illegal("forbidden")."""
    if not entry.rights.looks:
        raise Illegal("forbidden", _("You read this room without a look on record, or can't look into it."))
    looks = RoomLook.objects.filter(room_id=entry.room.id, by=it.account.id)
    newest = Remark.objects.filter(thread__about=entry.room.id).order_by("-number").first()
    if looks.filter(at__gte=newest.said_at).exists() if newest else looks.exists():
        return
    RoomLook.objects.create(room_id=entry.room.id, by=it.account.id)
    _announce(entry.room.id)


def mark_read(entry: KnownRoom, it: Visitor, number: int) -> None:
    """Store that the visitor has read a room up to this number, unless it has read further."""
    RoomRead.objects.bulk_create([RoomRead(room=entry.room, account=it.account, number=0)], ignore_conflicts=True)
    marks = RoomRead.objects.filter(room=entry.room, account=it.account)
    marks.update(number=Greatest(F("number"), number))


def forget(account_id: UUID, name: str, erased: str) -> None:
    """Delete the memberships of an account that is erased, the titles that it gave, what it has read, and its
    confessionals with what staff has written there. Its remarks go with all others of it."""
    confessionals = Room.objects.filter(subject=account_id)
    Thread.objects.filter(about__in=list(confessionals.values_list("id", flat=True))).delete()
    confessionals.delete()
    opened = Room.objects.filter(opened_by=account_id)
    opened.filter(kind="private", closed_at=None).update(closed_at=DATABASE_CLOCK)
    opened.update(title="", opened_by=None, key=None)
    RoomMember.objects.filter(account=account_id).delete()
    RoomRead.objects.filter(account=account_id).delete()


def _refuse(it: Visitor, kind: RoomKind) -> None:
    if it.open_to == "off":
        raise Illegal("forbidden", _("The season's talk is switched off."))
    if it.account.is_guest:
        raise Illegal("not_for_guests", _("Talk is for accounts alone."))
    if not rules.may_open(kind, it.part, it.options):
        raise Illegal("forbidden", _why_not(it, kind))
    if it.is_over and kind in rules.OF_PLAYERS:
        raise Illegal("season_over", _("The season is over; no more rooms of its players are opened."))


def _why_not(it: Visitor, kind: RoomKind) -> str:
    if kind == "confessional":
        return _("A confessional is for a player of the season and its staff.")
    if kind != "private":
        return _("The season's organisers and hosts open this room, unless they play in it.")
    if it.options.private_rooms == "nobody":
        return _("This season has no private rooms.")
    if it.options.private_rooms == "staff":
        return _("In this season its organisers and hosts open private rooms.")
    return _("The season's players, organisers and hosts open private rooms.")


def _refuse_members(it: Visitor, chosen: Collection[UUID]) -> None:
    if not FEWEST_MEMBERS <= len(chosen) <= it.options.room_size:
        sentence = _("A private room has 2 to %(most)s members, its opener among them.")
        raise Illegal("bad_members", sentence % {"most": it.options.room_size})
    others = set(chosen) - {it.account.id}
    if reads.participants(it.season.id).filter(id__in=others).count() < len(others):
        raise Illegal("bad_members", _("Members are players and staff of the season."))


def _refuse_too_many(it: Visitor) -> None:
    is_open = Q(closed_at=None) if it.wall is None else Q(closed_at=None) | Q(closed_at__gte=it.wall.since)
    opened = Room.objects.filter(is_open, opened_by=it.account, season=it.season, kind="private")
    if not it.part.moderates and opened.count() >= it.options.rooms_each:
        sentence = _("You have %(most)s open rooms, the most that a player may have. Close one first.")
        raise Illegal("too_many_rooms", sentence % {"most": it.options.rooms_each})


def _open_once(it: Visitor, kind: RoomKind, members: Collection[UUID]) -> Opened:
    subject = _subject(it, members) if kind == "confessional" else None
    if subject is None and members:
        raise Illegal("bad_members", _("This room has no members: its readers follow from its kind."))
    room, made = Room.objects.get_or_create(
        season=it.season,
        kind=kind,
        subject_id=subject,
        defaults={"id": uuid4(), "opened_by": it.account},
    )
    return Opened(room.id, made)


def _subject(it: Visitor, members: Collection[UUID]) -> UUID:
    """Return the player of a confessional: the visitor, or for staff the one member that they name."""
    if it.part.plays and set(members) <= {it.account.id}:
        return it.account.id
    if it.part.plays or len(members) != 1:
        raise Illegal("bad_members", _("Name the one player whose confessional it is."))
    (player,) = members
    if not Member.objects.filter(season=it.season, account=player, role=Member.Role.PLAYER).exists():
        raise Illegal("bad_members", _("A confessional is for a player of the season and its staff."))
    return player


def _replayed(it: Visitor, kind: RoomKind, title: str, members: frozenset[UUID], key: str) -> Opened | None:
    """Return the room that was opened under this key, or None; raise Illegal for a key of another room."""
    room = Room.objects.filter(opened_by=it.account, key=key).first()
    if room is None:
        return None
    first_members = frozenset(RoomMember.objects.filter(room=room).values_list("account_id", flat=True))
    sent = (it.season.id, kind, title, members | {it.account.id})
    if (room.season_id, room.kind, room.title, first_members) != sent:
        raise Illegal("idempotency_key_reused", _("Another room was opened under this key."))
    return Opened(room.id, replayed=True)


def _close(room: Room) -> None:
    Room.objects.filter(id=room.id, closed_at=None).update(closed_at=DATABASE_CLOCK)
    _announce(room.id)


def _announce(room: UUID) -> None:
    transaction.on_commit(lambda: publisher.announce_talk(room))
