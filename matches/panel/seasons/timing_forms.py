"""The forms for the times of matches and for check-ins."""

from collections.abc import Iterable, Sequence

from matches.panel.fields import chosen, moment_field, reason_field
from matches.panel.seasons.forms import JoinedForm, JoinedParts, MatchForm, match_label
from matches.seasons.domain import appointments
from matches.seasons.domain.timing_acts import CheckIn, ProposeTimes, SetTime

_PROPOSED = ("first", "second", "third")


class WaitingMatchForm(MatchForm):
    """A form for a match that hasn't begun."""

    def prepare(self) -> None:
        state, label = self.room.state, lambda it: match_label(self.room, it)
        waiting = [it for it in self.offer.values("match") if not self.room.at_table(it)]
        self.choose("match", state.matches, waiting, label)
        self.waiting = waiting

    @property
    def is_available(self) -> bool:
        """True if a match hasn't begun."""
        return bool(self.waiting)

    def concerned(self) -> Sequence[str]:
        match = self.cleaned_data.get("match")
        return self.room.state.matches[match].players if match else ()

    def named_times(self) -> Sequence[str]:
        """Return the match's own time, and those proposed for it."""
        match = self.cleaned_data.get("match")
        if not match:
            return ()
        own = self.room.state.matches[match].opens_at
        return [*([own] if own else []), *appointments.times_of(self.room.state, match)]


class MatchTimeForm(WaitingMatchForm):
    """The form that sets the time of a match."""

    opens_at = moment_field("Opens at", required=False, help_text="Empty: its host starts the match.")
    reason = reason_field()

    def prepare(self) -> None:
        super().prepare()
        self.fields["opens_at"].in_zone(self.room.account.time_zone)

    def named_times(self) -> Sequence[str]:
        """Return also the typed time."""
        return [*super().named_times(), *filter(None, [self.cleaned_data.get("opens_at")])]

    def to_act(self) -> SetTime:
        """Return the act; an empty time removes the match's time."""
        values = self.cleaned_data
        return SetTime(values["match"], values["opens_at"] or None, values["reason"])


class TimesForm(WaitingMatchForm):
    """The form that proposes times for a match."""

    first = moment_field("First time")
    second = moment_field("Second time", required=False)
    third = moment_field("Third time", required=False, help_text="A time that all players accept is set.")

    def prepare(self) -> None:
        super().prepare()
        for name in _PROPOSED:
            self.fields[name].in_zone(self.room.account.time_zone)

    def named_times(self) -> Sequence[str]:
        """Return also the typed times."""
        return [*super().named_times(), *filter(None, map(self.cleaned_data.get, _PROPOSED))]

    def to_act(self) -> ProposeTimes:
        values = self.cleaned_data
        return ProposeTimes(values["match"], tuple(values[name] for name in _PROPOSED if values[name]))


class CheckInForm(JoinedForm):
    """The form that checks a player in for a match."""

    seat = chosen("Player and match")
    joined = "seat"
    parts = ("match", "player")

    def every_choice(self) -> Iterable[JoinedParts]:
        """Return each player of each match."""
        return ((match.id, it) for match in self.room.state.matches.values() for it in match.players)

    def call(self, parts: JoinedParts) -> str:
        match, player = parts
        return f"{self.room.call(player)}: {match_label(self.room, match)}"

    def to_act(self) -> CheckIn:
        match, player = self.chosen()
        return CheckIn(match, player)
