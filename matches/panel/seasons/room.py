"""A season's room in the panel, and access to it for its organisers, hosts and auditors."""

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
from matches.seasons import contents, repository, services
from matches.seasons.contents import OfferedContests
from matches.seasons.domain.acts import Offer, offers
from matches.seasons.domain.deciding import Caller, refuse_player
from matches.seasons.domain.state import Season as State
from matches.seasons.domain.steps import PendingStep, pending_steps
from matches.seasons.models import Season
from matches.seasons.reads import feed, selectors

_AT_TABLE = {"running": "running", "paused": "paused", "finished": "over", "void": "over"}


@dataclass(frozen=True)
class SeasonRoom:
    """A season at its newest version, and the official who reads it. `contest` is the reference of a contest that the
    address names, for the forms that set a main match."""

    row: Season
    state: State
    account: Account
    contest: str = ""

    @cached_property
    def by(self) -> Caller:
        return services.caller(self.row.id, self.state, self.account)

    @cached_property
    def offers(self) -> dict[str, Offer]:
        """Return the offers to the official, by act."""
        return offers(self.state, self.by)

    @cached_property
    def due(self) -> dict[str, Offer]:
        """Return the offers to an organiser, by act, so that all officials see the same steps."""
        return offers(self.state, Caller(self.by.account, "organiser"))

    @cached_property
    def pending(self) -> list[PendingStep]:
        return pending_steps(self.state)

    @cached_property
    def offered_contests(self) -> list[OfferedContests]:
        return contents.offered_contests(self.account)

    @cached_property
    def names(self) -> dict[str, str]:
        return feed.names_in(self.state)

    @cached_property
    def tables(self) -> dict[str, Match]:
        """Return the season's matches whose tables are set, by id."""
        return {str(match.id): match for match in Match.objects.filter(season_id=self.row.id)}

    def at_table(self, match_id: str) -> str:
        """Return the state of a match at its table: `running`, `paused` or `over`; empty before its start.

        The season gets the result later, when spectators see it.
        """
        table = self.tables.get(match_id)
        return _AT_TABLE.get(table.status, "") if table else ""

    def call(self, *accounts: str | None) -> str:
        return " and ".join(apart(self.names.get(str(it), "somebody")) for it in accounts) or "nobody"


def for_season_staff(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the season's room to the view; raise Http404 for accounts without a role in the season, Illegal for
    officials who play in it."""

    @wraps(view)
    def enter(request: HttpRequest, season_id: UUID, **more: Any) -> HttpResponse:
        row = selectors.season_for(request.user, season_id)
        if row is None:
            raise Http404("There is no such season.")
        room = SeasonRoom(row, repository.load(row.id), request.user, request.GET.get("contest", ""))
        refuse_player(room.by)
        if room.by.role is None:
            raise Http404("There is no such season.")
        return view(request, room, **more)

    return never_cache(signed_in(counted(enter)))
