"""The forms that set a season's matches: game, clocks, options, time, and the players of a table."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from msgspec.structs import replace
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from games import catalogue
from games.contest.content import Content
from games.contest.options import Options
from games.contest.rules import clocks_of
from games.kernel import Game, Illegal, to_json
from matches.contests.reads.documents import summary_of
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.html.declared_fields import act_of, fields_of
from matches.html.text_fields import LinesField
from matches.http.bodies import LONGEST_CLOSED, ClockBody
from matches.http.new_matches import clock_times
from matches.http.problems import Problem
from matches.panel.fields import FIELDS, moment_field
from matches.panel.game_options import GameOptionsField
from matches.panel.seasons.forms import SeasonForm
from matches.seasons import contents, services
from matches.seasons.domain.contests import CONTEST, PlayedContest
from matches.seasons.domain.match_acts import SetDeathMatch, SetFinalMatch, SetTable
from matches.seasons.domain.result_rules import ASKS, ResultRules
from matches.seasons.domain.scheduling import MatchSettings

_CLOCKS = [("game", "The game's usual clocks"), ("none", "None, by correspondence"), ("own", "The times below")]
_PARTS = 4


class SettingForm(SeasonForm):
    """The fields that all matches have."""

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
        "Opens at", required=False, help_text="The match starts by itself then. Empty: its host starts it."
    )
    untimed = forms.BooleanField(
        label="No opening time",
        required=False,
        help_text="For a game whose set-up takes hours: play begins as soon as it is done, and the clock then plays for"
        " absent players.",
    )
    setup_closes = forms.IntegerField(
        label="Set-up closes before the opening time, in minutes",
        required=False,
        min_value=0,
        max_value=LONGEST_CLOSED // 60,
        initial=SETUP_CLOSES_BEFORE // 60,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="For a match with an opening time. The set-up moves with that time.",
    )

    def prepare(self) -> None:
        self.choose("game", catalogue, self.games(), lambda it: catalogue[it].title)
        named = "; ".join(f"{game.title}: {self.clocks_named(game)}" for game in catalogue.values())
        format_hint = "One clock a line: its name, base, reserve and increment in seconds, such as “turn 600 60 10”."
        self.fields["times"].help_text = f"{format_hint} {named}."
        self.fields["options"].widget.games = self.games()
        self.fields["opens_at"].in_zone(self.room.account.time_zone)

    def clocks_named(self, game: Game) -> str:
        """Return the names of a game's clocks for the hint; those of a contest follow from its content."""
        return "those that the preview lists" if game.clocks_of else ", ".join(game.clocks)

    def concerned(self) -> Sequence[str]:
        state = self.room.state
        if state.final:
            return state.final.players
        return [it for it in (state.episode.candidate, state.episode.opponent) if it] if state.episode else ()

    def named_times(self) -> Sequence[str]:
        return [*filter(None, [self.cleaned_data.get("opens_at")])]

    def games(self) -> list[str]:
        """Return the games that the decider accepts."""
        return self.offer.values("game")

    def clean(self) -> dict[str, Any]:
        """Replace `clocks` by the game's clocks with the typed times, None for no clocks."""
        values = super().clean()
        if not {"game", "clocks", "times", "options"} <= values.keys():
            return values
        try:
            times = None if values["clocks"] == "none" else _times(values) if values["clocks"] == "own" else {}
            values["clocks"] = clock_times(values["game"], values["options"], times)
        except Illegal as refused:
            self.add_error("options", refused.message)
        except (ValueError, Problem) as refused:
            self.add_error("times", refused.detail if isinstance(refused, Problem) else str(refused))
        return values

    def settings(self) -> MatchSettings:
        """Return the settings. The match's id is derived from the form's key, so that a repeated request sets the same
        match."""
        values = self.cleaned_data
        minutes = values["setup_closes"]
        return MatchSettings(
            match=str(services.match_id_of(self.room.row.id, self.room.account, values["key"])),
            game=values["game"],
            options=values["options"],
            clocks=values["clocks"],
            opens_at=values["opens_at"] or None,
            untimed=values["untimed"],
            setup_closes=SETUP_CLOSES_BEFORE if minutes is None else minutes * 60,
        )


class DeathMatchForm(SettingForm):
    """The form that sets a death match."""

    def to_act(self) -> SetDeathMatch:
        return SetDeathMatch(self.settings())


class FinalMatchForm(SettingForm):
    """The form that sets the next match of the final."""

    def to_act(self) -> SetFinalMatch:
        return SetFinalMatch(self.settings())


