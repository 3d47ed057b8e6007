"""The form by which an organiser has a player called otherwise in the season."""

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
    """Who is called what in this season, and why."""

    player = chosen("Player")
    name = text_line(
        "Name in this season",
        longest=MAX_LENGTH,
        required=False,
        help_text="Empty: as their account. They sign in with their account's name all the same.",
    )
    reason = reason_field()

    def prepare(self) -> None:
        """Those who play in the season, or did."""
        self.choose("player", self.room.state.players, self.offer.of("player"), self.room.call)

    def called(self) -> dict[str, str]:
        """The name by its id."""
        return self._renaming.called

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        """The name."""
        return self._renaming.beside(events)

    def to_act(self) -> Rename:
        """The player and the name's id."""
        return self._renaming.act

    def decide(self) -> services.Decide:
        """With the name checked against all others."""
        return self._renaming.decide

    @property
    def _renaming(self) -> Renaming:
        told = self.cleaned_data
        row, account = self.room.row, self.room.account
        return Renaming(row.id, account, told["key"], told["player"], told["name"], told["reason"])
