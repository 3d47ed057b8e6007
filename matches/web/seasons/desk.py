"""A player's desk in a season, and access to it."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from msgspec import Struct

from matches.html.entry import counted, signed_in
from matches.models import Account
from matches.seasons import repository, services
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.state import Season
from matches.seasons.models import Season as SeasonRow
from matches.seasons.reads import selectors


class Desk(Struct, frozen=True):
    """A season and one of its players or former players."""

    row: SeasonRow
    state: Season
    account: Account

    @property
    def player(self) -> str:
        return str(self.account.id)

    @property
    def by(self) -> Caller:
        """Return the player as a caller of acts; players and former players have no role in the season."""
        return services.caller(self.row.id, self.state, self.account)


def for_players(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the player's desk to the view; raise Http404 for accounts that never played in the season."""

    @wraps(view)
    def enter(request: HttpRequest, season_id: UUID, **more: Any) -> HttpResponse:
        row = selectors.season_for(request.user, season_id)
        state = repository.load(row.id) if row else None
        if row is None or state is None or str(request.user.id) not in state.players:
            raise Http404(_("You don't play in this season."))
        return view(request, Desk(row, state, request.user), **more)

    return never_cache(signed_in(counted(enter)))
