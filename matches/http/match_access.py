"""A match by its name, and what the caller of a request is there: a seat, a host, a spectator."""

from rest_framework.request import Request

from games.kernel import Witness
from matches import services
from matches.domain.lifecycle import Lifecycle
from matches.http.authentication import refuse_unmeant
from matches.http.problems import Problem
from matches.http.strangers import is_stranger
from matches.models import Account, Match
from matches.reads import feed, selectors
from matches.reads.documents import MatchDocument
from matches.seasons.reads import selectors as seasons


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


def story_of(request: Request, match: Match) -> Lifecycle:
    """The match's lifecycle as the caller may know it."""
    return feed.story(match.id, caller_of(request))


def caller_of(request: Request) -> str | None:
    """The account that asks; None for a stranger."""
    return None if is_stranger(request) else str(request.user.id)


def hosts(request: Request, match: Match) -> bool:
    """Whether the caller hosts the match: whoever opened it, and organisers; a season's match is its staff's to run."""
    return not is_stranger(request) and is_host(request.user, match)


def is_host(account: Account, match: Match) -> bool:
    """Whether the account hosts the match, as `hosts` says."""
    if match.season_id is not None:
        return seasons.hosts(account, match)
    return match.opened_by_id == account.id or account.is_organiser


def is_barred(request: Request, match: Match) -> bool:
    """Whether the caller would host this match of a season, did they not play in the season."""
    return not is_stranger(request) and match.season_id is not None and seasons.is_barred(request.user, match)


def entitled(request: Request, match: Match, asked: str | None = None) -> feed.Entitlement:
    """As whom the caller may look, and how far. A host's look at the truth of a match under way is recorded first, and
    reaches no further than what the record says of it; a cookie alone doesn't make one."""
    seen = feed.entitled(match.id, caller_of(request), asked, asked is not None and hosts(request, match))
    if not seen.is_watched:
        return seen
    refuse_unmeant(request)
    return seen._replace(upto=services.look(match_id=match.id, by=request.user.id))


def own_witness(request: Request, match: Match) -> Witness:
    """The caller's own seat, or a spectator."""
    return feed.witness_of(story_of(request, match), caller_of(request))


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


def refuse_unless_host(request: Request, match: Match) -> None:
    """Hosts are whoever opened the match, and organisers; raises Problem, Illegal."""
    if hosts(request, match):
        return
    if is_barred(request, match):
        services.refuse_season_player(match.id, request.user.id)
    raise Problem("forbidden", "That is for whoever opened the match, or an organiser.")
