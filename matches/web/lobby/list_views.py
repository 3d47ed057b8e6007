"""Lists of matches with filters, in pages."""

from typing import Literal
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from msgspec import Struct
from msgspec.structs import asdict

from games import catalogue
from matches.html.entry import counted, signed_in
from matches.http.paging import page
from matches.http.problems import Problem
from matches.models import Account, Match
from matches.reads import selectors
from matches.web.lobby.cards import cards

_PAGE = 20
_STATUSES = Match.Status.choices


class MatchFilter(Struct, frozen=True):
    """The filters of a list of matches; empty means all."""

    game: str
    status: str
    mine: Literal["", "1"]
    player: str
    needs: Literal["", "1"]

    def query(self, **more: str) -> str:
        """Return the filters as a query string, with more parameters."""
        given = asdict(self) | more
        return urlencode({name: value for name, value in given.items() if value})


@require_safe
@signed_in
@counted
def matches(request: HttpRequest) -> HttpResponse:
    """List the matches, newest first."""
    wanted = _filters(request)
    player, fault = _account_or_fault(wanted.player)
    query_of_matches = selectors.matches_for(
        request.user,
        status=wanted.status,
        game=wanted.game,
        player=player.id if player else None,
        seated=request.user.id if wanted.mine else None,
        needs_me=bool(wanted.needs),
    )
    selected = query_of_matches.none() if fault else query_of_matches.select_related("deadline")
    rows, following = page(selected, request.GET.get("cursor") or None, _PAGE)
    context = {
        "cards": cards(rows, request.user, *filter(None, (wanted.status,))),
        "wanted": wanted,
        "fault": fault,
        "statuses": _STATUSES,
        "games": sorted(catalogue.values(), key=lambda game: game.title),
        "is_first": "cursor" not in request.GET,
        "first": wanted.query(),
        "next": wanted.query(cursor=following) if following else "",
    }
    return render(request, "web/matches.html", context, status=404 if fault else 200)


def _filters(request: HttpRequest) -> MatchFilter:
    """Return the filters; raise Problem `malformed` for an unknown value."""
    filters = MatchFilter(*(request.GET.get(name, "")[:200] for name in MatchFilter.__struct_fields__))
    if filters.game and filters.game not in catalogue:
        raise Problem("malformed", f"`game`: the games are {', '.join(sorted(catalogue))}.")
    if filters.status and filters.status not in Match.Status.values:
        raise Problem("malformed", f"`status` is one of {', '.join(Match.Status.values)}.")
    return filters


def _account_or_fault(name: str) -> tuple[Account | None, str]:
    """Return the account of this name, or why there is none; neither if no name is given."""
    account = None if not name or "\0" in name else selectors.account_named(name)
    return account, "Nobody of this name has an account here." if name and account is None else ""
