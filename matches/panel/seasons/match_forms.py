"""The forms that set a season's matches: which game, by which clocks and options, when, and for a table who sits."""

from collections.abc import Sequence
from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from games import catalogue
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.html.text_fields import LinesField
from matches.http.bodies import LONGEST_CLOSED, ClockBody
from matches.http.new_matches import clock_times
from matches.http.problems import Problem
from matches.panel.fields import moment_field
from matches.panel.game_options import GameOptionsField
from matches.panel.seasons.forms import SeasonForm
from matches.seasons import services
from matches.seasons.domain.match_acts import SetDeathMatch, SetFinalMatch, SetTable
from matches.seasons.domain.scheduling import MatchSettings

_CLOCKS = [("game", "The game's own"), ("none", "None, by correspondence"), ("own", "The times below")]
_PARTS = 4


class SettingForm(SeasonForm):
    """A match to be set."""

    game = forms.ChoiceField(widget=UnfoldAdminSelectWidget)
    clocks = forms.ChoiceField(choices=_CLOCKS, initial="game", widget=UnfoldAdminSelectWidget)
    times = LinesField(
        label="Own times",
        max_length=1000,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )
    options = GameOptionsField(required=False)
    opens_at = moment_field(
        "Opens at", required=False, help_text="It starts by itself then. Empty: when its host starts it."
    )
    untimed = forms.BooleanField(
        label="No time to open at",
        required=False,
        help_text="For a game whose set-up takes hours: play begins as soon as it is done, and the clock then plays for"
        " whoever isn’t there.",
    )
    setup_closes = forms.IntegerField(
        label="Its set-up closes before, in minutes",
        required=False,
        min_value=0,
        max_value=LONGEST_CLOSED // 60,
        initial=SETUP_CLOSES_BEFORE // 60,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Of a match with a time to open at. Both move with that time.",
    )

    def prepare(self) -> None:
        """The games that may be played."""
        self.choose("game", catalogue, self.games(), lambda it: catalogue[it].title)
        named = "; ".join(f"{game.title}: {', '.join(game.clocks)}" for game in catalogue.values())
        told = "One a line, in seconds: a clock's name, base, reserve, increment, such as “turn 600 60 10”."
        self.fields["times"].help_text = f"{told} {named}."
        self.fields["options"].widget.games = self.games()
        self.fields["opens_at"].in_zone(self.room.account.time_zone)

    def concerned(self) -> Sequence[str]:
        """The two of the final, or EC and DMO."""
        state = self.room.state
        if state.final:
            return state.final.players
        return [it for it in (state.episode.candidate, state.episode.opponent) if it] if state.episode else ()

    def times_asked(self) -> Sequence[str]:
        """The time that is set."""
        return [*filter(None, [self.cleaned_data.get("opens_at")])]

    def games(self) -> list[str]:
        """The games that the decider accepts."""
        return self.offer.of("game")

    def clean(self) -> dict[str, Any]:
        """The clocks as the game has them, with the times that were typed."""
        told = super().clean()
        if not {"game", "clocks", "times"} <= told.keys():
            return told
        try:
            asked = None if told["clocks"] == "none" else _times(told) if told["clocks"] == "own" else {}
            told["clocks"] = clock_times(told["game"], asked)
        except (ValueError, Problem) as refused:
            self.add_error("times", refused.detail if isinstance(refused, Problem) else str(refused))
        return told

    def settings(self) -> MatchSettings:
        """The match's id follows from the form's key, so that sending it again means the same match."""
        told = self.cleaned_data
        minutes = told["setup_closes"]
        return MatchSettings(
            match=str(services.match_id_of(self.room.row.id, self.room.account, told["key"])),
            game=told["game"],
            options=told["options"],
            clocks=told["clocks"],
            opens_at=told["opens_at"] or None,
            untimed=told["untimed"],
            setup_closes=SETUP_CLOSES_BEFORE if minutes is None else minutes * 60,
        )


class DeathMatchForm(SettingForm):
    """The death match to be set."""

    def to_act(self) -> SetDeathMatch:
        """EC against DMO."""
        return SetDeathMatch(self.settings())


class FinalMatchForm(SettingForm):
    """The final's next match to be set."""

    def to_act(self) -> SetFinalMatch:
        """The last two."""
        return SetFinalMatch(self.settings())


class TableForm(SettingForm):
    """A table of the main match, and who sits at it."""

    players = forms.MultipleChoiceField(
        widget=UnfoldAdminCheckboxSelectMultipleWidget, help_text="They sit in this order, from seat A."
    )
    priority = forms.ChoiceField(
        label="Priority seat", required=False, widget=UnfoldAdminSelectWidget, help_text="One of those who sit there."
    )

    def prepare(self) -> None:
        """Any game; the players who sit at no table yet."""
        super().prepare()
        known = [(it, self.room.call(it)) for it in self.room.state.players]
        free = {player for pair in self.offer.of("players") for player in pair}
        self.fields["players"].choices = known
        self.fields["players"].widget.choices = [it for it in known if it[0] in free]
        self.fields["priority"].choices = [("", "Whoever sits at seat A"), *known]
        self.fields["priority"].widget.choices = [
            ("", "Whoever sits at seat A"),
            *(it for it in known if it[0] in free),
        ]
        self.order_fields(["game", "players", "priority"])

    def concerned(self) -> Sequence[str]:
        """Those who are to sit at the table."""
        return self.cleaned_data.get("players", ())

    def games(self) -> list[str]:
        """Every game there is; a table may be of one that the pool lacks."""
        return list(catalogue)

    def clean(self) -> dict[str, Any]:
        """Who holds the priority sits at the table."""
        told = super().clean()
        if told.get("priority") and told["priority"] not in told.get("players", []):
            self.add_error("priority", "Choose one of those who sit at the table.")
        return told

    def to_act(self) -> SetTable:
        """The priority as a seat's number."""
        players, priority = self.cleaned_data["players"], self.cleaned_data["priority"]
        return SetTable(self.settings(), tuple(players), players.index(priority) if priority else 0)


def _times(told: dict[str, Any]) -> dict[str, ClockBody]:
    """The clocks' times as they were typed; raises ValueError with a sentence."""
    times = {}
    for line in filter(None, map(str.strip, told["times"].splitlines())):
        name, *numbers = line.split()
        if len(numbers) != _PARTS - 1 or not all(it.isascii() and it.isdigit() and len(it) <= 9 for it in numbers):
            raise ValueError(f"{line}: write a clock's name, base, reserve and increment, in seconds.")
        times[name] = ClockBody(*map(int, numbers))
    if not times:
        raise ValueError("Type the times, or choose the game's own.")
    return times
