"""Display names of players in a season. They are stored outside the record and deleted with the account."""

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

_INSERT_NAME = "INSERT INTO seasons_displayname (id, season_id, account_id, name) VALUES ($1, $2, $3, $4)"


class Renaming:
    """A change of a player's display name; an empty `name` removes it. The name's id is derived from the idempotency
    `key`."""

    def __init__(self, season_id: UUID, by: Account, key: str, player: str, name: str, reason: str) -> None:
        self.season_id, self.player, self.name = season_id, player, name.strip()
        self.id = str(services.match_id_of(season_id, by, key)) if self.name else None
        self.act = Rename(player, self.id, reason)

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        """Return the events of `Rename`; raise what it raises, bad_name, name_taken, and nothing_to_change."""
        refuse_unless_organiser(by)
        if self.name:
            self._refuse_bad(season)
        return self.act.decide(season, by)

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        """Return the statements that store the name with the event, which has only its id."""
        return [
            (_INSERT_NAME, (UUID(it.name), self.season_id, UUID(it.player), self.name))
            for it in events
            if isinstance(it, PlayerRenamed) and it.name
        ]

    @property
    def called(self) -> dict[str, str]:
        """Return the name by its id, for a preview before it is stored."""
        return {self.id: self.name} if self.id else {}

    def _refuse_bad(self, season: Season) -> None:
        if fault := name_fault(self.name):
            raise Illegal("bad_name", fault)
        key, own_skeleton, names = name_key(self.name), skeleton(self.name), event_documents.display_names(season)
        accounts = Account.objects.exclude(id=self.player).filter(Q(name_key=key) | Q(name_skeleton=own_skeleton))
        others = [name for player, name in names.items() if player != self.player]
        if accounts.exists() or any(name_key(it) == key or skeleton(it) == own_skeleton for it in others):
            raise Illegal(
                "name_taken",
                "Another account, or another player of this season, has this name or one that looks like it. Choose "
                "another name.",
            )
        if names.get(self.player) == self.name:
            raise Illegal("nothing_to_change", "The player has this name already.")
