"""Tasks that seasons have for those who run them: for the lobby, the panel and notifications."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from matches.models import Account, Match
from matches.seasons import repository
from matches.seasons.domain import officials
from matches.seasons.domain.officials import Task
from matches.seasons.models import Season
from matches.seasons.reads import selectors
from matches.seasons.repository import NoSuchSeason
from matches.storage.repository import BrokenRecord

_MOST_SEASONS = 100


class SeasonTasks(Struct, frozen=True):
    """A season that waits for an official."""

    season_id: UUID
    title: str
    tasks: list[Task]

    @property
    def lines(self) -> list[str]:
        """Return the tasks in words, by kind."""
        counts = Counter(it.kind for it in self.tasks)
        return [_worded(kind, count) for kind, count in counts.items()]


def waiting_for(account: Account, seasons: QuerySet[Season]) -> list[SeasonTasks]:
    """Return the seasons that wait for this account as one of their officials, the longest unchanged first.

    Only the 100 that changed last are looked at. An organiser of the installation is an official of every season.
    """
    under_way = seasons.exclude(status=Season.Status.FINISHED)
    others = under_way.exclude(id__in=selectors.competed_in(account).values("id"))
    rows = list(others.order_by("-changed_at")[:_MOST_SEASONS])[::-1]
    if not rows:
        return []
    heads, roles = repository.heads_of(row.id for row in rows), selectors.roles_of(account, rows)
    tasks: dict[UUID, list[Task]] = {}
    for row in rows:
        role = "organiser" if account.is_organiser else roles.get(row.id, "")
        with suppress(BrokenRecord, NoSuchSeason):
            waiting = _tasks_of(row.id, row.version, heads.get(row.id, b""))
            tasks[row.id] = [it for it in waiting if role in officials.roles_for(it)]
    unstarted = _unstarted(it for waiting in tasks.values() for it in waiting)
    left = ((row, _left(tasks.get(row.id, ()), unstarted)) for row in rows)
    return [SeasonTasks(row.id, row.title, waiting) for row, waiting in left if waiting]


def open_tasks(season_id: UUID, version: int, head: bytes) -> list[Task]:
    """Return the tasks of a season's officials, as its matches stand now; raises BrokenRecord."""
    tasks = _tasks_of(season_id, version, head)
    return _left(tasks, _unstarted(tasks))


@lru_cache(maxsize=512)
def _tasks_of(season_id: UUID, version: int, head: bytes) -> tuple[Task, ...]:
    return tuple(officials.tasks(repository.at(season_id, version, head)))


def _unstarted(tasks: Iterable[Task]) -> set[str]:
    """Of the matches that have no time, those that nobody has started by hand."""
    matches = [it.match for it in tasks if it.kind == "time" and it.match]
    begun = Match.objects.filter(id__in=matches).exclude(status=Match.Status.WAITING) if matches else []
    return set(matches) - {str(it.id) for it in begun}


def _left(tasks: Iterable[Task], unstarted: set[str]) -> list[Task]:
    return [it for it in tasks if it.kind != "time" or it.match in unstarted]


def _worded(kind: str, count: int) -> str:
    match kind:
        case "result":
            return ngettext("%(count)s result to approve", "%(count)s results to approve", count) % {"count": count}
        case "application":
            return ngettext("%(count)s application", "%(count)s applications", count) % {"count": count}
        case "claim":
            return ngettext("%(count)s claim to answer", "%(count)s claims to answer", count) % {"count": count}
        case "decision":
            return _("A decision that nobody took in time")
        case "absence":
            words = ngettext("%(count)s match with somebody absent", "%(count)s matches with somebody absent", count)
            return words % {"count": count}
        case _:
            return ngettext("%(count)s match without a time", "%(count)s matches without a time", count) % {
                "count": count
            }
