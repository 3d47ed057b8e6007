"""The forms of a season's times: another time for a match, who is there, what becomes of an absence, a deadline."""

from collections.abc import Sequence
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from matches.html.moments import MomentField
from matches.panel.seasons.forms import MatchForm, SeasonForm, match_told, reason_field
from matches.seasons.domain import appointments

_RULINGS = [
    ("play", "It is played all the same"),
    ("stand_in", "A bot plays for who isn't there, until they are"),
    ("loss", "Who isn't there has lost it"),
]
_PROPOSED = ("first", "second", "third")


def moment_field(label: str, **more: Any) -> MomentField:
    """An instant to be typed or picked; `in_zone` says by whose clock."""
    return MomentField(label=label, widget=UnfoldAdminTextInputWidget(attrs={"type": "datetime-local"}), **more)


class WaitingMatchForm(MatchForm):
    """A match that hasn't begun."""

    def prepare(self) -> None:
        """Those whose tables still wait."""
        state, told = self.room.state, lambda it: match_told(self.room, it)
        waiting = [it for it in self.offer.of("match") if not self.room.at_table(it)]
        self.choose("match", state.matches, waiting, told)
        self.waiting = waiting

    @property
    def stands(self) -> bool:
        """Whether there is such a match."""
        return bool(self.waiting)

    def concerned(self) -> Sequence[str]:
        """The players of the match."""
        match = self.cleaned_data.get("match")
        return self.room.state.matches[match].players if match else ()

    def times_asked(self) -> Sequence[str]:
        """The match's own time, and those that are proposed for it."""
        match = self.cleaned_data.get("match")
        if not match:
            return ()
        own = self.room.state.matches[match].opens_at
        return [*([own] if own else []), *appointments.times_of(self.room.state, match)]


class MatchTimeForm(WaitingMatchForm):
    """Another time for a match, and why."""

    opens_at = moment_field("Opens at", required=False, help_text="Empty: when its host starts it.")
    reason = reason_field()

    def prepare(self) -> None:
        """The matches that are still to be played, and what their players have told of their time."""
        super().prepare()
        self.fields["opens_at"].in_zone(self.room.account.time_zone)

    def times_asked(self) -> Sequence[str]:
        """That one too."""
        return [*super().times_asked(), *filter(None, [self.cleaned_data.get("opens_at")])]

    def values(self) -> dict[str, Any]:
        """None is no time."""
        told = super().values()
        return told | {"opens_at": told["opens_at"] or None}


class TimesForm(WaitingMatchForm):
    """Times to propose for a match."""

    first = moment_field("A time")
    second = moment_field("Another one", required=False)
    third = moment_field("A third one", required=False, help_text="What all the match's players accept is set.")

    def prepare(self) -> None:
        """The matches that are still to be played."""
        super().prepare()
        for name in _PROPOSED:
            self.fields[name].in_zone(self.room.account.time_zone)

    def times_asked(self) -> Sequence[str]:
        """Those too."""
        return [*super().times_asked(), *filter(None, map(self.cleaned_data.get, _PROPOSED))]

    def values(self) -> dict[str, Any]:
        """The times in one list."""
        told = super().values()
        return {"match": told["match"], "times": [told[name] for name in _PROPOSED if told[name]]}


class CheckInForm(SeasonForm):
    """A player who is there for a match."""

    seat = forms.ChoiceField(label="Who is there", widget=UnfoldAdminSelectWidget)

    def prepare(self) -> None:
        """Those who play at a match with a check-in."""
        known = [f"{match.id} {player}" for match in self.room.state.matches.values() for player in match.players]
        offered = [f"{it['match']} {it['player']}" for it in self.offer.choices]
        self.choose("seat", known, offered, self._told)

    def values(self) -> dict[str, Any]:
        """The match and its player."""
        match, _, player = self.cleaned_data["seat"].partition(" ")
        return {"match": match, "player": player}

    def _told(self, seat: str) -> str:
        match, _, player = seat.partition(" ")
        return f"{self.room.call(player)}: {match_told(self.room, match)}"


class AbsenceForm(MatchForm):
    """What becomes of a match that somebody hasn't come to, and why."""

    ruling = forms.ChoiceField(label="What becomes of it", choices=_RULINGS, widget=UnfoldAdminSelectWidget)
    loser = forms.ChoiceField(
        label="Who has lost it",
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text="Only for a loss where more than one isn't there.",
    )
    reason = reason_field()

    def prepare(self) -> None:
        """The matches with somebody absent, and who plays there."""
        super().prepare()
        self.choose("loser", self.room.state.players, [it for it in self.offer.of("loser") if it], self.room.call)
        self.fields["loser"].widget.choices = [("", "The one who isn't there"), *self.fields["loser"].choices[1:]]

    def values(self) -> dict[str, Any]:
        """None is the only one who isn't there."""
        told = super().values()
        return told | {"loser": told["loser"] or None}


class DeadlineForm(SeasonForm):
    """Until when the players may decide, and why they have longer."""

    until = moment_field("Until")
    reason = reason_field()

    def prepare(self) -> None:
        """By the organiser's clock."""
        self.fields["until"].in_zone(self.room.account.time_zone)
