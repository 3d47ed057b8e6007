"""The forms by which an organiser puts right what was wrong in an episode, or decides how a leaver's match ends."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminSelectWidget

from games import catalogue
from matches.html.text_fields import LinesField
from matches.panel.seasons.forms import LeaverForm, SeasonForm, chosen, reason_field, rewards_field, rewards_in
from matches.seasons.domain.state import Episode

_OUTCOMES = [("forfeit", "The player loses it, with all that follows"), ("annul", "It doesn't count")]


class WithdrawalForm(LeaverForm):
    """A player who leaves, why, and what becomes of a match that they have yet to play."""

    outcome = forms.ChoiceField(
        label="A death match, or a match of the final, that they have yet to play",
        choices=_OUTCOMES,
        initial="forfeit",
        required=False,
        widget=UnfoldAdminSelectWidget,
    )

    def values(self) -> dict[str, Any]:
        """Nothing chosen is a forfeit."""
        told = super().values()
        return told | {"outcome": told["outcome"] or "forfeit"}


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
        offered = [str(it) for it in reversed(self.offer.of("episode"))]
        self.choose("episode", numbers, offered, lambda it: _result(self, state.episodes[int(it) - 1]))
        for name in ("winners", "candidates"):
            self.fields[name].choices = [(it, self.room.call(it)) for it in state.players]
            self.fields[name].help_text = "Nobody ticked: as it stands."

    def clean_rewards(self) -> dict[str, int]:
        """The amounts by account."""
        return rewards_in(self.room, self.cleaned_data["rewards"])

    def values(self) -> dict[str, Any]:
        """What is left empty stays as it was."""
        told = super().values()
        left = {name: told[name] or None for name in ("winners", "candidates", "rewards")}
        return told | left | {"episode": int(told["episode"])}


class _PlayerOfEpisodeForm(SeasonForm):
    """An episode, and who it really was; `words` say so of a name."""

    words = "{}"
    result = chosen("What really happened")
    reason = reason_field()

    def prepare(self) -> None:
        """Every player in every episode; those are offered who could have been."""
        state = self.room.state
        known = [f"{episode.number} {player}" for episode in state.episodes for player in state.players]
        offered = [f"{it['episode']} {it['player']}" for it in self.offer.choices]
        self.choose("result", known, sorted(offered, key=lambda it: -int(it.partition(" ")[0])), self._told)

    def values(self) -> dict[str, Any]:
        """The episode and the player."""
        number, _, player = self.cleaned_data["result"].partition(" ")
        return {"episode": int(number), "player": player, "reason": self.cleaned_data["reason"]}

    def _told(self, result: str) -> str:
        number, _, player = result.partition(" ")
        return f"Episode {number}: {self.words.format(self.room.call(player))}"


class TokenForm(_PlayerOfEpisodeForm):
    """Who got the second token of life."""

    words = "{} got the second token"


class CandidateForm(_PlayerOfEpisodeForm):
    """Who was the EC."""

    words = "{} is the EC"


class OpponentForm(_PlayerOfEpisodeForm):
    """Who was the DMO."""

    words = "{} is the DMO"


class BanForm(SeasonForm):
    """A game that was struck, and which one really was."""

    ban = chosen("What really happened")
    reason: LinesField = reason_field()

    def prepare(self) -> None:
        """Every ban with every other game, or none."""
        state = self.room.state
        known = [
            f"{episode.number} {player} {game} {instead}"
            for episode in state.episodes
            for player, game in episode.bans
            for instead in ("-", *state.options.pool)
        ]
        offered = [f"{it['episode']} {it['player']} {it['game']} {it['instead'] or '-'}" for it in self.offer.choices]
        self.choose("ban", known, offered, self._told)

    def values(self) -> dict[str, Any]:
        """The ban, and what stands in its place."""
        number, player, game, instead = self.cleaned_data["ban"].split(" ")
        return {
            "episode": int(number),
            "player": player,
            "game": game,
            "instead": None if instead == "-" else instead,
            "reason": self.cleaned_data["reason"],
        }

    def _told(self, ban: str) -> str:
        number, player, game, instead = ban.split(" ")
        really = "nothing" if instead == "-" else catalogue[instead].title
        return f"Episode {number}: {self.room.call(player)} struck {really}, not {catalogue[game].title}"


def _result(form: SeasonForm, episode: Episode) -> str:
    return f"Episode {episode.number}, {episode.name}: won by {form.room.call(*episode.winners)}"
