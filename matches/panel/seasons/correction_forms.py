"""The forms by which an organiser puts right what was wrong in an episode, or the result of a match."""

from collections.abc import Iterable

from django import forms
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from games import catalogue
from matches.panel.fields import chosen, reason_field
from matches.panel.seasons.forms import JoinedForm, JoinedParts, SeasonForm, match_told, rewards_field, rewards_in
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
    """An episode's main match as it really ended."""

    episode = chosen("Episode")
    winners = forms.MultipleChoiceField(required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget)
    candidates = forms.MultipleChoiceField(
        label="Losers, among whom the EC is found", required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    rewards = rewards_field(
        "One a line: a player's name and how many, for all who should have got some. Empty: those of false winners go "
        "to the right ones."
    )
    reason = reason_field()

    def prepare(self) -> None:
        """The episodes, and everybody who was ever in the season."""
        state = self.room.state
        numbers = [str(it.number) for it in state.episodes]
        offered = [str(it) for it in reversed(self.offer.of("number"))]
        self.choose("episode", numbers, offered, lambda it: _result(self, state.episodes[int(it) - 1]))
        for name in ("winners", "candidates"):
            self.fields[name].choices = [(it, self.room.call(it)) for it in state.players]
            self.fields[name].help_text = "Nobody ticked: as it stands."

    def clean_rewards(self) -> dict[str, int]:
        """The amounts by account."""
        return rewards_in(self.room, self.cleaned_data["rewards"])

    def to_act(self) -> CorrectMainMatch:
        """What is left empty stays as it was."""
        told = self.cleaned_data
        return CorrectMainMatch(
            int(told["episode"]),
            told["reason"],
            tuple(told["winners"]) or None,
            tuple(told["candidates"]) or None,
            told["rewards"] or None,
        )


class WinnerForm(JoinedForm):
    """The form that corrects the winner of a match, with a reason."""

    result = chosen("What really happened")
    reason = reason_field()
    joined = "result"
    parts = ("match", "winner")

    def known(self) -> Iterable[JoinedParts]:
        """Each result of each match."""
        return ((match.id, it) for match in self.room.state.matches.values() for it in match.players)

    def call(self, parts: JoinedParts) -> str:
        """The match, and who has won."""
        match, winner = parts
        return f"{match_told(self.room, match)}: {self.room.call(winner)} has won"

    def to_act(self) -> CorrectResult:
        """The match and its winner."""
        match, winner = self.chosen()
        return CorrectResult(match, winner, self.cleaned_data["reason"])


class _PlayerOfEpisodeForm(JoinedForm):
    """An episode, and who it really was; `words` say so of a name."""

    act: type[PlayerCorrection]
    words = "{}"
    result = chosen("What really happened")
    reason = reason_field()
    joined = "result"
    parts = ("number", "player")

    def known(self) -> Iterable[JoinedParts]:
        """Every player in every episode; those are offered who could have been."""
        state = self.room.state
        return ((str(episode.number), player) for episode in state.episodes for player in state.players)

    def call(self, parts: JoinedParts) -> str:
        """The episode, and who it was."""
        number, player = parts
        return f"Episode {number}: {self.words.format(self.room.call(player))}"

    def sorted(self, offered: list[JoinedParts]) -> list[JoinedParts]:
        """The newest episode first."""
        return sorted(offered, key=lambda it: -int(it[0]))

    def to_act(self) -> PlayerCorrection:
        """The episode and the player."""
        number, player = self.chosen()
        return self.act(int(number), player, self.cleaned_data["reason"])


class TokenForm(_PlayerOfEpisodeForm):
    """Who got the second token of life."""

    act = CorrectToken
    words = "{} got the second token"


class CandidateForm(_PlayerOfEpisodeForm):
    """Who was the EC."""

    act = CorrectCandidate
    words = "{} is the EC"


class OpponentForm(_PlayerOfEpisodeForm):
    """Who was the DMO."""

    act = CorrectOpponent
    words = "{} is the DMO"


class BanForm(JoinedForm):
    """A game that was struck, and which one really was."""

    ban = chosen("What really happened")
    reason = reason_field()
    joined = "ban"
    parts = ("number", "player", "game", "instead")

    def known(self) -> Iterable[JoinedParts]:
        """Every ban with every other game, or none."""
        state = self.room.state
        return (
            (str(episode.number), player, game, instead)
            for episode in state.episodes
            for player, game in episode.bans
            for instead in ("-", *state.options.pool)
        )

    def call(self, parts: JoinedParts) -> str:
        """The episode, who it was, and both games."""
        number, player, game, instead = parts
        really = "nothing" if instead == "-" else catalogue[instead].title
        return f"Episode {number}: {self.room.call(player)} struck {really}, not {catalogue[game].title}"

    def to_act(self) -> CorrectBan:
        """The ban, and what stands in its place."""
        number, player, game, instead = self.chosen()
        reason = self.cleaned_data["reason"]
        return CorrectBan(int(number), player, game, reason, None if instead == "-" else instead)


def _result(form: SeasonForm, episode: Episode) -> str:
    return f"Episode {episode.number}, {episode.name}: won by {form.room.call(*episode.winners)}"
