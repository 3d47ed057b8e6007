"""The record: events, export, audit."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe
from rest_framework.request import Request
from rest_framework.views import APIView

from matches import audit, croupier_verify, feed, table
from matches.api.answers import answer
from matches.api.bodies import EventsQuery
from matches.api.match_views import match_named, witness_asked
from matches.api.operations import Media, operation
from matches.documents import AuditDocument, EventPage

_SECONDS_BETWEEN_LOOKS = 0.25


class EventsView(APIView):
    """What has happened."""

    scopes = {"GET": "match:read"}

    @operation("listEvents", tag="History", query=EventsQuery, answers={200: EventPage})
    def get(self, request: Request, name: str, query: EventsQuery) -> HttpResponse:
        """Events after a version, ascending, as the caller witnesses them; `wait` holds the answer until there is
        one (long poll)."""
        match = match_named(name)
        found = feed.events(match.id, witness_asked(request, match, query.as_), query.after, query.limit)
        response = answer(found)
        if query.wait and not found.results and not found.finished:
            response.waits_for = (match.id, query.after, query.wait)  # type: ignore[attr-defined]
        return response


class ExportView(APIView):
    """The record in a file."""

    scopes = {"GET": "match:read"}

    @operation("exportMatch", tag="History", answers={200: Media(("application/x-ndjson",))})
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """The match's record as lines of JSON, self-contained; `croupier_verify.py` checks it offline."""
        match = match_named(name)
        headers = {"Content-Disposition": f'attachment; filename="{match.code}.ndjson"'}
        lines = audit.export(match.id)
        return StreamingHttpResponse(lines, content_type="application/x-ndjson", headers=headers)


class AuditView(APIView):
    """What can be proved."""

    scopes = {"GET": "match:read"}

    @operation("auditMatch", tag="History", answers={200: AuditDocument})
    def get(self, request: Request, name: str) -> HttpResponse:
        """The head of the match's chain, and what was promised before the first deal."""
        return answer(audit.standing(match_named(name).id))


async def events(request: HttpRequest, name: str) -> HttpResponse:
    """The events' view; a long poll waits here, where it holds no database connection."""
    view, version_of = _brief(EventsView.as_view()), _brief(table.version_of)
    started = time.monotonic()
    response: HttpResponse = await view(request, name=name)
    match_id, after, seconds = getattr(response, "waits_for", (None, 0, 0))
    if match_id is None:
        return response
    while time.monotonic() < started + seconds:
        await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        if await version_of(match_id) > after:
            response = await view(request, name=name)
            break
    return response


def _brief(look: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """A look into the database that gives its connection back at once, not at the request's end."""

    def run(*args: Any, **named: Any) -> Any:
        try:
            return look(*args, **named)
        finally:
            connections[DEFAULT_DB_ALIAS].close()

    return sync_to_async(run)


events.cls = EventsView  # type: ignore[attr-defined]
events.initkwargs = {}  # type: ignore[attr-defined]
events.csrf_exempt = True  # type: ignore[attr-defined]


@require_safe
def verifier(request: HttpRequest) -> FileResponse:
    """The standalone verifier, for whoever doesn't trust the house."""
    path = Path(croupier_verify.__file__)
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type="text/x-python")
