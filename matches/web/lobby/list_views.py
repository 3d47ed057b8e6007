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
    """What a list of matches is narrowed to; empty means all."""

    game: str
    status: str
    mine: Literal["", "1"]
    player: str
    needs: Literal["", "1"]

    def query(self, **more: str) -> str:
        """The same as a query string, with more beside it."""
        given = asdict(self) | more
        return urlencode({name: value for name, value in given.items() if value})


@require_safe
@signed_in
@counted
def matches(request: HttpRequest) -> HttpResponse:
    """All matches, newest first."""
    wanted = _wanted(request)
    player, fault = _asked_for(wanted.player)
    found = selectors.matches_for(
        request.user,
        status=wanted.status,
        game=wanted.game,
        player=player.id if player else None,
        seated=request.user.id if wanted.mine else None,
        needs_me=bool(wanted.needs),
    )
    known = found.none() if fault else found.select_related("deadline")
    rows, following = page(known, request.GET.get("cursor") or None, _PAGE)
    told = {
        "cards": cards(rows, request.user, *filter(None, (wanted.status,))),
        "wanted": wanted,
        "fault": fault,
        "statuses": _STATUSES,
        "games": sorted(catalogue.values(), key=lambda game: game.title),
        "is_first": "cursor" not in request.GET,
        "first": wanted.query(),
        "next": wanted.query(cursor=following) if following else "",
    }
    return render(request, "web/matches.html", told, status=404 if fault else 200)


def _wanted(request: HttpRequest) -> MatchFilter:
    """The filters; one that names nothing there is raises Problem `malformed`."""
    asked = MatchFilter(*(request.GET.get(name, "")[:200] for name in MatchFilter.__struct_fields__))
    if asked.game and asked.game not in catalogue:
        raise Problem("malformed", f"`game`: the games are {', '.join(sorted(catalogue))}.")
    if asked.status and asked.status not in Match.Status.values:
        raise Problem("malformed", f"`status` is one of {', '.join(Match.Status.values)}.")
    return asked


def _asked_for(name: str) -> tuple[Account | None, str]:
    """The account of this name, or why there is none; neither where no name is given."""
    found = None if not name or "\0" in name else selectors.account_named(name)
    return found, "Nobody of this name has an account here." if name and found is None else ""
