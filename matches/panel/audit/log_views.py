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
from matches.panel.audit.log_filter import LogFilter
from matches.panel.audit.scope import Scope, for_auditors, newest_first
from matches.panel.audit.telling import told

_PAGE = 50


@require_safe
@for_auditors
def log(request: HttpRequest, scope: Scope) -> HttpResponse:
    """A page of the log; the next one goes on after its last event, whatever has happened since."""
    form = LogFilter(request.GET, scope=scope)
    is_good = form.is_valid()
    cursor = request.GET.get("cursor") or None
    replica_seconds, found, following = _looked_for(form, scope, cursor) if is_good else (None, [], None)
    context = {
        **admin.site.each_context(request),
        "title": "Event log",
        "form": form,
        "events": told(found),
        "is_first": cursor is None,
        "replica_seconds": replica_seconds,
        "first": form.query(),
        "next": form.query(cursor=following) if following else "",
    }
    return render(request, "panel/log.html", context, status=200 if is_good else 422)


def _looked_for(form: LogFilter, scope: Scope, cursor: str | None) -> tuple[int | None, list[LoggedEvent], str | None]:
    """A page of what fits, and the next one's cursor. A replica may do the looking: then by how many seconds it is
    behind, and of what it found that which the account may read now, by the primary."""
    where, (found, following) = replica.search(
        lambda where: (where, newest_first(form.events().using(where), cursor, _PAGE, few=form.few))
    )
    if where == DEFAULT_DB_ALIAS:
        return None, found, following
    streams, versions = {it.stream for it in found}, {it.version for it in found}
    here = {it.id: it for it in scope.events.filter(stream__in=streams, version__in=versions)}
    return round(replica.standing().seconds), [here[it.id] for it in found if it.id in here], following


@require_safe
@for_auditors
def event(request: HttpRequest, scope: Scope, stream: UUID, version: int) -> HttpResponse:
    """One event: its sentence, what all were told of it, and its place in the chain."""
    found = scope.events.filter(stream=stream, version=version).first() if version < 2**31 else None
    if found is None:
        raise Http404("There is no such event.")
    context = {
        **admin.site.each_context(request),
        "title": "Event",
        "event": found,
        "told": told([found])[0],
        "public": json.dumps(found.public, indent=2, ensure_ascii=False, sort_keys=True),
    }
    return render(request, "panel/log_event.html", context)
