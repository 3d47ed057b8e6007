"""The event log in sentences, newest first, and each of its events."""

import json
from uuid import UUID

from django.contrib import admin
from django.db import DEFAULT_DB_ALIAS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events import replica
from events.models import LoggedEvent
from matches.panel.audit.listed_events import listed_events
from matches.panel.audit.log_filter import LogFilter
from matches.panel.audit.scope import Scope, for_auditors, newest_first

_PAGE = 50


@require_safe
@for_auditors
def log(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Show a page of the log; the next one continues after its last event, whatever has happened since."""
    form = LogFilter(request.GET, scope=scope)
    is_good = form.is_valid()
    cursor = request.GET.get("cursor") or None
    replica_seconds, events, following = _search(form, scope, cursor) if is_good else (None, [], None)
    context = {
        **admin.site.each_context(request),
        "title": "Event log",
        "form": form,
        "events": listed_events(events),
        "is_first": cursor is None,
        "replica_seconds": replica_seconds,
        "first": form.query(),
        "next": form.query(cursor=following) if following else "",
    }
    return render(request, "panel/log.html", context, status=200 if is_good else 422)


def _search(form: LogFilter, scope: Scope, cursor: str | None) -> tuple[int | None, list[LoggedEvent], str | None]:
    """Return how many seconds a searched replica is behind (None for the primary), a page of events, and the next
    cursor.

    Events found in a replica are loaded from the primary, as far as the account may read them now.
    """
    where, (matching, following) = replica.search(
        lambda where: (where, newest_first(form.events().using(where), cursor, _PAGE, few=form.few))
    )
    if where == DEFAULT_DB_ALIAS:
        return None, matching, following
    streams, versions = {it.stream for it in matching}, {it.version for it in matching}
    here = {it.id: it for it in scope.events.filter(stream__in=streams, version__in=versions)}
    return round(replica.standing().seconds), [here[it.id] for it in matching if it.id in here], following


@require_safe
@for_auditors
def event(request: HttpRequest, scope: Scope, stream: UUID, version: int) -> HttpResponse:
    """Show one event: its sentence, its public part, and its place in the chain."""
    row = scope.events.filter(stream=stream, version=version).first() if version < 2**31 else None
    if row is None:
        raise Http404("There is no such event.")
    context = {
        **admin.site.each_context(request),
        "title": "Event",
        "event": row,
        "told": listed_events([row])[0],
        "public": json.dumps(row.public, indent=2, ensure_ascii=False, sort_keys=True),
    }
    return render(request, "panel/log_event.html", context)
