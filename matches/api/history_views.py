"""A match's past: any moment of it, changes, what a seat knew, events by filter; searches over many matches."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.http import HttpResponse, HttpResponseBase
from msgspec import Meta, Struct, field
from rest_framework.request import Request
from rest_framework.views import APIView

from events import access
from matches.api.audit_views import stream_file
from matches.audit import history
from matches.audit.history import EventFilter
from matches.domain.tables import marked
from matches.http.bodies import Named, Version, ViewQuery
from matches.http.match_access import entitled, match_named, own_witness
from matches.http.operations import Media, operation
from matches.http.paging import page
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.table_files import BYTE_ORDER_MARK, CSV, csv_line
from matches.reads import feed, selectors
from matches.reads.documents.past import (
    DiffDocument,
    FoundPage,
    HistoryPage,
    MomentDocument,
    ResultDocument,
    ResultPage,
)

Instant = Annotated[datetime, Meta(tz=True)]
Sought = Annotated[str, Meta(max_length=100)]
Kind = Literal["moves", "host", "rulings", "lifecycle", ""]
_MATCHES_A_SEARCH = 20


class DiffQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Two versions, by default the newest for `to`, and a witness: `seat:N`, `spectator` or `host`."""

    from_: Version = field(name="from")
    to: Version | None = None
    as_: Named | None = field(default=None, name="as")


class KnowledgeQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The version of an event of a seat's act."""

    of: Version


class WantedQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Filters for events: their kind, their instants, a text in their sentence; and the witness."""

    kind: Kind = ""
    since: Instant | None = None
    until: Instant | None = None
    text: Sought = ""
    as_: Named | None = field(default=None, name="as")

    @property
    def event_filter(self) -> EventFilter:
        """The filter in the query."""
        return EventFilter(self.kind, self.since, self.until, self.text)


class HistoryQuery(WantedQuery, frozen=True):
    """Filters for events, and the version from which on."""

    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class FileQuery(WantedQuery, frozen=True):
    """Filters for events, and the form: lines of JSON, or CSV."""

    form: Literal["ndjson", "csv"] = "ndjson"


class SearchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A text in events' sentences, in the matches of a player, a season or a game."""

    text: Annotated[str, Meta(min_length=2, max_length=100)]
    player: UUID | None = None
    season: UUID | None = None
    game: Annotated[str, Meta(max_length=40)] = ""
    kind: Kind = ""
    since: Instant | None = None
    until: Instant | None = None
    cursor: Annotated[str, Meta(max_length=500)] | None = None


class ResultQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A page of results."""

    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class MomentView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("readMoment", tag="History", query=ViewQuery, answers={200: MomentDocument})
    def get(self, request: Request, name: str, query: ViewQuery) -> HttpResponse:
        """Return view, clocks and legal commands at a version, as any witness the caller is entitled to."""
        match = match_named(name)
        entitlement = entitled(request, match, query.as_)
        return answer(history.moment(match.id, entitlement.witness, entitlement.until(query.at), entitlement.upto))


class KnowledgeView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation(
        "readKnowledge",
        tag="History",
        query=KnowledgeQuery,
        answers={200: MomentDocument},
        problems=("no_seats_act", "sealed"),
    )
    def get(self, request: Request, name: str, query: KnowledgeQuery) -> HttpResponse:
        """Return what the acting seat knew when it decided on the act of an event: the moment just before, as that seat
        witnessed it. While the match runs only that seat may read it."""
        match = match_named(name)
        if query.of > feed.visible_state(match.id, own_witness(request, match)).version:
            raise Problem("no_seats_act")
        seat_and_version = history.before_the_act_at(match.id, query.of)
        if seat_and_version is None:
            raise Problem("no_seats_act")
        seat, version = seat_and_version
        entitlement = entitled(request, match, f"seat:{seat}")
        return answer(history.moment(match.id, entitlement.witness, entitlement.until(version), entitlement.upto))


class DiffView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("diffMatch", tag="History", query=DiffQuery, answers={200: DiffDocument})
    def get(self, request: Request, name: str, query: DiffQuery) -> HttpResponse:
        """List what changed in a witness's view between two versions: the path of each part, before and after."""
        match = match_named(name)
        entitlement = entitled(request, match, query.as_)
        return answer(
            history.diff(match.id, entitlement.witness, entitlement.until(query.from_), entitlement.until(query.to))
        )


class HistoryView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("listHistory", tag="History", query=HistoryQuery, answers={200: HistoryPage})
    def get(self, request: Request, name: str, query: HistoryQuery) -> HttpResponse:
        """List the events of one kind, of some time, or with a text in their sentence, ascending. A page may be short,
        even empty, and have a `next`: then the search goes on from there."""
        match = match_named(name)
        entitlement = entitled(request, match, query.as_)
        return answer(history.history(match.id, entitlement, query.event_filter, query.after, query.limit))


class HistoryFileView(APIView):
    scopes = {"GET": "match:read"}

    @operation(
        "exportHistory", tag="History", query=FileQuery,
        answers={200: Media(("application/x-ndjson", "text/csv"))},
    )  # fmt: skip
    def get(self, request: Request, name: str, query: FileQuery) -> HttpResponseBase:
        """Export the events that fit, with their sentences, as lines of JSON or as CSV: for reading, not for proof."""
        match = match_named(name)
        entitlement = entitled(request, match, query.as_)
        access.note(match.id, str(request.user.id), "exported")
        events = history.everything(match.id, entitlement.witness, query.event_filter, entitlement.upto)
        if query.form == "csv":
            return stream_file(request, as_table(events), f"{match.code}-history.csv", CSV)
        lines = (msgspec.json.encode(event) + b"\n" for event in events)
        return stream_file(request, lines, f"{match.code}-history.ndjson", "application/x-ndjson")


class SearchView(APIView):
    scopes = {"GET": "match:read"}

    @operation("searchHistory", tag="History", query=SearchQuery, answers={200: FoundPage})
    def get(self, request: Request, query: SearchQuery) -> HttpResponse:
        """Search for events whose sentence contains a text, as the caller saw them, in the newest matches first: twenty
        matches a page, of each at most its first 5000 events and 50 that fit."""
        query_of_matches = selectors.matches_for(
            request.user, player=query.player, season=query.season, game=query.game
        )
        matches, following = page(query_of_matches, query.cursor, _MATCHES_A_SEARCH)
        event_filter = EventFilter(query.kind, query.since, query.until, query.text)
        results = history.found_in(matches, str(request.user.id), event_filter)
        return answer(FoundPage(results, following, len(matches)))


class ResultsView(APIView):
    scopes = {"GET": "match:read"}

    @operation("listResults", tag="History", query=ResultQuery, answers={200: ResultPage})
    def get(self, request: Request, account_id: UUID, query: ResultQuery) -> HttpResponse:
        """List a player's results in finished matches, newest first, across games and seasons. Results that wait for a
        host's approval aren't included."""
        rows = selectors.record_of(account_id, request.user)
        rows_of_page, following = page(rows, query.cursor, query.limit, order=("-finished_at", "-id"))
        results = [
            ResultDocument(row.match_id, row.game, row.seat, row.won, row.reason, row.finished_at)
            for row in rows_of_page
        ]
        return answer(ResultPage(results, following))


def as_table(events: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Yield the events as lines of CSV."""
    names = ("version", "at", "actor", "type", "text", "hash")
    yield BYTE_ORDER_MARK + csv_line(names)
    for event in events:
        yield csv_line(marked(str(event[name])) for name in names)
