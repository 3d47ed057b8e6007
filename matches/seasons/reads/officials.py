"""Steps that seasons leave to their officials: for the lobby, the panel and notifications."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy, ngettext_lazy
from msgspec import Struct

from matches.models import Account, Match
from matches.seasons import repository
from matches.seasons.domain.steps import PendingStep, pending_steps
from matches.seasons.models import Season
from matches.seasons.reads import selectors
from matches.seasons.repository import NoSuchSeason
from matches.storage.repository import BrokenRecord

_MOST_SEASONS = 100
_RESULTS = ngettext_lazy("%(count)s result to approve", "%(count)s results to approve", "count")
WORDS: dict[str, Any] = {
    "ranking": _RESULTS,
    "result": _RESULTS,
    "time": ngettext_lazy("%(count)s match without a time", "%(count)s matches without a time", "count"),
    "absence": ngettext_lazy("%(count)s match with somebody absent", "%(count)s matches with somebody absent", "count"),
    "application": ngettext_lazy("%(count)s application", "%(count)s applications", "count"),
    "claim": ngettext_lazy("%(count)s claim to answer", "%(count)s claims to answer", "count"),
    **dict.fromkeys(("token", "candidate", "opponent"), gettext_lazy("A decision that nobody took in time")),
}
"""The line for a number of steps, by the kind of step; it has every kind of which officials are notified."""


class SeasonTasks(Struct, frozen=True):
    """A season with the steps that it waits for an official to take."""

    season_id: UUID
    title: str
    tasks: list[PendingStep]

    @property
    def lines(self) -> list[str]:
        return [WORDS[kind] % {"count": count} for kind, count in Counter(it.kind for it in self.tasks).items()]


def waiting_for(account: Account, seasons: QuerySet[Season]) -> list[SeasonTasks]:
    """Return the seasons that wait for this account as one of their officials, the longest unchanged first.

    It reads only the 100 seasons that changed last, and skips those whose record is broken. An organiser of the service
    is an official of every season.
    """
    under_way = seasons.exclude(status=Season.Status.FINISHED)
    others = under_way.exclude(id__in=selectors.competed_in(account).values("id"))
    rows = list(others.order_by("-changed_at")[:_MOST_SEASONS])[::-1]
    if not rows:
        return []
    heads, roles = repository.heads_of(row.id for row in rows), selectors.roles_of(account, rows)
    tasks: dict[UUID, list[PendingStep]] = {}
    for row in rows:
        role = "organiser" if account.is_organiser else roles.get(row.id, "")
        with suppress(BrokenRecord, NoSuchSeason):
            waiting = _tasks_of(row.id, row.version, heads.get(row.id, b""))
            tasks[row.id] = [it for it in waiting if role in it.roles]
    unstarted = _unstarted(it for waiting in tasks.values() for it in waiting)
    pending = ((row, _without_started(tasks.get(row.id, ()), unstarted)) for row in rows)
    return [SeasonTasks(row.id, row.title, waiting) for row, waiting in pending if waiting]


def open_tasks(season_id: UUID, version: int, head: bytes) -> list[PendingStep]:
    """Return the steps that a season's officials have to take now; raise BrokenRecord."""
    tasks = _tasks_of(season_id, version, head)
    return _without_started(tasks, _unstarted(tasks))


@lru_cache(maxsize=512)
def _tasks_of(season_id: UUID, version: int, head: bytes) -> tuple[PendingStep, ...]:
    return tuple(it for it in pending_steps(repository.at(season_id, version, head)) if it.notice)


def _unstarted(tasks: Iterable[PendingStep]) -> set[str]:
    """Return the matches without a time that nobody has started by hand."""
    matches = [it.match for it in tasks if it.kind == "time" and it.match]
    begun = Match.objects.filter(id__in=matches).exclude(status=Match.Status.WAITING) if matches else []
    return set(matches) - {str(it.id) for it in begun}


def _without_started(tasks: Iterable[PendingStep], unstarted: set[str]) -> list[PendingStep]:
    """Return the steps except those that would set the time of a started match."""
    return [it for it in tasks if it.kind != "time" or it.match in unstarted]
