"""Opening, listing and reading matches."""

from uuid import UUID

from django.http import HttpResponse
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict
from rest_framework.request import Request
from rest_framework.views import APIView

from games import catalogue
from matches import feed, selectors, services
from matches.api.answers import answer
from matches.api.authentication import refuse_unmeant
from matches.api.bodies import ClockBody, ListQuery, OpenBody, SeatBody, ViewQuery
from matches.api.etags import etag, etag_of, names_tag, not_modified
from matches.api.operations import operation
from matches.api.paging import page
from matches.api.problems import Problem
from matches.clocks import ClockTimes
from matches.documents import LegalDocument, MatchDocument, MatchPage, ViewDocument
from matches.happenings import BOT
from matches.models import Match
from matches.seasons import selectors as seasons


class MatchesView(APIView):
    """The matches."""

    scopes = {"GET": "match:read", "POST": "match:play"}

    @operation("listMatches", tag="Play", query=ListQuery, answers={200: MatchPage})
    def get(self, request: Request, query: ListQuery) -> HttpResponse:
        """Matches, newest first."""
        return listed(request, query)

    @operation(
        "openMatch",
        tag="Play",
        body=OpenBody,
        answers={201: MatchDocument},
        problems=(
            "no_such_game", "no_such_player", "bad_options", "already_seated", "bad_opening_time", "too_many_matches",
            "too_many_bot_matches",
        ),
    )  # fmt: skip
    def post(self, request: Request, body: OpenBody) -> HttpResponse:
        """Open a match. The answer holds an invitation for each open seat; it is not shown again."""
        opened = open_as_asked(request.user.id, body)
        document = read_match(request, match_named(str(opened.match_id)), opened.invitations)
        where = {"Location": f"/api/v1/matches/{opened.match_id}", "ETag": etag(document.version, document.hash)}
        return answer(document, status=201, headers=where)


class MyMatchesView(APIView):
    """The caller's matches."""

    scopes = {"GET": "match:read"}

    @operation("listMyMatches", tag="Account", query=ListQuery, answers={200: MatchPage})
    def get(self, request: Request, query: ListQuery) -> HttpResponse:
        """The matches in which the caller has a seat."""
        return listed(request, query, player=request.user.id)


class MatchView(APIView):
    """One match."""

    scopes = {"GET": "match:read"}

    @operation("readMatch", tag="Play", answers={200: MatchDocument, 304: None})
    def get(self, request: Request, name: str) -> HttpResponse:
        """The match as the caller witnesses it. Its ETag is the version, with the hash of the version's event."""
        match = match_named(name)
        tag = etag_of(feed.newest_told(match.id, own_witness(request, match)))
        if names_tag(request, tag):
            return not_modified(tag)
        document = read_match(request, match)
        return answer(document, headers={"ETag": etag(document.version, document.hash)})


class ViewView(APIView):
    """Time travel."""

    scopes = {"GET": "match:read"}

    @operation("readView", tag="History", query=ViewQuery, answers={200: ViewDocument})
    def get(self, request: Request, name: str, query: ViewQuery) -> HttpResponse:
        """The state at a version, as any witness the caller is entitled to: their own seat or a spectator while
        the match runs, anyone once it is over. A host who holds no seat may look as `host` while it runs; that look
        stands in the record, so with a cookie it takes the X-CSRFToken of a write."""
        match = match_named(name)
        seen = entitled(request, match, query.as_)
        return answer(feed.view(match.id, seen.witness, seen.until(query.at)))


class LegalView(APIView):
    """Legal commands."""

    scopes = {"GET": "match:read"}

    @operation("listLegal", tag="Play", answers={200: LegalDocument}, problems=("forbidden",))
    def get(self, request: Request, name: str) -> HttpResponse:
        """What the caller's seat may do now, worked out from what that seat knows."""
        match = match_named(name)
        return answer(feed.legal(match.id, seat_held(request, match)))


def open_as_asked(opener: UUID, body: OpenBody) -> services.Opened:
    """Open a match; raises Problem, Illegal."""
    if body.game not in catalogue:
        raise Problem("no_such_game", f"The games are {', '.join(sorted(catalogue))}.")
    return services.open_match(
        opener=opener,
        game=body.game,
        options=body.options,
        seats=_asked(body.seats),
        priority=body.priority,
        clocks=clock_times(body.game, body.clocks),
        approval=body.approval,
        opens_at=body.opens_at,
        spectator_delay=body.spectator_delay,
    )


