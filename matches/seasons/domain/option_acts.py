"""The acts on a season's options and its players' names, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event
from matches.seasons.domain import changes, naming
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import (
    NOBODY,
    SOME_TEXT,
    Body,
    Dialog,
    NameId,
    Options,
    PlayerId,
    Reason,
    Rest,
    SeasonAct,
)
from matches.seasons.domain.state import Season


class ChangeOptions(SeasonAct, frozen=True):
    """Change options on which nothing rests yet: for the season's organisers."""

    name = "change-options"
    rest = Rest(
        "changeOptions", "options", Body("OptionsBody", "The options to change, by name, and why."),
        ("bad_options", "nothing_to_change", "option_stands"),
    )  # fmt: skip
    dialog = Dialog("Change options", "tune", "Options on which something rests by now are not here.")
    example = {"options": {"reward": 3}, "reason": "A sponsor."}

    options: Options
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return changes.change_options(season, by, self.options, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return a change of an option that is free as long as the season is under way."""
        yield cls({"transfers": not season.options.transfers}, SOME_TEXT)


class Rename(SeasonAct, frozen=True):
    """Have a player called otherwise in this season, or as their account: for the season's organisers."""

    name = "rename"
    dialog = Dialog("Rename a player", "badge", "For this season alone. Its log goes on telling the name of each time.")

    player: PlayerId
    called: NameId | None
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return naming.rename(season, by, self.player, self.called, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player, NOBODY, SOME_TEXT) for player in season.players)
