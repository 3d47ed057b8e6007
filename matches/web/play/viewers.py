"""Who looks at a match: the seat that the signed-in account holds, or a spectator."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.urls import reverse

from events.models import LoggedEvent
from games.kernel import SPECTATOR, Witness
from matches import services
from matches.domain import impartiality
from matches.domain.lifecycle import Lifecycle
from matches.http.match_access import is_host
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
        return self.account is not None and is_host(self.account, self.match)

    @property
    def address(self) -> str:
        """The match's page."""
        return reverse("web:match", args=[self.match.code])

    @property
    def season_title(self) -> str:
        """What the match's season is called; empty for a friendly, and where the account may not see the season."""
        if self.match.season_id is None:
            return ""
        season = seasons.season_for(self.account, self.match.season_id)
        return season.title if season else ""

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
