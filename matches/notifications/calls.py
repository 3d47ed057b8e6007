"""Calls: what is new for people becomes a row for each way that they want to be told by. A unique key forbids doubles,
so whoever finds a cause may queue it again."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

from django.db import transaction

from events import store
from matches.domain import calls
from matches.models import Account, Call, CallCursor, MailAddress, PushSubscription
from matches.notifications import reach

LOOK_BACK = timedelta(minutes=1)
"""A commit may come to light a little after the instant that it carries."""
KEPT = timedelta(days=90)
"""How long what was told is kept."""
_EVERY = timedelta(seconds=10)


class Cause(NamedTuple):
    """Something that one account is to be told: the kind, about which match or season, and what makes it this one."""

    account: UUID
    kind: str
    cause: str
    match: UUID | None = None
    season: UUID | None = None


class Moved(NamedTuple):
    """The streams that have moved since the last look, with their versions, and how far back that reaches."""

    streams: dict[UUID, int]
    since: datetime


def queue(causes: Iterable[Cause]) -> int:
    """Let people be told what they haven't been told yet, each by the ways that they want; gives how many calls that
    made."""
    found = list(dict.fromkeys(causes))
    wishes = reach.wishes({it.account for it in found}, {it.season for it in found if it.season}) if found else {}
    at = store.clock()
    rows = [
        _row(it, wish, way, receiver, at + timedelta(microseconds=place))
        for place, it in enumerate(found)
        if (wish := wishes.get(it.account))
        for way, receiver in wish.ways(it.kind, it.season)
    ]
    Call.objects.bulk_create(rows, ignore_conflicts=True)
    return Call.objects.filter(id__in=[row.id for row in rows]).count() if rows else 0


def test(account: Account) -> int:
    """Tell an account something harmless by every way that is set up; gives how many calls that made, none while an
    earlier test waits."""
    if account.calls.filter(kind="test", state=Call.State.WAITING).exists():
        return 0
    return queue([Cause(account.id, "test", str(uuid4()))])


def forget_old() -> int:
    """Drop what was told, or wasn't, long ago; gives how many calls that were."""
    old = Call.objects.filter(made_at__lt=store.clock() - KEPT).exclude(state=Call.State.WAITING)
    return old.delete()[0]


def erase(account_id: UUID) -> None:
    """Take away where an account is reached, how it wants to be, and all that it was told."""
    Call.objects.filter(account_id=account_id).delete()
    PushSubscription.objects.filter(account_id=account_id).delete()
    MailAddress.objects.filter(account_id=account_id).delete()
    reach.erase(account_id)


class Lookout:
    """Finds the streams that have moved, again and again, and passes over what this process has looked at already. How
    far it is stands in the database: what moved while no worker was there is found by the next."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._looked: dict[UUID, int] = {}

    def moved(self) -> Moved:
        """What has moved and wasn't looked at by this process; to be handed to `done` afterwards."""
        since = self._cursor().looked_at - LOOK_BACK
        streams = store.moved_since(since)
        fresh = {stream: version for stream, version in streams.items() if self._looked.get(stream) != version}
        self._looked = {stream: version for stream, version in streams.items() if stream not in fresh}
        return Moved(fresh, since)

    def done(self, moved: Moved, failed: Iterable[UUID], at: datetime) -> None:
        """These streams were looked at, but for those that failed: they are found again while they are news."""
        self._looked |= {it: version for it, version in moved.streams.items() if it not in set(failed)}
        row = self._cursor()
        if at - row.looked_at > _EVERY:
            CallCursor.objects.filter(id=self._number, looked_at__lt=at).update(looked_at=at)

    def _cursor(self) -> CallCursor:
        found = CallCursor.objects.filter(id=self._number).first()
        if found is None:
            with transaction.atomic():
                found, _ = CallCursor.objects.get_or_create(id=self._number, defaults={"looked_at": store.clock()})
        return found


def _row(it: Cause, wish: reach.Wish, way: str, receiver: UUID | None, at: datetime) -> Call:
    page = way == "page"
    due = calls.due_at(way, at, wish.quiet, wish.digest, wish.zone)
    return Call(
        account_id=it.account,
        way=way,
        receiver_id=receiver,
        kind=it.kind,
        season_id=it.season,
        match_id=it.match,
        cause=it.cause[:200],
        made_at=at,
        due_at=at if it.kind == "test" else due,
        next_try_at=at,
        state=Call.State.SENT if page else Call.State.WAITING,
        done_at=at if page else None,
    )
