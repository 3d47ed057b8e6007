"""The acts that put right what was wrong in an episode, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event
from matches.domain.declared import SOMEBODY, Body, Dialog, Reason, Rest
from matches.seasons.domain import corrections
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import SOME_TEXT, Changes, GameSlug, PlayerId, PlayerIds, Rewards, SeasonAct
from matches.seasons.domain.options import MOST_GARNETS
from matches.seasons.domain.state import Season

_ICON = "edit_note"
_FALLS = "A death match that can't have been no longer counts: its loser is back, and what it moved goes back."
_OF_EPISODES = ("no_such_episode", "not_recorded", "not_enrolled", "not_living", "too_late")
_PLAYER = Body("PlayerCorrectionBody", "Who it really was, and why that is known.")


class CorrectMainMatch(SeasonAct, frozen=True):
    """Say how an episode's main match really ended, in the open episode or an earlier one: for the season's
    organisers. Wins, rewards and tokens go with it, and so do the EC, the DMO and a death match that can't have
    been; each by an event of its own. Send it with `dry_run=1` first to read them all."""

    name = "correct-main-match"
    section = "corrections"
    settles = True
    rest = Rest(
        "correctMainMatch", "episodes/<int:number>/main-match/correct",
        Body(
            "MainMatchCorrectionBody",
            "How a main match really ended; what is null stays as it was.\n\n"
            "`rewards` are all garnets that it should have brought, by player; where they are null those of false "
            "winners go to the right ones. `changes` are the garnets that each player should have gained in a contest "
            "that was played for them, negative for those lost.",
        ),
        (*_OF_EPISODES, "bad_result"),
    )  # fmt: skip
    dialog = Dialog(
        "Correct a main match", _ICON,
        "Wins, rewards and tokens go with it; who can't have been EC or DMO no longer is, and a death match that can't "
        "have been no longer counts.",
    )  # fmt: skip
    example = {"winners": [SOMEBODY], "candidates": None, "rewards": None, "reason": "A die fell."}

    number: int
    reason: Reason
    winners: PlayerIds | None = None
    candidates: PlayerIds | None = None
    rewards: Rewards | None = None
    changes: Changes | None = None

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return corrections.correct_main_match(
            season, by, self.number, self.reason, self.winners, self.candidates, self.rewards, self.changes
        )

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return each episode's result with no rewards and another winner, or with garnets for one."""
        for episode in season.episodes:
            others = tuple(it for it in season.living if it not in episode.winners)
            yield cls(episode.number, SOME_TEXT, others[:1], rewards={})
            yield cls(episode.number, SOME_TEXT, rewards=dict.fromkeys(episode.winners, MOST_GARNETS))


class PlayerCorrection(SeasonAct, frozen=True):
    """A correction of a player's part in an episode."""

    number: int
    player: PlayerId
    reason: Reason

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(episode.number, player, SOME_TEXT) for episode in season.episodes for player in season.players)


class CorrectToken(PlayerCorrection, frozen=True):
    """Say who really got the sole winner's second token of life: for the season's organisers."""

    name = "correct-token"
    section = "corrections"
    settles = True
    rest = Rest(
        "correctToken", "episodes/<int:number>/token/correct", _PLAYER, (*_OF_EPISODES, "no_token_to_give", "has_token")
    )
    dialog = Dialog("Correct a token", _ICON)
    example = {"reason": "It went to another one."}

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return corrections.correct_token(season, by, self.number, self.player, self.reason)


class CorrectCandidate(PlayerCorrection, frozen=True):
    """Say who is, or was, the EC: for the season's organisers. DMO, bans and death match of the false one fall; if
    it has counted, its loser is back, and the season's latest episode goes on."""

    name = "correct-candidate"
    section = "corrections"
    settles = True
    rest = Rest(
        "correctCandidate", "episodes/<int:number>/candidate/correct", _PLAYER,
        (*_OF_EPISODES, "no_candidate", "token_not_given", "has_token", "not_a_candidate", "bad_result"),
    )  # fmt: skip
    dialog = Dialog("Correct the EC", _ICON, _FALLS)
    example = {"reason": "It was another one."}

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return corrections.correct_candidate(season, by, self.number, self.player, self.reason)


class CorrectOpponent(PlayerCorrection, frozen=True):
    """Say who is, or was, the DMO: for the season's organisers. What follows is as for the EC."""

    name = "correct-opponent"
    section = "corrections"
    settles = True
    rest = Rest(
        "correctOpponent", "episodes/<int:number>/opponent/correct", _PLAYER,
        (
            *_OF_EPISODES, "no_candidate", "no_opponent", "token_not_given", "has_token", "same_player", "bad_result",
        ),
    )  # fmt: skip
    dialog = Dialog("Correct the DMO", _ICON, _FALLS)
    example = {"reason": "It was another one."}

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return corrections.correct_opponent(season, by, self.number, self.player, self.reason)


class CorrectBan(SeasonAct, frozen=True):
    """Say which game EC or DMO has really struck, or that it was none: for the season's organisers. A death match
    of a game that was struck doesn't count."""

    name = "correct-ban"
    section = "corrections"
    settles = True
    rest = Rest(
        "correctBan", "episodes/<int:number>/ban/correct",
        Body(
            "BanCorrectionBody",
            "A game that a player is said to have struck, and what they have struck `instead`; null is none.",
        ),
        ("no_such_episode", "not_recorded", "no_such_ban", "game_not_in_pool", "game_banned", "too_late"),
    )  # fmt: skip
    dialog = Dialog("Correct a ban", _ICON, _FALLS)
    example = {"instead": "pyramid_poker", "reason": "A slip."}

    number: int
    player: PlayerId
    game: GameSlug
    reason: Reason
    instead: GameSlug | None = None

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return corrections.correct_ban(season, by, self.number, self.player, self.game, self.instead, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (
            cls(episode.number, player, game, SOME_TEXT, instead)
            for episode in season.episodes
            for player, game in episode.bans
            for instead in (None, *season.options.pool)
        )
