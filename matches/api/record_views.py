"""Events in pages and in streams."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any, NamedTuple
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from events import store
from events.records import Point
from games.kernel import Witness
from matches.http.addresses import network
from matches.http.authentication import Credential, credential_of, refuse_signed_out
from matches.http.bodies import EventsQuery
from matches.http.match_access import entitled, match_named, own_witness
from matches.http.open_connections import LivePlace, connection_slots
from matches.http.operations import Media, operation
from matches.http.problems import Problem, respond
from matches.http.responses import answer, nothing
from matches.http.strangers import refuse_strangers
from matches.http.streaming import MEDIA_TYPES, Form, accepted_form, begin, last_event_id
from matches.models import Match
from matches.reads import entitlements, feed, selectors
from matches.reads.documents.match import CallDocument
from matches.reads.documents.news import EventPage, ResyncDocument

_SECONDS_BETWEEN_CHECKS = 0.25
_MOST_CHECKS_A_SECOND = 100
"""Limit for all long polls together: each look is a query."""
_STREAMS = tuple(MEDIA_TYPES)
_OVER = ("finished", "void")


class Waits(NamedTuple):
    """A long poll: the account, the match and its witness, the point after which it waits for news, and how long."""

    account: UUID
    match_id: UUID
    witness: Witness
    after: Point
    seconds: int
    credential: Credential


class EventsView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation(
        "listEvents", tag="History", query=EventsQuery, answers={200: Media(_STREAMS, EventPage), 204: None},
        problems=("history_changed",),
    )  # fmt: skip
    def get(self, request: Request, name: str, query: EventsQuery) -> HttpResponse:
        """Return the events after a version, ascending, as the caller witnesses them; `wait` delays the response until
        there is one (long poll).

        `Accept: application/x-ndjson` or `text/event-stream` makes it a stream: first the whole match, then what
        happens, with `after` also what has happened since; it ends with the match, and a reader who reconnects with the
        last event as `Last-Event-ID` gets 204 and should stop. If the caller has received what the record no longer
        holds, the stream begins with `resync`.
        """
        match = match_named(name)
        if query.hash and not query.after:
            raise Problem("malformed", "`hash` is that of the event at `after`; name that, too.")
        if form := accepted_form(request):
            refuse_strangers(request)
            return _stream(request, match, query, form)
        entitlement = entitled(request, match, query.as_)
        page = feed.events(match.id, entitlement.witness, query.after, query.limit, entitlement.upto)
        if not _holds(match, query.after, query.hash, page.version):
            raise Problem("history_changed", version=page.version)
        response = answer(page)
        if query.wait and not page.results and not page.finished:
            after = feed.visible_point(match.id, entitlement.witness)
            # If something has happened since, the caller asks again.
            if after.version == query.after:
                waits = Waits(request.user.id, match.id, entitlement.witness, after, query.wait, credential_of(request))
                response.waits_for = waits  # type: ignore[attr-defined]
        return response


def _stream(request: Request, match: Match, query: EventsQuery, form: Form) -> HttpResponse:
    """Return the beginning of a stream: the whole match, then what the caller has missed."""
    witness = own_witness(request, match)
    if query.as_ not in (None, entitlements.witness_name(witness)):
        raise Problem("malformed", "A stream is told as your own seat sees it, or as a spectator; leave `as` out.")
    now = store.clock()
    hello = feed.hello(match.id, witness, now)
    after = last_event_id(request)
    if after is None:
        after = query.after if "after" in request.query_params else hello.version
    if not _holds(match, after, query.hash if after == query.after else "", hello.version):
        begun = [ResyncDocument(version=hello.version, last_received=after), hello]
        return begin(request, form, begun, match_id=match.id, witness=witness, version=hello.version)
    if last_event_id(request) == hello.version and hello.status in _OVER:
        # Only a 204 keeps an EventSource from reconnecting.
        return nothing()
    missed = feed.missed(match.id, witness, after, hello.version, now) if after < hello.version else None
    begun = [hello, missed] if missed else [hello]
    version = missed.to if missed else hello.version
    return begin(request, form, begun, match_id=match.id, witness=witness, version=version)


def _holds(match: Match, version: int, hash: str, newest: int) -> bool:
    """True if the record, as far as the caller may know it, reaches this version (`newest` is its end) and has this
    hash there, if one is given."""
    return version <= newest and (not hash or not version or feed.holds(match.id, version, hash))


class CallsView(APIView):
    scopes = {"GET": "match:read"}

    @operation("streamCalls", tag="Account", answers={200: Media(_STREAMS)})
    def get(self, request: Request) -> HttpResponse:
        """Stream the matches that wait for the caller: first those that do now, then each as it begins to. Lines of
        JSON, or with `Accept: text/event-stream` server-sent events."""
        cards = selectors.cards_that_need(request.user)
        alerted = tuple(card.id for card in cards)
        return begin(request, accepted_form(request) or "ndjson", map(CallDocument, cards), alerted=alerted)


async def events(request: HttpRequest, name: str) -> HttpResponse:
    """Respond to a request for events; a long poll waits here, where it holds a place like a stream, and no database
    connection."""
    view, started = _brief(EventsView.as_view()), time.monotonic()
    slots, address = connection_slots(), network(request.META.get("REMOTE_ADDR", ""))
    if request.GET.get("wait", "0") != "0":
        try:
            slots.refuse_early(address, "polls")
        except Problem as problem:
            return respond(problem, request)
    response: HttpResponse = await view(request, name=name)
    waits: Waits | None = getattr(response, "waits_for", None)
    if waits is None:
        return response
    with ExitStack() as held:
        try:
            slots.hold("address", address, held)
            slots.hold("account", str(waits.account), held)
            given_away = asyncio.Event()
            slots.hold_place(LivePlace("polls", address, given_away.set), held)
            moved = await _wait_for_news(waits, started + waits.seconds, given_away)
        except Problem as problem:
            return respond(problem, request)
    return await view(request, name=name) if moved else response


async def _wait_for_news(waits: Waits, until: float, given_away: asyncio.Event) -> bool:
    """Wait for news until that time or until the place is given to another reader; return True if there is news.

    Raise SignedOut, Problem("history_changed").
    """
    has_news = _brief(_has_news)
    while time.monotonic() < until and not given_away.is_set():
        await asyncio.sleep(max(_SECONDS_BETWEEN_CHECKS, connection_slots().count("polls") / _MOST_CHECKS_A_SECOND))
        if await has_news(waits):
            return True
    return False


def _has_news(waits: Waits) -> bool:
    refuse_signed_out(waits.account, waits.credential)
    newest, after = feed.visible_point(waits.match_id, waits.witness), waits.after
    if newest != after and not feed.holds(waits.match_id, after.version, after.hash.hex()):
        raise Problem("history_changed", version=newest.version)
    return newest != after


def _brief(read: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Run a function in a thread that closes its database connection at once, not at the request's end."""

    def run(*args: Any, **named: Any) -> Any:
        try:
            return read(*args, **named)
        finally:
            connections[DEFAULT_DB_ALIAS].close()

    return sync_to_async(run)


events.cls = EventsView  # type: ignore[attr-defined]
events.initkwargs = {}  # type: ignore[attr-defined]
events.csrf_exempt = True  # type: ignore[attr-defined]
