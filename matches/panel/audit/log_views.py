"""The event log in sentences, newest first, and each of its events."""

import json
from uuid import UUID

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

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
    found, following = newest_first(form.events(), cursor, _PAGE, few=form.few) if is_good else ([], None)
    context = {
        **admin.site.each_context(request),
        "title": "Event log",
        "form": form,
        "events": told(found),
        "is_first": cursor is None,
        "first": form.query(),
        "next": form.query(cursor=following) if following else "",
    }
    return render(request, "panel/log.html", context, status=200 if is_good else 422)


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
