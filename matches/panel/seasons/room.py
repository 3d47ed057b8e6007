"""Who may enter a season's room: its organisers, hosts and auditors; and what they find there."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from matches.domain.bidi import apart
from matches.html.entry import counted, signed_in
from matches.models import Account, Match
from matches.seasons import repository, services
from matches.seasons.domain.acts import Offer, offers
from matches.seasons.domain.deciding import Caller, refuse_player
from matches.seasons.domain.state import Season as State
from matches.seasons.models import Season
from matches.seasons.reads import feed, selectors

_AT_TABLE = {"running": "running", "paused": "paused", "finished": "over", "void": "over"}


@dataclass(frozen=True)
class SeasonRoom:
    """A season as it stands, and the official before it."""

    row: Season
    state: State
    account: Account

    @cached_property
    def by(self) -> Caller:
        """The official, with the role that the season gives them."""
        return services.caller(self.row.id, self.state, self.account)

    @cached_property
    def offers(self) -> dict[str, Offer]:
        """What the official may ask for, by act."""
        return offers(self.state, self.by)

    @cached_property
    def due(self) -> dict[str, Offer]:
        """What an organiser could ask for: so the steps look the same to everybody."""
        return offers(self.state, Caller(self.by.account, "organiser"))

    @cached_property
    def names(self) -> dict[str, str]:
        """What players and staff are called, by account."""
        return feed.names_in(self.state)

    @cached_property
    def tables(self) -> dict[str, Match]:
        """The season's matches whose tables are set, by id."""
        return {str(match.id): match for match in Match.objects.filter(season_id=self.row.id)}

    def at_table(self, match_id: str) -> str:
        """What the table says of a match of which the season only knows that it was set.

        `running`, `paused` or `over`; empty before its start. The season hears of an end when spectators do.
        """
        table = self.tables.get(match_id)
        return _AT_TABLE.get(table.status, "") if table else ""

    def call(self, *accounts: str | None) -> str:
        """These accounts in a sentence."""
        return " and ".join(apart(self.names.get(str(it), "somebody")) for it in accounts) or "nobody"


def for_season_staff(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Hand the view the season's room; to whom has no role in the season, there is none. Raises Illegal for who would
    have one, did they not play in it."""

    @wraps(view)
    def enter(request: HttpRequest, season_id: UUID, **more: Any) -> HttpResponse:
        row = selectors.season_for(request.user, season_id)
        if row is None:
            raise Http404("There is no such season.")
        room = SeasonRoom(row, repository.load(row.id), request.user)
        refuse_player(room.by)
        if room.by.role is None:
            raise Http404("There is no such season.")
        return view(request, room, **more)

    return never_cache(signed_in(counted(enter)))
