"""The forms by which an organiser corrects an episode or the result of a match."""

from collections.abc import Iterable

from django import forms
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from games import catalogue
from matches.panel.fields import chosen, reason_field
from matches.panel.seasons.forms import JoinedForm, JoinedParts, SeasonForm, match_label, rewards_field, rewards_in
from matches.seasons.domain.correction_acts import (
    CorrectBan,
    CorrectCandidate,
    CorrectMainMatch,
    CorrectOpponent,
    CorrectToken,
    PlayerCorrection,
)
from matches.seasons.domain.result_acts import CorrectResult
from matches.seasons.domain.state import Episode


class MainMatchForm(SeasonForm):
    """The form that corrects the result of an episode's main match."""

    episode = chosen("Episode")
    winners = forms.MultipleChoiceField(required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget)
    candidates = forms.MultipleChoiceField(
        label="Losers, from whom the EC is named", required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    rewards = rewards_field(
        "One a line: a player's name and a number, for all who should have got garnets. Empty: the garnets of wrong "
        "winners go to the right ones."
    )
    changes = rewards_field(
        "Of a contest that was played for garnets. One a line: a player's name and a number, negative for a loss, for "
        "all who should have gained or lost some. Empty: no change.",
        label="Garnets gained or lost",
    )
    reason = reason_field()

    def prepare(self) -> None:
        state = self.room.state
        numbers = [str(it.number) for it in state.episodes]
        offered = [str(it) for it in reversed(self.offer.values("number"))]
        self.choose("episode", numbers, offered, lambda it: _result(self, state.episodes[int(it) - 1]))
        for name in ("winners", "candidates"):
            self.fields[name].choices = [(it, self.room.call(it)) for it in state.players]
            self.fields[name].help_text = "Nobody ticked: no change."

    def clean_rewards(self) -> dict[str, int]:
        return rewards_in(self.room, self.cleaned_data["rewards"])

    def clean_changes(self) -> dict[str, int]:
        return rewards_in(self.room, self.cleaned_data["changes"], may_lose=True)

    def to_act(self) -> CorrectMainMatch:
        """Return the correction; an empty field changes nothing."""
        values = self.cleaned_data
        return CorrectMainMatch(
            int(values["episode"]),
            values["reason"],
            tuple(values["winners"]) or None,
            tuple(values["candidates"]) or None,
            values["rewards"] or None,
            values["changes"] or None,
        )


class WinnerForm(JoinedForm):
    """The form that corrects the winner of a match, with a reason."""

    result = chosen("What really happened")
    reason = reason_field()
    joined = "result"
    parts = ("match", "winner")

    def every_choice(self) -> Iterable[JoinedParts]:
        """Return each player of each match as its winner."""
        return ((match.id, it) for match in self.room.state.matches.values() for it in match.players)

    def call(self, parts: JoinedParts) -> str:
        match, winner = parts
        return f"{match_label(self.room, match)}: {self.room.call(winner)} has won"

    def to_act(self) -> CorrectResult:
        match, winner = self.chosen()
        return CorrectResult(match, winner, self.cleaned_data["reason"])


class _PlayerOfEpisodeForm(JoinedForm):
    """A form that corrects a player's part in an episode; `words` describe the choice of a name."""

    act: type[PlayerCorrection]
    words = "{}"
    result = chosen("What really happened")
    reason = reason_field()
    joined = "result"
    parts = ("number", "player")

    def every_choice(self) -> Iterable[JoinedParts]:
        """Return every player in every episode; the decider accepts some of them."""
        state = self.room.state
        return ((str(episode.number), player) for episode in state.episodes for player in state.players)

    def call(self, parts: JoinedParts) -> str:
        number, player = parts
        return f"Episode {number}: {self.words.format(self.room.call(player))}"

    def sorted(self, offered: list[JoinedParts]) -> list[JoinedParts]:
        return sorted(offered, key=lambda it: -int(it[0]))

    def to_act(self) -> PlayerCorrection:
        number, player = self.chosen()
        return self.act(int(number), player, self.cleaned_data["reason"])


class TokenForm(_PlayerOfEpisodeForm):
    """The form that corrects the receiver of the second token of life."""

    act = CorrectToken
    words = "{} got the second token"


class CandidateForm(_PlayerOfEpisodeForm):
    """The form that corrects the EC."""

    act = CorrectCandidate
    words = "{} is the EC"


class OpponentForm(_PlayerOfEpisodeForm):
    """The form that corrects the DMO."""

    act = CorrectOpponent
    words = "{} is the DMO"


class BanForm(JoinedForm):
    """The form that corrects a struck game; the other game is `-` for none."""

    ban = chosen("What really happened")
    reason = reason_field()
    joined = "ban"
    parts = ("number", "player", "game", "instead")

    def every_choice(self) -> Iterable[JoinedParts]:
        """Return every ban with every other game, or `-`."""
        state = self.room.state
        return (
            (str(episode.number), player, game, instead)
            for episode in state.episodes
            for player, game in episode.bans
            for instead in ("-", *state.options.pool)
        )

    def call(self, parts: JoinedParts) -> str:
        number, player, game, instead = parts
        really = "nothing" if instead == "-" else catalogue[instead].title
        return f"Episode {number}: {self.room.call(player)} struck {really}, not {catalogue[game].title}"

    def to_act(self) -> CorrectBan:
        number, player, game, instead = self.chosen()
        reason = self.cleaned_data["reason"]
        return CorrectBan(int(number), player, game, reason, None if instead == "-" else instead)


def _result(form: SeasonForm, episode: Episode) -> str:
    return f"Episode {episode.number}, {episode.name}: won by {form.room.call(*episode.winners)}"
