"""The viewer of a match: the seat that the signed-in account holds, or a spectator."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.urls import reverse

from games.kernel import SPECTATOR, Witness
from matches.domain import impartiality
from matches.domain.lifecycle import Lifecycle
from matches.http.match_access import is_host
from matches.models import Account, Match
from matches.reads import entitlements, selectors
from matches.seasons.reads import selectors as seasons
from matches.services import timing


@dataclass(frozen=True)
class Viewer:
    """A match and its viewer; `account` is None for an anonymous one."""

    match: Match
    lifecycle: Lifecycle
    account: Account | None

    @property
    def seat(self) -> int | None:
        return self.lifecycle.seat_of(str(self.account.id)) if self.account else None

    @property
    def witness(self) -> Witness:
        """The witness as which the match is seen."""
        return SPECTATOR if self.seat is None else self.seat

    @property
    def hosts(self) -> bool:
        """True if the account opened the match or is an organiser; a season's match is hosted by its staff."""
        return self.account is not None and is_host(self.account, self.match)

    @property
    def address(self) -> str:
        return reverse("web:match", args=[self.match.code])

    @property
    def season_title(self) -> str:
        """The title of the match's season; empty for a friendly, and if the account may not see the season."""
        if self.match.season_id is None:
            return ""
        season = seasons.season_for(self.account, self.match.season_id)
        return season.title if season else ""

    def asking(self, requested: str | None) -> Witness:
        """Return the requested witness. Raise NotEntitled; plays_here for a host who has played at the match, and
        sealed for one who may not look now."""
        player = str(self.account.id) if self.account else None
        if self.hosts:
            entitlements.refuse_host_while_sealed(self.match.id, self.lifecycle, player, requested)
        witness = entitlements.witness_of(self.lifecycle, player, requested, self.hosts)
        if player and entitlements.is_watched(self.lifecycle, requested):
            impartiality.refuse_player(self.lifecycle, player, "look")
        return witness

    @property
    def may_look(self) -> bool:
        """True if the account may see the truth of the match by a look on record, before its secrets are open."""
        if self.account is None or not self.hosts or self.seat is not None or not self.lifecycle.started:
            return False
        if entitlements.is_sealed(self.match.id):
            return False
        return impartiality.is_open_to(self.lifecycle, str(self.account.id), "look")

    @property
    def looked_at(self) -> int:
        """The version up to which the host may see the truth, by a look on record; 0 before the first. Raise sealed."""
        return entitlements.looked_at(self.match.id, self.account.id) if self.account else 0


def viewer_of(request: HttpRequest, code: str) -> Viewer:
    """Return the viewer of the match with this code, after letting overdue flags fall; raise Http404."""
    match = selectors.match_by(code)
    if match is None:
        raise Http404(f"There is no match {code}.")
    if match.overdue:
        timing.catch_up_for_a_reader(match_id=match.id)
    account = request.user if request.user.is_authenticated else None
    return Viewer(match, entitlements.lifecycle_for(match.id, str(account.id) if account else None), account)
