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
from matches.reads.documents import FeedPage

_SALT = "cursor of all matches"


class FeedQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """From where on, and how many events at most; of one match or season, or with `mine=1` of the matches at which the
    caller sits. `after` is `next` of the page before, unchanged; without it the feed begins with the first event."""

    after: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 100
    match: UUID | None = None
    season: UUID | None = None
    mine: bool = False


class FeedView(APIView):
    """What has happened anywhere."""

    scopes = {"GET": "match:read"}

    @operation("followMatches", tag="History", query=FeedQuery, answers={200: FeedPage}, problems=("history_changed",))
    def get(self, request: Request, query: FeedQuery) -> HttpResponse:
        """The events of all matches that the caller may see, each as that match's own events tell it, in one order that
        never changes: who follows `next` misses nothing. What spectators of a match are told late stands where it is
        told.

        Where there is no `more`, ask again with the same `next`. A match that the caller may see only from some time on
        is told from there; what came before is at `/matches/{id}/events`. Who has left a seat of a match that
        spectators see late may be told its events once more: `match` and `version` name them.
        """
        me = request.user.id
        streams = all_matches.matches_of(me, query.match, query.season, query.mine)
        try:
            told = all_matches.told_since(me, _opened(query.after), query.limit, streams)
        except all_matches.Lost:
            raise Problem(
                "history_changed",
                "The house has lost the event that you were told last. Begin again, without `after`.",
            ) from None
        return answer(FeedPage(told.results, _sealed(told.mark), told.more))


def _sealed(mark: Mark) -> str:
    return signing.dumps(str(mark.position) if mark.stream is None else [str(mark.stream), *mark[1:4]], salt=_SALT)


def _opened(cursor: str | None) -> Mark:
    if cursor is None:
        return Mark()
    try:
        kept: Any = signing.loads(cursor, salt=_SALT)
    except signing.BadSignature:
        raise Problem("malformed", "`after`: take it unchanged from `next` of the page before.") from None
    if isinstance(kept, str):
        return Mark(position=int(kept))
    stream, version, late, hash = kept
    return Mark(UUID(stream), version, late, hash)
