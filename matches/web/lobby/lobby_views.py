"""The front page: an introduction for anonymous visitors; for all others what waits for them, and what goes on."""

from typing import Any

from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.domain import show
from matches.html.entry import counted
from matches.models import Account, Match
from matches.reads import seeks, selectors
from matches.seasons.models import Season
from matches.seasons.reads import officials
from matches.seasons.reads import selectors as season_selectors
from matches.seasons.reads.officials import SeasonTasks
from matches.web.lobby import show_views
from matches.web.lobby.cards import Card, cards
from matches.web.lobby.season_tiles import season_tiles
from matches.web.lobby.shelf import first, shelf
from matches.web.seasons.decisions import PendingDecisions, waiting_for
from matches.web.seasons.running import run_by

_MOST_MINE = 30
_MOST_LIVE = 12
_MOST_FINISHED = 6
_MOST_SEEKS = 6
_MOST_SEASONS = 6
_MOST_SEASONS_SHOWN = 2
_URGENCY = (F("deadline__falls_at").asc(nulls_last=True), "-opened_at")
"""Matches whose flag falls first come first; those without a clock come last, the newest of them first."""


@require_safe
@counted
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the front page, for people with an account and without."""
    if not request.user.is_authenticated:
        if "HX-Request" in request.headers:
            return HttpResponse(headers={"HX-Redirect": "/"})
        return render(request, "web/welcome.html", _front())
    return render(request, "web/lobby.html", _lobby(request.user))


def _front() -> dict[str, Any]:
    """Return the context for anonymous visitors."""
    return {
        "show": show_views.show_context(),
        "live": _newest(selectors.matches_on_show(), None),
        "seasons": season_tiles(_to_follow(None), None),
        "games": shelf(),
        "first": first(),
    }


def _lobby(me: Account) -> dict[str, Any]:
    urgent = _matches_for(me, seated=me.id, needs_me=True).order_by(*_URGENCY)[:_MOST_MINE]
    others = _matches_for(me).exclude(needs__contains=[me.id])
    mine = others.filter(_concerns(me), status__in=("waiting", "running", "paused"))[:_MOST_MINE]
    listed = {match.id for match in (*urgent, *mine)}
    decisions, needs = waiting_for(me), cards(urgent, me)
    tasks = officials.waiting_for(me, season_selectors.officiated_by(me))
    own_seasons = list(season_selectors.under_way_for(me)[:_MOST_SEASONS])
    return {
        "waits": _by_urgency(needs, decisions, tasks),
        "count": len(needs) + len(decisions) + len(tasks),
        "headline": _headline_of(needs, decisions, tasks),
        "mine": cards(mine, me),
        "seasons": season_tiles(own_seasons or _to_follow(me), me),
        "has_own_seasons": bool(own_seasons),
        "seeks": seeks.documents(seeks.seeks_for(me).order_by("-id")[:_MOST_SEEKS]),
        "live": _newest(_matches_for(me, status="running").exclude(id__in=listed), me),
        "finished": cards(
            _matches_for(me, seated=me.id, status="finished").order_by("-finished_at")[:_MOST_FINISHED], me
        ),
        "games": shelf(),
        "run": run_by(me),
    }


def _to_follow(reader: Account | None) -> QuerySet[Season]:
    """Return the seasons under way that anybody may follow, for readers without a season of their own."""
    unfinished = season_selectors.seasons_for(reader).exclude(status=Season.Status.FINISHED)
    return unfinished.order_by("-changed_at")[:_MOST_SEASONS_SHOWN]


def _by_urgency(
    needs: list[Card], decisions: list[PendingDecisions], tasks: list[SeasonTasks]
) -> list[Card | PendingDecisions | SeasonTasks]:
    """Return what waits for the reader: matches on the clock by their flags, then what seasons wait for,
    then all else."""
    on_the_clock = [card for card in needs if card.falls_at]
    return [*on_the_clock, *decisions, *tasks, *(card for card in needs if not card.falls_at)]


def _headline_of(needs: list[Card], decisions: list[PendingDecisions], tasks: list[SeasonTasks]) -> str:
    """Return a line about what waits for the reader: `Your turn in 2 matches and a choice in a season`."""
    invitations = sum(card.status == Match.Status.WAITING for card in needs)
    counted = (
        (len(needs) - invitations, "your turn in a match", "your turn in {} matches"),
        (invitations, "an invitation", "{} invitations"),
        (len(decisions), "a choice in a season", "choices in {} seasons"),
        (len(tasks), "a season that you run", "{} seasons that you run"),
    )
    parts = [(one if count == 1 else many).format(count) for count, one, many in counted if count]
    *first, last = parts or ["nothing waits for you"]
    line = f"{', '.join(first)} and {last}" if first else last
    return line[0].upper() + line[1:]


def _newest(matches: QuerySet[Match], reader: Account | None) -> list[Card]:
    """Return the matches that changed last, as far as the reader may see them, without guests' matches against bots and
    without the show match."""
    wanted = matches.filter(opened_by__guest_until=None).exclude(opened_by=show.OPENER)
    latest = wanted.select_related("deadline").order_by("-changed_at")[:_MOST_LIVE]
    return sorted(cards(latest, reader, "running"), key=lambda card: card.changed_at, reverse=True)


def _matches_for(reader: Account, **wanted: Any) -> QuerySet[Match]:
    return selectors.matches_for(reader, **wanted).select_related("deadline")


def _concerns(me: Account) -> Q:
    """Return the filter for matches at which the account sits, and those that it hosts."""
    return Q(id__in=me.seats.values("match_id")) | Q(opened_by=me.id)
