"""Reading a thread: its remarks in pages, what is new since a revision, and how a remark is told."""

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
from matches.reads.documents import HiddenDocument, RemarkDocument

MOST = 200
"""How many remarks a page holds at most."""
USUAL = 50


class Ears(NamedTuple):
    """How a thread is heard: `late` by so many seconds, and nothing that was said from `until` on."""

    late: int = 0
    until: datetime | None = None


class News(NamedTuple):
    """What was said or changed in a thread; `revision` is how far that goes. There is `more` where some of it isn't to
    be heard yet or found no room."""

    remarks: list[Remark]
    revision: int
    erased: int
    more: bool


def delay_of(thread: str, late: int) -> int:
    """How many seconds late a thread is heard by who is told the match late. At the table speak those who know the
    match as it is; what spectators say was known to all of them."""
    return late if thread == TABLE else 0


def page(
    about: UUID, thread: str, ears: Ears, *, before: int | None = None, after: int | None = None, limit: int = USUAL
) -> tuple[list[Remark], int | None]:
    """Remarks of a thread, oldest first: the latest ones, those before a number, or those after one. The number before
    which the page before goes on (or, of those `after` one, after which the next does); None where there is none."""
    found = _heard(about, thread, ears)
    if before is not None:
        found = found.filter(number__lt=before)
    if after is not None:
        rows = list(found.filter(number__gt=after).order_by("number")[: limit + 1])
        return rows[:limit], rows[limit - 1].number if len(rows) > limit else None
    rows = list(found.order_by("-number")[: limit + 1])
    following = rows[limit - 1].number if len(rows) > limit else None
    return rows[:limit][::-1], following


def until_version(about: UUID, thread: str, ears: Ears, version: int) -> list[Remark]:
    """The latest remarks up to a version of the match, oldest first."""
    return list(_heard(about, thread, ears).filter(at_version__lte=version).order_by("-number")[:MOST])[::-1]


def one(about: UUID, thread: str, ears: Ears, number: int) -> Remark | None:
    """A remark by its number."""
    return _heard(about, thread, ears).filter(number=number).first()


def news(about: UUID, thread: str, ears: Ears, since: int, limit: int = USUAL) -> News:
    """What was said or changed in a thread after a revision, in the order of revisions, as far as it may be heard: what
    comes after something that is to be heard later waits for it. A revision before `since` tells that the thread was
    set back, as by a restore."""
    place = Thread.objects.filter(about=about, name=thread).first()
    if place is None:
        return News([], 0, 0, False)
    if place.revision <= since:
        return News([], place.revision, place.erased, False)
    rows = list(_told(place.remarks.filter(revision__gt=since)).order_by("revision")[: limit + 1])
    more, rows = len(rows) > limit, rows[:limit]
    ripe = _ripe(rows, thread, ears)
    reached = ripe[-1].revision if ripe else since
    if not more and len(ripe) == len(rows):
        # What was said last may have been erased, and is no news any more.
        reached = max(reached, place.revision)
    shown = [it for it in ripe if ears.until is None or it.said_at < ears.until]
    return News(shown, reached, place.erased, more or len(ripe) < len(rows))


def documents(remarks: Sequence[Remark]) -> list[RemarkDocument]:
    """Remarks as they are told to all."""
    return [document(it) for it in remarks]


def document(remark: Remark, *, whole: bool = False) -> RemarkDocument:
    """A remark as it is told; what it said where it is hidden, only where the `whole` of it is asked for."""
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
    """How many have said something."""
    return _heard(about, thread, ears).values("account").distinct().count()


def _heard(about: UUID, thread: str, ears: Ears) -> QuerySet[Remark]:
    found = _told(Remark.objects.filter(thread__about=about, thread__name=thread))
    if delay := delay_of(thread, ears.late):
        found = found.filter(said_at__lte=Now() - timedelta(seconds=delay))
    return found if ears.until is None else found.filter(said_at__lt=ears.until)


def _told(found: QuerySet[Remark]) -> QuerySet[Remark]:
    return found.select_related("account", "hiding__by")


def _ripe(rows: list[Remark], thread: str, ears: Ears) -> list[Remark]:
    delay = delay_of(thread, ears.late)
    if not delay or not rows:
        return rows
    latest = store.clock() - timedelta(seconds=delay)
    return rows[: next((place for place, it in enumerate(rows) if it.said_at > latest), len(rows))]
