"""The form for a player's display name in the season."""

from collections.abc import Sequence

from events.pipeline import Statement
from games.kernel import Event
from matches.domain.names import MAX_LENGTH
from matches.panel.fields import chosen, reason_field, text_line
from matches.panel.seasons.forms import SeasonForm
from matches.seasons import services
from matches.seasons.domain.option_acts import Rename
from matches.seasons.naming import Renaming


class DisplayNameForm(SeasonForm):
    player = chosen("Player")
    name = text_line(
        "Name in this season",
        longest=MAX_LENGTH,
        required=False,
        help_text="Empty: the name of their account. They still sign in with the name of their account.",
    )
    reason = reason_field()

    def prepare(self) -> None:
        self.choose("player", self.room.state.players, self.offer.values("player"), self.room.call)

    def called(self) -> dict[str, str]:
        return self._renaming.called

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        return self._renaming.beside(events)

    def to_act(self) -> Rename:
        return self._renaming.act

    def decide(self) -> services.Decide:
        """Return a decider that also compares the name with all others."""
        return self._renaming.decide

    @property
    def _renaming(self) -> Renaming:
        values = self.cleaned_data
        row, account = self.room.row, self.room.account
        return Renaming(row.id, account, values["key"], values["player"], values["name"], values["reason"])
