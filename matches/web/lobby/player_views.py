"""A player's page: results of their matches and seasons, as far as the reader may know."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from msgspec import Struct

from games import catalogue
from matches.html.entry import counted, signed_in
from matches.http.paging import page
from matches.http.problems import Problem
from matches.models import Account, PlayerResult
from matches.reads import selectors
from matches.reads.players import LOOKED_AT, Rival, Tally, career_of
from matches.seasons.reads.careers import Tenure, seasons_of
from matches.web.lobby.cards import Card, cards
from matches.web.seasons.ladder import LadderCell, mark

_RESULTS = 20
_RIVALS = 6
_LEGIBLE = 10
"""A part narrower than this many percent has no room for its number."""


class GameBar(Struct, frozen=True):
    """A game's matches as a bar: its parts in percent of the width."""

    title: str
    tally: Tally
    won_wide: float
    lost_wide: float

    @property
    def lost(self) -> int:
        return self.tally.played - self.tally.won

    @property
    def ends(self) -> float:
        """The end of the bar, in percent."""
        return self.won_wide + self.lost_wide

    @property
    def tells_won(self) -> bool:
        """True if the part of the wins has room for their number."""
        return self.won_wide >= _LEGIBLE

    @property
    def tells_lost(self) -> bool:
        """True if the part of the others has room for their number."""
        return self.lost_wide >= _LEGIBLE


class SeasonLine(Struct, frozen=True):
    """A season of the player: how it ended for them, and a mark for each episode until then."""

    part: Tenure
    ending: str
    marks: list[LadderCell]


@require_safe
@signed_in
@counted
def player(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player: numbers, runs, rivals and seasons, and their matches in pages, newest first."""
    account = None if "\0" in name else selectors.account_named(name)
    if account is None:
        raise Problem("not_found", _("Nobody of this name has an account here."))
    career, parts = career_of(account.id, request.user), seasons_of(account.id, request.user)
    record = selectors.record_of(account.id, request.user)
    rows, following = page(record, request.GET.get("cursor") or None, _RESULTS, order=("-finished_at", "-id"))
    context = {
        "player": account,
        "career": career,
        "recent": list(reversed(career.recent)),
        "looked_at": LOOKED_AT,
        "bars": _bars(career.tallies),
        "rivals": _named(career.rivals),
        "between": career.against(request.user.id),
        "seasons": [_line(it) for it in parts],
        "titles": [it for it in parts if it.standing.place == 1],
        "garnets": sum(it.standing.garnets for it in parts),
        "results": _with_matches(rows, request.user),
        "is_first": "cursor" not in request.GET,
        "next": following,
        "may_take_down": request.user.is_staff or request.user.is_organiser,
    }
    return render(request, "web/player.html", context)


def _bars(tallies: Sequence[Tally]) -> list[GameBar]:
    most = max((it.played for it in tallies), default=1)
    return [
        GameBar(catalogue[it.game].title, it, 100 * it.won / most, 100 * (it.played - it.won) / most)
        for it in sorted(tallies, key=lambda it: (-it.played, it.game))
    ]


def _named(rivals: Sequence[Rival]) -> list[tuple[Account, Rival]]:
    """Return the most frequent rivals whose accounts still exist."""
    first = rivals[: _RIVALS * 2]
    accounts = Account.objects.filter(id__in=[it.account for it in first], is_active=True).in_bulk()
    return [(accounts[it.account], it) for it in first if it.account in accounts][:_RIVALS]


def _line(part: Tenure) -> SeasonLine:
    season, standing = part.season, part.standing
    players = sum(it.succeeds is None for it in season.standings)
    if standing.place == 1:
        ending = "Champion"
    elif standing.place:
        ending = _("Place %(place)s of %(players)s") % {"place": standing.place, "players": players}
    elif standing.status == "substituted":
        ending = _("Handed over to a substitute")
    else:
        ending = _("Playing, one of %(players)s") % {"players": players}
    last = standing.left or len(season.episodes)
    shown = [it for it in season.episodes if standing.since <= it.number <= last]
    return SeasonLine(part, ending, [mark(it, standing) for it in shown])


def _with_matches(record: list[PlayerResult], reader: Account) -> list[tuple[PlayerResult, Card]]:
    """Return each result with its match's card, of the matches whose end the reader may know."""
    ids = [result.match_id for result in record]
    by_id = {match.id: match for match in selectors.matches_for(reader).filter(id__in=ids).select_related("deadline")}
    visible = [(result, by_id[result.match_id]) for result in record if result.match_id in by_id]
    drawn = {card.code: card for card in cards([match for _result, match in visible], reader)}
    pairs = [(result, drawn.get(match.code)) for result, match in visible]
    return [(result, card) for result, card in pairs if card and card.finished_at]
