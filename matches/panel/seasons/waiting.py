"""Which results of seasons wait for their organiser."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from events.models import LoggedEvent
from matches.models import Account
from matches.seasons.models import Season
from matches.seasons.reads import selectors

_REPORTED = ("death_match_finished", "final_match_finished")
_SETTLED = ("result_approved", "match_annulled", "match_reopened")


class Unapproved(NamedTuple):
    """A season with results that don't count yet; `since` is when the first of them was reported."""

    season_id: UUID
    title: str
    count: int
    since: datetime


def unapproved_results(account: Account) -> list[Unapproved]:
    """Of the seasons under way in which the account has a part and doesn't play, those that wait; the longest wait
    first."""
    under_way = selectors.with_a_part_of(account).filter(status__in=(Season.Status.RUNNING, Season.Status.FINAL))
    under_way = under_way.exclude(id__in=selectors.competed_in(account).values("id"))
    titles = dict(under_way.values_list("id", "title"))
    told = LoggedEvent.objects.filter(stream__in=titles, type__in=(*_REPORTED, *_SETTLED)).order_by("stream", "version")
    waiting: dict[UUID, dict[str, datetime]] = {}
    for stream, kind, public, at in told.values_list("stream", "type", "public", "at"):
        results = waiting.setdefault(stream, {})
        if kind in _REPORTED:
            results[public["match"]] = at
        else:
            results.pop(public["match"], None)
    found = [Unapproved(it, titles[it], len(when), min(when.values())) for it, when in waiting.items() if when]
    return sorted(found, key=lambda it: it.since)
