"""The part of the log that an account may read as an auditor."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import NamedTuple
from uuid import UUID

from django.db.models import DateTimeField, ExpressionWrapper, F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from events.models import LoggedEvent
from matches.html.entry import counted, signed_in
from matches.http.paging import page
from matches.models import Account, Match
from matches.seasons.models import Season
from matches.seasons.reads import selectors

Page = tuple[list[LoggedEvent], str | None]
# This sum has no index.
_INSTANT = ExpressionWrapper(F("at") + timedelta(0), output_field=DateTimeField())
_SORTED = (_INSTANT.desc(), "-stream", "-version")


class Scope(NamedTuple):
    """The readable part: the `whole` log except what is withheld from the account, or the seasons
    with their matches."""

    events: QuerySet[LoggedEvent]
    seasons: QuerySet[Season]
    whole: bool


def scope_of(account: Account) -> Scope | None:
    """Return the scope of an account: for organisers of the house, and accounts with the permission, all but the
    matches of the seasons under way in which they play; for a season's staff their season; None for all others."""
    if _reads_all(account):
        kept = selectors.kept_from(account).values("id")
        return Scope(LoggedEvent.objects.exclude(stream__in=kept), Season.objects.all(), True)
    playing = selectors.competed_in(account).values("id")
    seasons = selectors.officiated_by(account).exclude(id__in=playing)
    if not seasons.exists():
        return None
    return Scope(LoggedEvent.objects.filter(stream__in=streams_of(seasons)), seasons, False)


def streams_of(seasons: QuerySet[Season]) -> list[UUID]:
    """Return the streams of these seasons and of their matches."""
    ids = list(seasons.order_by().values_list("id", flat=True))
    return [*ids, *Match.objects.filter(season__in=ids).order_by().values_list("id", flat=True)]


def newest_first(events: QuerySet[LoggedEvent], cursor: str | None, limit: int, *, few: bool) -> Page:
    """Return a page of these events, and the cursor of the next one.

    `few` is True if they are of some streams only: these are read and sorted, since a walk back through the whole log
    by time might pass millions of other events.
    """
    return page(events, cursor, limit, ("-at", "-stream", "-version"), _SORTED if few else ())


def may_audit(account: Account) -> bool:
    """True if there is anything for the account to read."""
    return _reads_all(account) or selectors.officiated_by(account).exists()


def _reads_all(account: Account) -> bool:
    return bool(account.is_organiser or account.has_perm("events.view_loggedevent"))


def for_auditors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the scope to the view; an account without one gets 404."""

    @wraps(view)
    def enter(request: HttpRequest, **more: object) -> HttpResponse:
        scope = scope_of(request.user)
        if scope is None:
            raise Http404("There is no such page.")
        return view(request, scope, **more)

    return never_cache(signed_in(counted(enter)))
