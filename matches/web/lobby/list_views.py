"""Lists of matches with filters, in pages, and a player's results."""

from typing import Literal
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from msgspec import Struct
from msgspec.structs import asdict

from games import catalogue
from matches.html.entry import counted, signed_in
from matches.http.paging import page
from matches.http.problems import Problem
from matches.models import Account, Match, PlayerResult
from matches.reads import selectors
from matches.web.lobby.cards import Card, cards

_PAGE = 20
_RESULTS = 50
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


@require_safe
@signed_in
@counted
def player(request: HttpRequest, name: str) -> HttpResponse:
    """A player: how their matches went, newest first."""
    found, fault = _asked_for(name)
    if found is None:
        raise Problem("not_found", fault)
    record = selectors.record_of(found.id, request.user)
    rows, following = page(record, request.GET.get("cursor") or None, _RESULTS, order=("-finished_at", "-id"))
    tally = _tally(record)
    told = {
        "player": found,
        "tally": tally,
        "played": sum(played for _, played, _ in tally),
        "won": sum(won for _, _, won in tally),
        "results": _with_matches(rows, request.user),
        "is_first": "cursor" not in request.GET,
        "next": following,
        "may_take_down": request.user.is_staff or request.user.is_organiser,
    }
    return render(request, "web/player.html", told)


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


def _with_matches(record: list[PlayerResult], reader: Account) -> list[tuple[PlayerResult, Card]]:
    """Each result beside its match's card, of the matches whose end the reader may know."""
    ids = [result.match_id for result in record]
    by_id = {match.id: match for match in selectors.matches_for(reader).filter(id__in=ids).select_related("deadline")}
    known = [(result, by_id[result.match_id]) for result in record if result.match_id in by_id]
    drawn = {card.code: card for card in cards([match for _, match in known], reader)}
    pairs = [(result, drawn.get(match.code)) for result, match in known]
    return [(result, card) for result, card in pairs if card and card.finished_at]


def _tally(record: QuerySet[PlayerResult]) -> list[tuple[str, int, int]]:
    """For each game played its title, how many matches, and how many won."""
    counted = record.values_list("game").annotate(played=Count("id"), wins=Count("id", filter=Q(won=True)))
    return sorted((catalogue[slug].title, played, won) for slug, played, won in counted)
