"""A match by its name, and the caller's role there: a seat, a host, a spectator."""

from uuid import UUID

from rest_framework.request import Request

from games import catalogue
from games.kernel import HOST, Witness
from matches.domain import impartiality
from matches.domain.lifecycle import Lifecycle
from matches.http.authentication import refuse_cross_site
from matches.http.problems import Problem
from matches.http.strangers import is_stranger
from matches.models import Account, Match
from matches.reads import entitlements, feed, selectors
from matches.reads.documents.match import MatchDocument
from matches.seasons.reads import selectors as seasons
from matches.services import hosting, season_players, timing


def match_named(name: str) -> Match:
    """Return the match with this id or code, after letting overdue flags fall; raise Problem."""
    match = match_without_catch_up(name)
    if match.overdue:
        timing.catch_up_for_a_reader(match_id=match.id)
    return match


def match_without_catch_up(name: str) -> Match:
    """Return the match without letting overdue flags fall, which a late command does itself; raise Problem."""
    match = selectors.match_by(name)
    if match is None:
        raise Problem("not_found", "There is no match with this id or code.")
    return match


def lifecycle_of(request: Request, match: Match) -> Lifecycle:
    """Return the match's lifecycle as the caller may see it."""
    return entitlements.lifecycle_for(match.id, caller_of(request))


def caller_of(request: Request) -> str | None:
    """Return the calling account's id; None for an anonymous caller."""
    return None if is_stranger(request) else str(request.user.id)


def hosts(request: Request, match: Match) -> bool:
    """True if the caller hosts the match: its opener and organisers; a season's staff for its matches."""
    return not is_stranger(request) and is_host(request.user, match)


def is_host(account: Account, match: Match) -> bool:
    """True if the account hosts the match, as `hosts` says."""
    if match.season_id is not None:
        return seasons.hosts(account, match)
    return match.opened_by_id == account.id or account.is_organiser


def gives_host_commands(account: UUID, match: Match) -> bool:
    """True if the match's rules have commands of its host, and the account may host it. Raise plays_here for one that
    would host it but plays in its season."""
    if not catalogue[match.game].host_commands:
        return False
    row = Account.objects.get(id=account)
    if match.season_id is not None and seasons.is_barred(row, match):
        season_players.refuse_season_player(match.id, account)
    return is_host(row, match)


def is_barred(request: Request, match: Match) -> bool:
    """True if the caller would host this match of a season but plays in the season."""
    return not is_stranger(request) and match.season_id is not None and seasons.is_barred(request.user, match)


def entitled(request: Request, match: Match, requested: str | None = None) -> entitlements.Entitlement:
    """Return the witness as which the caller may look, and up to which version.

    A host's look at the truth of a match under way is recorded first, and reaches no further than its record; a cookie
    without CSRF proof is refused.
    """
    entitlement = entitlements.entitled(
        match.id, caller_of(request), requested, requested is not None and hosts(request, match)
    )
    if not entitlement.is_watched:
        return entitlement
    refuse_cross_site(request)
    return entitlement._replace(upto=hosting.view_truth(match_id=match.id, by=request.user.id))


def own_witness(request: Request, match: Match) -> Witness:
    """Return the caller's own seat, or SPECTATOR."""
    return entitlements.witness_of(lifecycle_of(request, match), caller_of(request))


def seat_held(request: Request, match: Match) -> int:
    """Return the caller's seat; raise Problem without one."""
    seat = lifecycle_of(request, match).seat_of(str(request.user.id))
    if seat is None:
        raise Problem("forbidden", "You hold no seat at this match.")
    return seat


def mover_at(request: Request, match: Match) -> Witness:
    """Return the caller's seat, or HOST if the caller gives the commands of the match's host; raise Problem for
    everybody else, and Illegal for a host who plays."""
    lifecycle, caller = lifecycle_of(request, match), str(request.user.id)
    if lifecycle.seat_of(caller) is None and gives_host_commands(request.user.id, match):
        impartiality.refuse_player(lifecycle, caller, "command")
        return HOST
    return seat_held(request, match)


def read_match(request: Request, match: Match, invitations: dict[int, str] | None = None) -> MatchDocument:
    """Return the match as the caller sees it."""
    entitlement = entitled(request, match)
    return feed.match(match, entitlement.witness, selectors.seats_of(match, invitations), entitlement.upto)


def refuse_unless_host(request: Request, match: Match) -> None:
    """Raise Problem or Illegal unless the caller hosts the match."""
    if hosts(request, match):
        return
    if is_barred(request, match):
        season_players.refuse_season_player(match.id, request.user.id)
    raise Problem("forbidden", "That is for whoever opened the match, or an organiser.")
