"""The names by which players are called in one season: they stand in rows of their own, which go with an account."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from events.pipeline import Statement
from games.kernel import Event, Illegal
from matches.domain.names import name_fault, name_key
from matches.domain.skeletons import skeleton
from matches.models import Account
from matches.seasons import services
from matches.seasons.domain.deciding import Caller, refuse_unless_organiser
from matches.seasons.domain.events import PlayerRenamed
from matches.seasons.domain.option_acts import Rename
from matches.seasons.domain.state import Season
from matches.seasons.reads import event_documents

_KEEP = "INSERT INTO seasons_displayname (id, season_id, account_id, name) VALUES ($1, $2, $3, $4)"


class Renaming:
    """A player who is to be called otherwise; without a name, as their account is. `key` is the request's."""

    def __init__(self, season_id: UUID, by: Account, key: str, player: str, name: str, reason: str) -> None:
        self.season_id, self.player, self.name = season_id, player, name.strip()
        self.id = str(services.match_id_of(season_id, by, key)) if self.name else None
        self.act = Rename(player, self.id, reason)

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        """Return what `Rename` decides; raise also bad_name, name_taken."""
        refuse_unless_organiser(by)
        if self.name:
            self._refuse_bad(season)
        return self.act.decide(season, by)

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        """The name, beside the event that has its id."""
        return [
            (_KEEP, (UUID(it.name), self.season_id, UUID(it.player), self.name))
            for it in events
            if isinstance(it, PlayerRenamed) and it.name
        ]

    @property
    def called(self) -> dict[str, str]:
        """The name by its id, before it is kept."""
        return {self.id: self.name} if self.id else {}

    def _refuse_bad(self, season: Season) -> None:
        if fault := name_fault(self.name):
            raise Illegal("bad_name", fault)
        key, look, known = name_key(self.name), skeleton(self.name), event_documents.display_names(season)
        accounts = Account.objects.exclude(id=self.player).filter(Q(name_key=key) | Q(name_skeleton=look))
        others = [name for who, name in known.items() if who != self.player]
        if accounts.exists() or any(name_key(it) == key or skeleton(it) == look for it in others):
            raise Illegal(
                "name_taken",
                "Another account, or another player of this season, is called so; choose another name. Names that look "
                "alike count as one.",
            )
        if known.get(self.player) == self.name:
            raise Illegal("nothing_to_change", "The player is called so already.")
