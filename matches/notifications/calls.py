"""Calls: news for people becomes a row for each way that they have chosen. A unique key prevents duplicates, so any
process that finds a cause may queue it again."""

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
"""A commit may become visible a little after the instant that it carries."""
KEPT = timedelta(days=90)
"""Older calls are deleted, unless they wait."""
_EVERY = timedelta(seconds=10)


class Cause(NamedTuple):
    """A reason to notify one account: the kind, the match or season, and a text that makes it unique."""

    account: UUID
    kind: str
    cause: str
    match: UUID | None = None
    season: UUID | None = None


class Moved(NamedTuple):
    """Streams that have changed since the last look, with their versions, and the instant from which they were
    searched."""

    streams: dict[UUID, int]
    since: datetime


def queue(causes: Iterable[Cause]) -> int:
    """Store calls for causes that have none yet, for each way that their account wants; return the
    number of new calls."""
    distinct = list(dict.fromkeys(causes))
    wishes = (
        reach.wishes({it.account for it in distinct}, {it.season for it in distinct if it.season}) if distinct else {}
    )
    at = store.clock()
    rows = [
        _row(it, wish, way, receiver, at + timedelta(microseconds=place))
        for place, it in enumerate(distinct)
        if (wish := wishes.get(it.account))
        for way, receiver in wish.ways(it.kind, it.season)
    ]
    Call.objects.bulk_create(rows, ignore_conflicts=True)
    return Call.objects.filter(id__in=[row.id for row in rows]).count() if rows else 0


def test(account: Account) -> int:
    """Queue a test call for every way that is set up; return the number of calls, 0 while an earlier test waits."""
    if account.calls.filter(kind="test", state=Call.State.WAITING).exists():
        return 0
    return queue([Cause(account.id, "test", str(uuid4()))])


def forget_old() -> int:
    """Delete calls that are older than KEPT and not waiting; return how many."""
    old = Call.objects.filter(made_at__lt=store.clock() - KEPT).exclude(state=Call.State.WAITING)
    return old.delete()[0]


def erase(account_id: UUID) -> None:
    """Delete an account's receivers, its choices and its calls."""
    Call.objects.filter(account_id=account_id).delete()
    PushSubscription.objects.filter(account_id=account_id).delete()
    MailAddress.objects.filter(account_id=account_id).delete()
    reach.erase(account_id)


class Lookout:
    """Finds streams that have changed, and skips versions that this process has handled. Its position is stored in the
    database, so a later worker finds what changed while none ran."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._looked: dict[UUID, int] = {}

    def moved(self) -> Moved:
        """Return changed streams that this process hasn't handled; pass the result to `done` afterwards."""
        since = self._cursor().looked_at - LOOK_BACK
        streams = store.moved_since(since)
        fresh = {stream: version for stream, version in streams.items() if self._looked.get(stream) != version}
        self._looked = {stream: version for stream, version in streams.items() if stream not in fresh}
        return Moved(fresh, since)

    def done(self, moved: Moved, failed: Iterable[UUID], at: datetime) -> None:
        """Mark these streams as handled, except those that `failed`: they are found again while they are recent."""
        self._looked |= {it: version for it, version in moved.streams.items() if it not in set(failed)}
        row = self._cursor()
        if at - row.looked_at > _EVERY:
            CallCursor.objects.filter(id=self._number, looked_at__lt=at).update(looked_at=at)

    def _cursor(self) -> CallCursor:
        cursor = CallCursor.objects.filter(id=self._number).first()
        if cursor is None:
            with transaction.atomic():
                cursor, _ = CallCursor.objects.get_or_create(id=self._number, defaults={"looked_at": store.clock()})
        return cursor


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
