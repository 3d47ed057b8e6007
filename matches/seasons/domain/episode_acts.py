"""The acts of an episode that are declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event
from matches.domain.declared import Ask, Body, Dialog, Reason, Rest, read
from matches.seasons.domain import episodes
from matches.seasons.domain.deadlines import in_time
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import PLAYER, WHY, GameSlug, PlayerId, SeasonAct, Title
from matches.seasons.domain.state import Season


class Decision(SeasonAct, frozen=True):
    """A decision for which an episode waits, for as long as its deadline says. Its one field is what is chosen."""

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return in_time(season, by, self.choose(season, by))

    def choose(self, season: Season, by: Caller) -> Sequence[Event]:
        """Return the events of the decision, whatever the time; raise Illegal."""
        raise NotImplementedError


class ChoiceOfAPlayer(Decision, frozen=True):
    """A decision between the season's players."""

    player: PlayerId

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player) for player in season.players)


class OpenEpisode(SeasonAct, frozen=True):
    """Open the next episode: for the season's organisers."""

    name = "open-episode"
    rest = Rest(
        "openEpisode", "episodes", Body("EpisodeBody", "An episode to open."),
        ("episode_open", "final_open", "final_due", "too_few_players"),
    )  # fmt: skip
    dialog = Dialog(
        "Open the episode", "flag",
        asks={"title": Ask(help="A name that everybody reads beside the number, such as “The auction”.")},
    )  # fmt: skip
    example = {"title": "The first episode"}

    title: Title

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return episodes.open_episode(season, by, self.title)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls("-")


class CloseEpisode(SeasonAct, frozen=True):
    """Close the open episode though nobody was eliminated: for the season's organisers."""

    name = "close-episode"
    settles = True
    rest = Rest("closeEpisode", "episodes/close", WHY, ("no_episode", "match_open"))
    dialog = Dialog("Close the episode", "cancel", "Nobody is eliminated.")
    example = {"reason": "Nobody goes this time."}

    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return episodes.close_episode(season, by, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls("-")


class GiveToken(ChoiceOfAPlayer, frozen=True):
    """Give the second token of life away: for the main match's sole winner, or an organiser for them."""

    name = "token"
    rest = Rest(
        "giveToken", "tokens", PLAYER,
        (
            "no_episode", "no_token_to_give", "not_enrolled", "not_living", "has_token", "deadline_passed",
        ), is_for_players=True,
    )  # fmt: skip
    dialog = Dialog("Give the second token", "token")

    def choose(self, season: Season, by: Caller) -> Sequence[Event]:
        return episodes.give_token(season, by, self.player)


class NameCandidate(ChoiceOfAPlayer, frozen=True):
    """Name the EC: for the main match's winners, or an organiser."""

    name = "candidate"
    rest = Rest(
        "nameCandidate", "candidates", PLAYER,
        (
            "no_episode", "not_recorded", "token_not_given", "candidate_named", "nobody_left", "not_enrolled",
            "not_living", "has_token", "not_a_candidate", "deadline_passed",
        ), is_for_players=True,
    )  # fmt: skip
    dialog = Dialog("Name the EC", "person_alert")

    def choose(self, season: Season, by: Caller) -> Sequence[Event]:
        return episodes.name_candidate(season, by, self.player)


class NameOpponent(ChoiceOfAPlayer, frozen=True):
    """Name the DMO: for the EC, or an organiser for them."""

    name = "opponent"
    rest = Rest(
        "nameOpponent", "opponents", PLAYER,
        (
            "no_episode", "no_candidate", "opponent_named", "nobody_left", "not_enrolled", "not_living",
            "same_player", "has_token", "deadline_passed",
        ), is_for_players=True,
    )  # fmt: skip
    dialog = Dialog("Name the DMO", "swords")

    def choose(self, season: Season, by: Caller) -> Sequence[Event]:
        return episodes.name_opponent(season, by, self.player)


class BanGame(Decision, frozen=True):
    """Strike a game from this death match's pool: for the EC and the DMO."""

    name = "ban"
    rest = Rest(
        "banGame", "bans", Body("BanBody", "The game to strike from the pool."),
        (
            "no_episode", "no_candidate", "no_opponent", "match_open", "no_bans_left", "game_not_in_pool",
            "game_banned", "deadline_passed",
        ), is_for_players=True,
    )  # fmt: skip

    game: GameSlug

    def choose(self, season: Season, by: Caller) -> Sequence[Event]:
        return episodes.ban(season, by, self.game)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(game) for game in season.options.pool)


DECISIONS: dict[str, type[Decision]] = {act.name: act for act in (GiveToken, NameCandidate, NameOpponent, BanGame)}
"""The decisions of an episode, in its order."""
CHOSEN = {name: act.__struct_fields__[0] for name, act in DECISIONS.items()}
"""The field of each decision."""


def decision(name: str, chosen: str) -> Decision:
    """Return the decision of this name with what is chosen."""
    return read(DECISIONS[name], {CHOSEN[name]: chosen})
