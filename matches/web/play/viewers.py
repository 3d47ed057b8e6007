"""Who looks at a match: the seat that the signed-in account holds, or a spectator."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest

from events.models import LoggedEvent
from games.kernel import SPECTATOR, Witness
from matches import services
from matches.domain import impartiality
from matches.domain.lifecycle import Lifecycle
from matches.models import Account, Match
from matches.reads import feed, selectors
from matches.seasons.reads import selectors as seasons


@dataclass(frozen=True)
class Viewer:
    """A match and the one who looks at it; `account` is None for somebody who isn't signed in."""

    match: Match
    story: Lifecycle
    account: Account | None

    @property
    def seat(self) -> int | None:
        """The seat that the account holds."""
        return self.story.seat_of(str(self.account.id)) if self.account else None

    @property
    def witness(self) -> Witness:
        """Whose eyes the match is seen with."""
        return SPECTATOR if self.seat is None else self.seat

    @property
    def hosts(self) -> bool:
        """Whether the account opened the match or is an organiser; a season's match is its staff's to run."""
        account = self.account
        if account is None:
            return False
        if self.match.season_id is not None:
            return seasons.hosts(account, self.match)
        return self.match.opened_by_id == account.id or account.is_organiser

    @property
    def season_title(self) -> str:
        """What the match's season is called; empty for a friendly, and where the account may not see the season."""
        if self.match.season_id is None:
            return ""
        season = seasons.season_for(self.account, self.match.season_id)
        return season.title if season else ""

    @property
    def hears_spectators(self) -> bool:
        """Whether spectators' talk is for these ears: not for a seat's before the end, nor for a stranger's."""
        return self.account is not None and (self.seat is None or self.story.over)

    def asking(self, asked: str | None) -> Witness:
        """The witness asked for. Raises NotEntitled, and plays_here for a host who looks at a match that they have
        played at."""
        player = str(self.account.id) if self.account else None
        witness = feed.witness_of(self.story, player, asked, self.hosts)
        if player and feed.is_watched(self.story, asked):
            impartiality.refuse_player(self.story, player, "look")
        return witness

    @property
    def may_look(self) -> bool:
        """Whether the truth of the match under way opens to the account by a look on record."""
        if self.account is None or not self.hosts or self.seat is not None or not self.story.started:
            return False
        return impartiality.is_open_to(self.story, str(self.account.id), "look")

    @property
    def looked_at(self) -> int:
        """The version up to which the truth is open to the host by a look on record; 0 before the first."""
        if self.account is None:
            return 0
        looks = LoggedEvent.objects.filter(stream=self.match.id, type="truth_viewed", actor=str(self.account.id))
        return looks.order_by("-version").values_list("version", flat=True).first() or 0


def viewer_of(request: HttpRequest, code: str) -> Viewer:
    """Whoever asks for the match of this code, its overdue flags fallen; raises Http404."""
    match = selectors.match_by(code)
    if match is None:
        raise Http404(f"There is no match {code}.")
    if match.overdue:
        services.catch_up_for_a_reader(match_id=match.id)
    account = request.user if request.user.is_authenticated else None
    return Viewer(match, feed.story(match.id, str(account.id) if account else None), account)
