"""The forms of a season's times: another time for a match, and who is there."""

from collections.abc import Iterable, Sequence

from matches.panel.fields import chosen, moment_field, reason_field
from matches.panel.seasons.forms import JoinedForm, JoinedParts, MatchForm, match_told
from matches.seasons.domain import appointments
from matches.seasons.domain.timing_acts import CheckIn, ProposeTimes, SetTime

_PROPOSED = ("first", "second", "third")


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

    def to_act(self) -> SetTime:
        """None is no time."""
        told = self.cleaned_data
        return SetTime(told["match"], told["opens_at"] or None, told["reason"])


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

    def to_act(self) -> ProposeTimes:
        """The times in one list."""
        told = self.cleaned_data
        return ProposeTimes(told["match"], tuple(told[name] for name in _PROPOSED if told[name]))


class CheckInForm(JoinedForm):
    """A player who is there for a match."""

    seat = chosen("Who is there")
    joined = "seat"
    parts = ("match", "player")

    def known(self) -> Iterable[JoinedParts]:
        """Everybody at every match."""
        return ((match.id, it) for match in self.room.state.matches.values() for it in match.players)

    def call(self, parts: JoinedParts) -> str:
        """The player, and the match."""
        match, player = parts
        return f"{self.room.call(player)}: {match_told(self.room, match)}"

    def to_act(self) -> CheckIn:
        """The match and its player."""
        match, player = self.chosen()
        return CheckIn(match, player)