class MainMatchForm(SettingForm):
    """The fields that all tables of a main match have: also who will win and lose, and the garnets for it. A table may
    have a game that isn't in the pool."""

    def prepare(self) -> None:
        super().prepare()
        self.contest: PlayedContest | None = None
        self.content: Content | None = None
        options = self.fields["options"].widget
        options.contests = lambda chosen: contents.with_chosen(self.room.offered_contests, chosen, self.room.account)
        options.search = reverse("admin:season_contests", args=[self.room.row.id])
        if self.room.contest:
            self.initial |= {"game": CONTEST, "options": {"game": CONTEST, "contest": self.room.contest}}
        self.fields |= fields_of(ResultRules, FIELDS, ASKS)

    def games(self) -> list[str]:
        return list(catalogue)

    def clean_options(self) -> dict[str, Any]:
        """Return the options, with the content of the chosen contest; raise ValidationError if there is none."""
        reference = self.data.get("contest") if self.cleaned_data.get("game") == CONTEST else ""
        if not reference:
            options: dict[str, Any] = self.cleaned_data["options"]
            if self.cleaned_data.get("game") == CONTEST:
                with suppress(Illegal):  # The act is refused with its faults.
                    self.content = catalogue[CONTEST].read_options(options).content
            return options
        try:
            self.content, self.contest = contents.look_up(reference, self.room.account)
        except Illegal as refused:
            raise ValidationError(refused.message) from None
        return {"content": to_json(self.content)}

    def contest_shown(self) -> dict[str, Any] | None:
        """Return the contest in figures, its rounds, and its clocks as they are typed."""
        if self.content is None:
            return None
        clocks = clocks_of(Options(content=self.content)).items()
        lines = [f"{name} {it.base} {it.reserve} {it.increment}" for name, it in clocks]
        rounds = [it.title or it.name for it in self.content.rounds]
        has_own_times = self.data.get("clocks") == "own"
        return {
            "summary": summary_of(self.content), "rounds": rounds, "clocks": lines, "has_own_times": has_own_times,
        }  # fmt: skip

    def settings(self) -> MatchSettings:
        """Return the settings, with the chosen contest and the rules of the result."""
        return replace(super().settings(), contest=self.contest, results=self._rules())

    def _rules(self) -> ResultRules | None:
        """Return the rules of the result; None if a game other than a contest has none."""
        has_rules = self.cleaned_data["winners"] or self.cleaned_data["game"] == CONTEST
        return act_of(ResultRules, self.cleaned_data) if has_rules else None


class TableForm(MainMatchForm):
    """The form that sets a table of the main match with its players."""

    players = forms.MultipleChoiceField(
        widget=UnfoldAdminCheckboxSelectMultipleWidget, help_text="They are seated in this order, from seat A."
    )
    priority = forms.ChoiceField(
        label="Priority seat", required=False, widget=UnfoldAdminSelectWidget, help_text="One of the table's players."
    )

    def prepare(self) -> None:
        super().prepare()
        players = [(it, self.room.call(it)) for it in self.room.state.players]
        free = {player for pair in self.offer.values("players") for player in pair}
        self.fields["players"].choices = players
        self.fields["players"].widget.choices = [it for it in players if it[0] in free]
        self.fields["priority"].choices = [("", "The player at seat A"), *players]
        self.fields["priority"].widget.choices = [
            ("", "The player at seat A"),
            *(it for it in players if it[0] in free),
        ]
        self.order_fields(["game", "players", "priority"])

    def concerned(self) -> Sequence[str]:
        return self.cleaned_data.get("players", ())

    def clean(self) -> dict[str, Any]:
        """Add an error if the player with the priority seat isn't at the table."""
        values = super().clean()
        if values.get("priority") and values["priority"] not in values.get("players", []):
            self.add_error("priority", "Choose one of the table's players.")
        return values

    def to_act(self) -> SetTable:
        players, priority = self.cleaned_data["players"], self.cleaned_data["priority"]
        return SetTable(self.settings(), tuple(players), players.index(priority) if priority else 0)


def _times(values: dict[str, Any]) -> dict[str, ClockBody]:
    """Return the typed times by clock; raise ValueError with a sentence for users."""
    times = {}
    for line in filter(None, map(str.strip, values["times"].splitlines())):
        # The clocks of a contest have names of several words.
        *name, base, reserve, increment = line.split() if len(line.split()) >= _PARTS else [""] * _PARTS
        numbers = (base, reserve, increment)
        if not all(it.isascii() and it.isdigit() and len(it) <= 9 for it in numbers):
            raise ValueError(f"{line}: write a clock's name, base, reserve and increment, in seconds.")
        times[" ".join(name)] = ClockBody(*map(int, numbers))
    if not times:
        raise ValueError("Type the times, or choose the game's own.")
    return times
