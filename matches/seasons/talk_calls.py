"""Calls about a season's talk: remarks in rooms to those who read them, and reports to officials."""

from uuid import UUID

from matches.models import Account, Call
from matches.models.talk import Block, Remark, Report
from matches.notifications import calls
from matches.notifications.calls import Cause
from matches.seasons.models import Member, Room, RoomMember, RoomRead
from matches.seasons.reads import rooms

_MODERATORS = (Member.Role.ORGANISER, Member.Role.HOST)


def call_readers(room: Room, remark: Remark) -> int:
    """Queue calls to those who read a remark of a room other than a lounge, except its author and those who have
    blocked the author; return the number of new calls. An account is called once until it marks the room as read, and
    not while it can't read the remark, as during a match."""
    readers = _readers(room) - {remark.account_id}
    readers -= set(Block.objects.filter(blocked=remark.account_id).values_list("account_id", flat=True))
    ears = rooms.ears_in(room, list(Account.objects.filter(id__in=readers)))
    marks = dict(RoomRead.objects.filter(room=room, account__in=ears).values_list("account_id", "number"))
    return calls.queue(
        Cause(account, "room", f"{room.id} {marks.get(account, 0)}", None, room.season_id)
        for account, of_account in ears.items()
        if of_account.until is None and marks.get(account, 0) < (remark.number or 0)
    )


def call_officials(report: Report) -> int:
    """Queue calls about a report to the season's organisers and hosts, except the author of the remark and the
    reporter; without any to the organisers of the service. Return the number of new calls."""
    officials = Account.objects.filter(memberships__season=report.season, memberships__role__in=_MODERATORS)
    house = Account.objects.filter(is_organiser=True)
    concerned = (report.remark.account_id, report.by_id)
    called = list(officials.exclude(id__in=concerned).values_list("id", flat=True)) or list(
        house.exclude(id__in=concerned).values_list("id", flat=True)
    )
    return calls.queue(Cause(account, "report", str(report.id), None, report.season) for account in called)


def is_awaited(call: Call) -> bool:
    """True if the account still reads the room and hasn't marked it as read since, or if nobody has answered the
    report."""
    if call.kind == "report":
        return Report.objects.filter(id=call.cause, answered_at=None).exists()
    room_id, _, mark = call.cause.partition(" ")
    room = Room.objects.select_related("season").filter(id=room_id).first()
    if room is None:
        return False
    number = RoomRead.objects.filter(room=room, account=call.account_id).values_list("number", flat=True).first() or 0
    return number == int(mark) and call.account_id in rooms.ears_in(room, [call.account])


def _readers(room: Room) -> set[UUID]:
    """Return the accounts that are called about remarks of a room: its members, or its player and the staff."""
    if room.kind == Room.Kind.LOUNGE:
        return set()
    if room.kind == Room.Kind.PRIVATE:
        return set(RoomMember.objects.filter(room=room, left_at=None).values_list("account_id", flat=True))
    staff = Member.objects.filter(season=room.season_id).exclude(role=Member.Role.PLAYER)
    return {*staff.values_list("account_id", flat=True), room.subject_id} - {None}
