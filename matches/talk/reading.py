"""Reading a thread: pages of remarks, changes since a revision, and remarks as documents."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now
from msgspec import UNSET

from events import store
from matches.domain.talk import TABLE
from matches.models.talk import Remark, Thread
from matches.reads import selectors
from matches.reads.documents.talk import HiddenDocument, RemarkDocument

MOST = 200
"""Remarks on a page, at most."""
USUAL = 50


class Ears(NamedTuple):
    """A reader's view of a thread: `late` by so many seconds, and only what was said before `until`."""

    late: int = 0
    until: datetime | None = None


class News(NamedTuple):
    """New and changed remarks of a thread up to `revision`. `more` is True if the reader must ask again: some of them
    may not be shown yet, or were too many."""

    remarks: list[Remark]
    revision: int
    erased: int
    more: bool


def delay_of(thread: str, late: int) -> int:
    """Return the delay in seconds of a thread for a reader who sees the match `late`.

    Players at the table know the match as it is; spectators' remarks contain only what all spectators knew.
    """
    return late if thread == TABLE else 0


def page(
    about: UUID, thread: str, ears: Ears, *, before: int | None = None, after: int | None = None, limit: int = USUAL
) -> tuple[list[Remark], int | None]:
    """Return remarks of a thread, oldest first: the latest ones, those before a number, or those after one.

    The second value is the number to ask with for the next page (`before` it, or `after` it); None on the last page.
    """
    remarks = _visible_remarks(about, thread, ears)
    if before is not None:
        remarks = remarks.filter(number__lt=before)
    if after is not None:
        rows = list(remarks.filter(number__gt=after).order_by("number")[: limit + 1])
        return rows[:limit], rows[limit - 1].number if len(rows) > limit else None
    rows = list(remarks.order_by("-number")[: limit + 1])
    following = rows[limit - 1].number if len(rows) > limit else None
    return rows[:limit][::-1], following


def until_version(about: UUID, thread: str, ears: Ears, version: int) -> list[Remark]:
    """Return the latest remarks up to a version of the match, oldest first."""
    return list(_visible_remarks(about, thread, ears).filter(at_version__lte=version).order_by("-number")[:MOST])[::-1]


def one(about: UUID, thread: str, ears: Ears, number: int) -> Remark | None:
    return _visible_remarks(about, thread, ears).filter(number=number).first()


def news(about: UUID, thread: str, ears: Ears, since: int, limit: int = USUAL) -> News:
    """Return new and changed remarks after a revision, in the order of revisions.

    A remark that may not be shown yet delays those after it. A result with a revision before `since` means that the
    thread was set back, as by a restore.
    """
    stored_thread = Thread.objects.filter(about=about, name=thread).first()
    if stored_thread is None:
        return News([], 0, 0, False)
    if stored_thread.revision <= since:
        return News([], stored_thread.revision, stored_thread.erased, False)
    rows = list(_with_authors(stored_thread.remarks.filter(revision__gt=since)).order_by("revision")[: limit + 1])
    more, rows = len(rows) > limit, rows[:limit]
    ripe = _visible_rows(rows, thread, ears)
    reached = ripe[-1].revision if ripe else since
    if not more and len(ripe) == len(rows):
        # The newest remarks may have been erased; then their revisions need no reading.
        reached = max(reached, stored_thread.revision)
    shown = [it for it in ripe if ears.until is None or it.said_at < ears.until]
    return News(shown, reached, stored_thread.erased, more or len(ripe) < len(rows))


def documents(remarks: Sequence[Remark]) -> list[RemarkDocument]:
    """Return remarks as documents for all readers."""
    return [document(it) for it in remarks]


def document(remark: Remark, *, whole: bool = False) -> RemarkDocument:
    """Return a remark as a document; the text of a hidden remark is included only in the `whole` document."""
    hiding = remark.hiding
    return RemarkDocument(
        number=remark.number or 0,
        account=selectors.person(remark.account),
        at_version=remark.at_version,
        text=remark.text if hiding is None or whole else "",
        said_at=remark.said_at,
        hidden=UNSET if hiding is None else HiddenDocument(selectors.person(hiding.by), hiding.reason, hiding.at),
    )


def speakers(about: UUID, thread: str, ears: Ears) -> int:
    """Return how many accounts have written a remark."""
    return _visible_remarks(about, thread, ears).values("account").distinct().count()


def _visible_remarks(about: UUID, thread: str, ears: Ears) -> QuerySet[Remark]:
    remarks = _with_authors(Remark.objects.filter(thread__about=about, thread__name=thread))
    if delay := delay_of(thread, ears.late):
        remarks = remarks.filter(said_at__lte=Now() - timedelta(seconds=delay))
    return remarks if ears.until is None else remarks.filter(said_at__lt=ears.until)


def _with_authors(remarks: QuerySet[Remark]) -> QuerySet[Remark]:
    return remarks.select_related("account", "hiding__by")


def _visible_rows(rows: list[Remark], thread: str, ears: Ears) -> list[Remark]:
    delay = delay_of(thread, ears.late)
    if not delay or not rows:
        return rows
    latest = store.clock() - timedelta(seconds=delay)
    return rows[: next((place for place, it in enumerate(rows) if it.said_at > latest), len(rows))]
