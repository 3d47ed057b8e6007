"""One feed over all matches: what the caller may see of each, in an order that resumes."""

from typing import Annotated, Any
from uuid import UUID

from django.core import signing
from django.http import HttpResponse
from msgspec import Meta, Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.reads import all_matches
from matches.reads.all_matches import Mark
from matches.reads.documents.news import FeedPage

_SALT = "cursor of all matches"


class FeedQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The beginning, and the number of events at most; only of one match or season, or with `mine=1` of the matches at
    which the caller sits. `after` is `next` of the page before, unchanged; without it the feed begins with the first
    event."""

    after: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 100
    match: UUID | None = None
    season: UUID | None = None
    mine: bool = False


class FeedView(APIView):
    scopes = {"GET": "match:read"}

    @operation("followMatches", tag="History", query=FeedQuery, answers={200: FeedPage}, problems=("history_changed",))
    def get(self, request: Request, query: FeedQuery) -> HttpResponse:
        """Return the events of all matches that the caller may see, each as in that match's own events, in one order
        that never changes: a reader who follows `next` misses nothing. Events that spectators see late are placed when
        they see them.

        If there is no `more`, ask again with the same `next`. If the caller may see a match only from some time on, its
        events begin there; earlier ones are at `/matches/{id}/events`. A player who has left a seat of a match that
        spectators see late may get its events once more: `match` and `version` identify them.
        """
        me = request.user.id
        streams = all_matches.matches_of(me, query.match, query.season, query.mine)
        try:
            feed_part = all_matches.page_since(me, _mark_in(query.after), query.limit, streams)
        except all_matches.Lost:
            raise Problem(
                "history_changed",
                "The house has lost the event that you were told last. Begin again, without `after`.",
            ) from None
        return answer(FeedPage(feed_part.results, _cursor_of(feed_part.mark), feed_part.more))


def _cursor_of(mark: Mark) -> str:
    return signing.dumps(str(mark.position) if mark.stream is None else [str(mark.stream), *mark[1:4]], salt=_SALT)


def _mark_in(cursor: str | None) -> Mark:
    if cursor is None:
        return Mark()
    try:
        position: Any = signing.loads(cursor, salt=_SALT)
    except signing.BadSignature:
        raise Problem("malformed", "`after`: take it unchanged from `next` of the page before.") from None
    if isinstance(position, str):
        return Mark(position=int(position))
    stream, version, late, hash = position
    return Mark(UUID(stream), version, late, hash)
