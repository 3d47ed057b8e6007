"""An account's own page: desks, matches, seasons. It is the panel's start page for accounts that are no officials."""

from typing import NamedTuple
from uuid import UUID

from django.contrib import admin
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.html.entry import counted
from matches.html.name_lists import shortened
from matches.html.seats import names_of
from matches.models import Account, Match
from matches.panel.dashboard import MatchRow, hosted_by, match_rows
from matches.reads import selectors as match_selectors
from matches.reads.titles import title_of
from matches.seasons import repository
from matches.seasons.models import Member
from matches.seasons.reads import listing, selectors
from matches.seasons.reads.documents import SeasonCard
from matches.storage.repository import BrokenRecord

_MOST = 30
_OPEN = (Match.Status.WAITING, Match.Status.RUNNING, Match.Status.PAUSED)


class Desk(NamedTuple):
    """A season in which the account plays; `part` is EC or DMO if it is one of them in the open episode."""

    season: SeasonCard
    part: str


@never_cache
@require_safe
@counted
def page(request: HttpRequest) -> HttpResponse:
    """Show each desk, match and season with a link."""
    me: Account = request.user
    under_way = listing.cards(selectors.under_way_for(me)[:_MOST], me)
    context = {
        **admin.site.each_context(request),
        "title": "What is yours",
        "desks": [Desk(card, _part(card.id, me)) for card in under_way if card.role == Member.Role.PLAYER],
        "officiated": [card for card in under_way if card.role != Member.Role.PLAYER],
        "seated": _seated(me),
        "hosted": _hosted(me),
    }
    return render(request, "panel/yours.html", context)


def _part(season_id: UUID, account: Account) -> str:
    try:
        episode = repository.load(season_id).episode
    except BrokenRecord:
        return ""
    me = str(account.id)
    if episode is None or me not in (episode.candidate, episode.opponent):
        return ""
    return "elimination candidate (EC)" if me == episode.candidate else "death match opponent (DMO)"


def _seated(me: Account) -> list[MatchRow]:
    """Return the open matches at which the account sits, as far as it may know, those that wait for it first."""
    mine = match_selectors.matches_for(me, seated=me.id).filter(status__in=_OPEN).order_by("-changed_at")[:_MOST]
    visible = match_selectors.visible_to(mine, me.id)
    return [_seat_row(match, me.id in match.needs) for match in sorted(visible, key=lambda it: me.id not in it.needs)]


def _seat_row(match: Match, waits: bool) -> MatchRow:
    title = title_of(match)
    note = "your turn" if waits else ""
    return MatchRow(match.code, title, ", ".join(shortened(names_of(match))), match.status, note, match.changed_at)


def _hosted(me: Account) -> list[MatchRow]:
    """Return the open matches that the account runs."""
    kept = selectors.kept_from(me)
    open_matches = Match.objects.filter(hosted_by(me), status__in=_OPEN).exclude(id__in=kept.values("id"))
    return match_rows(open_matches.order_by(F("changed_at").desc())[:_MOST])
