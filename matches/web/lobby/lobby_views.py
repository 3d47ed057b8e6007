"""The lobby: what waits for the reader, what goes on, and what to play."""

from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.html.entry import counted
from matches.models import Account, Match
from matches.reads import selectors
from matches.seasons.reads import listing
from matches.seasons.reads import selectors as season_selectors
from matches.web.lobby.cards import Card, cards
from matches.web.lobby.shelf import first, shelf
from matches.web.seasons.decisions import waiting_for

_MOST_MINE = 30
_MOST_LIVE = 12
_MOST_FINISHED = 6
_MOST_SEASONS = 6
_URGENCY = (F("deadline__falls_at").asc(nulls_last=True), "-opened_at")
"""Whose flag falls first comes first; matches without a clock come last, the newest of them first."""


@require_safe
@counted
def lobby(request: HttpRequest) -> HttpResponse:
    """The first page, for people with an account and without."""
    if not request.user.is_authenticated:
        if "HX-Request" in request.headers:
            return HttpResponse(headers={"HX-Redirect": "/"})
        told = {"live": _newest(selectors.matches_on_show(), None), "games": shelf(), "first": first()}
        return render(request, "web/welcome.html", told)
    me: Account = request.user
    urgent = _found(me, seated=me.id, needs_me=True).order_by(*_URGENCY)[:_MOST_MINE]
    others = _found(me).exclude(needs__contains=[me.id])
    mine = others.filter(_concerns(me), status__in=("waiting", "running", "paused"))[:_MOST_MINE]
    seen = {match.id for match in (*urgent, *mine)}
    waiting = waiting_for(me)
    seasons = season_selectors.under_way_for(me).exclude(id__in=[it.season_id for it in waiting])
    told = {
        "waiting": waiting,
        "needs": cards(urgent, me),
        "mine": cards(mine, me),
        "seasons": listing.cards(seasons[:_MOST_SEASONS], me),
        "live": _live(me, seen),
        "finished": cards(_found(me, seated=me.id, status="finished").order_by("-finished_at")[:_MOST_FINISHED], me),
        "games": shelf(),
    }
    return render(request, "web/lobby.html", told)


def _live(reader: Account, seen: set[UUID]) -> list[Card]:
    return _newest(_found(reader, status="running").exclude(id__in=seen), reader)


def _newest(found: QuerySet[Match], reader: Account | None) -> list[Card]:
    """Where something has happened last, as far as the reader is told; what guests try out against bots is no show."""
    latest = found.filter(opened_by__guest_until=None).select_related("deadline").order_by("-changed_at")[:_MOST_LIVE]
    return sorted(cards(latest, reader, "running"), key=lambda card: card.changed_at, reverse=True)


def _found(reader: Account, **wanted: Any) -> QuerySet[Match]:
    return selectors.matches_for(reader, **wanted).select_related("deadline")


def _concerns(me: Account) -> Q:
    """The matches at which they sit, and those that they host."""
    return Q(id__in=me.seats.values("match_id")) | Q(opened_by=me.id)
