"""The acts on a season's options and its players' names, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event, Illegal
from matches.domain.declared import Body, Dialog, Reason, Rest
from matches.seasons.domain import changes
from matches.seasons.domain.deciding import Caller, refuse_over, refuse_unless_organiser
from matches.seasons.domain.declared import NOBODY, SOME_TEXT, NameId, Options, PlayerId, SeasonAct
from matches.seasons.domain.events import PlayerRenamed
from matches.seasons.domain.state import Season


class ChangeOptions(SeasonAct, frozen=True):
    """Change options on which nothing depends yet: for the season's organisers."""

    name = "change-options"
    section = "rules"
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
    """Change a player's display name to the name of this id, or to their account's: for the season's organisers. The
    record contains only the id, so that the name can be deleted."""

    name = "rename"
    section = "players"
    dialog = Dialog("Rename a player", "badge", "For this season alone. Its log goes on telling the name of each time.")

    player: PlayerId
    called: NameId | None
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        refuse_unless_organiser(by)
        refuse_over(season)
        if self.player not in season.players:
            raise Illegal("not_enrolled", "No such player is in this season.")
        if self.called is None and season.players[self.player].display_name_id is None:
            raise Illegal("nothing_to_change", "The player is called as their account is already.")
        return [PlayerRenamed(player=self.player, name=self.called, reason=self.reason)]

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player, NOBODY, SOME_TEXT) for player in season.players)