def match_named(name: str) -> Match:
    """The match with this id or code, its overdue flags fallen; raises Problem."""
    match = match_as_it_stands(name)
    if match.overdue:
        services.catch_up_for_a_reader(match_id=match.id)
    return match


def match_as_it_stands(name: str) -> Match:
    """The match, and a flag that is overdue left to the command that comes late; raises Problem."""
    match = selectors.match_by(name)
    if match is None:
        raise Problem("not_found", "There is no match with this id or code.")
    return match


def story_of(request: Request, match: Match) -> feed.Lifecycle:
    """The match's lifecycle as the caller may know it."""
    return feed.story(match.id, str(request.user.id))


def hosts(request: Request, match: Match) -> bool:
    """Whether the caller hosts the match: whoever opened it, and organisers; a season's match is its staff's to run."""
    if match.season_id is not None:
        return seasons.hosts(request.user, match)
    return match.opened_by_id == request.user.id or request.user.is_organiser


def is_barred(request: Request, match: Match) -> bool:
    """Whether the caller would host this match of a season, did they not play in the season."""
    return match.season_id is not None and seasons.is_barred(request.user, match)


def entitled(request: Request, match: Match, asked: str | None = None) -> feed.Entitled:
    """As whom the caller may look, and how far. A host's look at the truth of a match under way is recorded first, and
    reaches no further than what the record says of it; a cookie alone doesn't make one."""
    seen = feed.entitled(match.id, str(request.user.id), asked, asked is not None and hosts(request, match))
    if not seen.is_watched:
        return seen
    refuse_unmeant(request)
    return seen._replace(upto=services.look(match_id=match.id, by=request.user.id))


def own_witness(request: Request, match: Match) -> feed.Witness:
    """The caller's own seat, or a spectator."""
    return feed.witness_of(story_of(request, match), str(request.user.id))


def seat_held(request: Request, match: Match) -> int:
    """The caller's seat; raises Problem where they hold none."""
    seat = story_of(request, match).seat_of(str(request.user.id))
    if seat is None:
        raise Problem("forbidden", "You hold no seat at this match.")
    return seat


def read_match(request: Request, match: Match, invitations: dict[int, str] | None = None) -> MatchDocument:
    """The match as the caller witnesses it."""
    seen = entitled(request, match)
    return feed.match(match, seen.witness, selectors.seats_of(match, invitations), seen.upto)


def listed(request: Request, query: ListQuery, player: UUID | None = None) -> HttpResponse:
    """A page of the matches that fit."""
    found = selectors.matches_for(
        request.user,
        status=query.status,
        game=query.game,
        player=query.player,
        seated=player,
        needs_me=query.needs_me,
        season=query.season,
    )
    matches, following = page(found, query.cursor, query.limit)
    known = selectors.told(matches, request.user.id, *filter(None, (query.status,)))
    return answer(MatchPage([selectors.card(match, request.user) for match in known], following))


def clock_times(game: str, asked: dict[str, ClockBody] | UnsetType | None) -> dict[str, ClockTimes] | None:
    """The match's clocks: the game's own, with what the opener changed; raises Problem."""
    if asked is None:
        return None
    specs = catalogue[game].clocks
    changed = {} if asked is UNSET else asked
    if unknown := changed.keys() - specs.keys():
        raise Problem("bad_options", f"There is no clock {min(unknown)}; this game has {', '.join(sorted(specs))}.")
    try:
        return {
            name: ClockTimes(**(asdict(ClockBody(spec.base, spec.reserve, spec.increment)) | _given(changed.get(name))))
            for name, spec in specs.items()
        }
    except ValueError as error:
        raise Problem("bad_options", f"{str(error).capitalize()}.") from None


def _given(changed: ClockBody | None) -> dict[str, int]:
    return {name: value for name, value in asdict(changed).items() if value is not UNSET} if changed else {}


def _asked(seats: list[SeatBody]) -> list[services.SeatAsked]:
    """The seats as the house knows them; raises Problem for a player who isn't an account."""
    asked = [services.SeatAsked(_player(seat.player), seat.role) for seat in seats]
    if not selectors.accounts_exist({seat.player for seat in asked if isinstance(seat.player, UUID)}):
        raise Problem("no_such_player")
    return asked


def account_or_bot(named: str) -> UUID | str:
    """A player as the house knows them; raises Problem for one who is neither an account nor `bot`."""
    player = _player(named)
    if isinstance(player, UUID) and not selectors.accounts_exist({player}):
        raise Problem("no_such_player")
    return player


def _player(named: str | None) -> UUID | str | None:
    if named in (None, BOT):
        return named
    try:
        return UUID(named)
    except ValueError:
        raise Problem("no_such_player") from None
