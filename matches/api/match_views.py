"""Opening, listing and reading matches."""

from random import SystemRandom
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from games.kernel import HOST
from matches.http.bodies import LegalQuery, ListQuery, OpenBody, ViewQuery
from matches.http.etags import etag, etag_of, names_tag, not_modified
from matches.http.match_access import entitled, match_named, mover_at, own_witness, read_match
from matches.http.new_matches import open_requested
from matches.http.operations import Media, operation
from matches.http.paging import page
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.strangers import is_stranger, refuse_strangers
from matches.http.table_files import MEDIA_TYPES, accepted_form, table_file, zone_of
from matches.reads import feed, selectors
from matches.reads.documents.match import LegalDocument, MatchDocument, MatchPage, ViewDocument
from matches.reads.sentences import plain_names_of
from matches.reads.submissions import submissions
from matches.seasons.domain.contests import CONTEST
from matches.services import preparing


class MatchesView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read", "POST": "match:play"}

    @operation("listMatches", tag="Play", query=ListQuery, answers={200: MatchPage})
    def get(self, request: Request, query: ListQuery) -> HttpResponse:
        """List matches, newest first; without an account those that are over."""
        return listed(request, query)

    @operation(
        "openMatch",
        tag="Play",
        body=OpenBody,
        answers={201: MatchDocument},
        problems=(
            "no_such_game", "no_such_player", "bad_options", "already_seated", "bad_opening_time", "too_many_matches",
            "too_many_bot_matches", "not_for_guests",
        ),
    )  # fmt: skip
    def post(self, request: Request, body: OpenBody) -> HttpResponse:
        """Open a match. The response contains an invitation for each open seat; it is not shown again."""
        opened = open_requested(request.user.id, body)
        document = read_match(request, match_named(str(opened.match_id)), opened.invitations)
        where = {"Location": f"/api/v1/matches/{opened.match_id}", "ETag": etag(document.version, document.hash)}
        return answer(document, status=201, headers=where)


class MyMatchesView(APIView):
    scopes = {"GET": "match:read"}

    @operation("listMyMatches", tag="Account", query=ListQuery, answers={200: MatchPage})
    def get(self, request: Request, query: ListQuery) -> HttpResponse:
        """List the matches in which you have a seat."""
        return listed(request, query, player=request.user.id)


class MatchView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("readMatch", tag="Play", answers={200: MatchDocument, 304: None})
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return the match as the caller witnesses it. Its ETag is the version, with the hash of the
        version's event."""
        match = match_named(name)
        tag = etag_of(feed.visible_point(match.id, own_witness(request, match)))
        if names_tag(request, tag):
            return not_modified(tag)
        document = read_match(request, match)
        if document.witness.startswith("seat:"):
            preparing.prepare(match.id)
        return answer(document, headers={"ETag": etag(document.version, document.hash)})


class ViewView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("readView", tag="History", query=ViewQuery,
               answers={200: Media(tuple(MEDIA_TYPES), json=ViewDocument)}, problems=("too_many_rows",))  # fmt: skip
    def get(self, request: Request, name: str, query: ViewQuery) -> HttpResponse:
        """Return the state at a version, as any witness the caller is entitled to: their own seat or a spectator, and
        anyone once secrets are open, with the end of the match or of its season. A host who holds no seat may look as
        `host` before; that look is recorded, so with a cookie it needs the X-CSRFToken of a write.

        For a contest, `Accept: text/csv` or the type of XLSX makes it a table for spreadsheets: the submissions of the
        rounds that are over, as the witness knows them."""
        match = match_named(name)
        entitlement = entitled(request, match, query.as_)
        witness, upto, form = entitlement.witness, entitlement.until(query.at), accepted_form(request)
        if form and match.game == CONTEST:
            state = feed.visible_state(match.id, witness, upto).state
            return table_file(submissions(state, plain_names_of(match)), form, zone_of(request), match.code)
        document = feed.view(match.id, witness, upto)
        if isinstance(entitlement.witness, int):
            preparing.prepare(match.id)
        return answer(document)


class LegalView(APIView):
    scopes = {"GET": "match:read"}

    @operation("listLegal", tag="Play", query=LegalQuery, answers={200: LegalDocument},
               problems=("forbidden", "plays_here", "aids_off"))  # fmt: skip
    def get(self, request: Request, name: str, query: LegalQuery) -> HttpResponse:
        """Return what the caller's seat may do now, computed from what that seat knows; for a host without a seat, of
        a game with commands for its host, what the host may do, computed from what spectators know.

        With `sample=1` the response has one random legal command in `sample`, for clients under development; a match
        whose `aids` are `none` gives none. If a command has too many variants to list, `template` says what it takes.
        """
        match = match_named(name)
        mover = mover_at(request, match)
        if query.as_ and mover is not HOST:
            raise Problem("forbidden", "You hold a seat at this match, so its host's commands aren't yours.")
        if not query.sample:
            return answer(feed.legal(match.id, mover))
        try:
            return answer(feed.legal_with_sample(match.id, mover, SystemRandom()))
        except feed.NotAided:
            raise Problem("aids_off", "This match is played without aids: no command is chosen for you.") from None


def listed(request: Request, query: ListQuery, player: UUID | None = None) -> HttpResponse:
    """Return a page of the matches that the query selects; with `player`, only those in which this account has a seat.
    Readers without an account get only finished matches."""
    reader = None if is_stranger(request) else request.user
    if reader is None and (query.needs_me or query.status not in ("", "finished")):
        refuse_strangers(request)
    status = query.status if reader else "finished"
    selected = selectors.matches_for(
        reader,
        status=status,
        game=query.game,
        player=query.player,
        seated=player,
        needs_me=query.needs_me,
        season=query.season,
    )
    matches, following = page(selected, query.cursor, query.limit)
    statuses = (status,) if status else ()
    visible = selectors.visible_to(matches, reader.id if reader else None, *statuses)
    return answer(MatchPage([selectors.card(match, reader) for match in visible], following))
