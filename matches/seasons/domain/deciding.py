"""The caller, the batch of events, and the refusals that the season's decisions share. Pure."""

from msgspec import Struct

from games.kernel import Event, Illegal
from matches.seasons.domain.events import EpisodeClosed, MatchAnnulled, Role
from matches.seasons.domain.evolution import evolve
from matches.seasons.domain.state import Episode, Season, SeasonMatch


class Caller(Struct, frozen=True):
    """The account that asks for an act, and its role in the season or in the whole installation.

    `plays` is true of an account that would have a role, but has none because it plays or played in the season.
    """

    account: str
    role: Role | None = None
    plays: bool = False

    @property
    def is_organiser(self) -> bool:
        return self.role == "organiser"


class Batch:
    """The events of one act, and the season after them."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        for event in events:
            self.season = evolve(self.season, event)
            self.events.append(event)


def end_episode(batch: Batch, number: int, reason: str) -> None:
    """End the episode, and annul the tables of its main match that haven't ended."""
    for table in batch.season.of_episode(number, "main"):
        if table.status == "scheduled":
            batch.add(MatchAnnulled(match=table.id, reason="The episode is over."))
    batch.add(EpisodeClosed(number=number, reason=reason))


def refuse_unless_organiser(by: Caller) -> None:
    """Raise forbidden, plays_here."""
    refuse_player(by)
    if not by.is_organiser:
        raise Illegal("forbidden", "That is for an organiser of the season.")


def refuse_unless_running_it(by: Caller) -> None:
    """Raise forbidden for everyone but organisers and hosts; plays_here."""
    refuse_player(by)
    if by.role not in ("organiser", "host"):
        raise Illegal("forbidden", "That is for an organiser or a host of the season.")


def refuse_player(by: Caller) -> None:
    """Raise plays_here for an official who plays in the season, or did."""
    if by.plays:
        raise Illegal(
            "plays_here",
            "You play in this season, or did, so you don't run it: ask one of its officials who doesn't.",
        )


def refuse_over(season: Season) -> None:
    """Raise season_over."""
    if season.champion:
        raise Illegal("season_over", "The season has its champion; only what was wrong is still corrected.")


def refuse_not_living(season: Season, *players: str) -> None:
    """Raise not_enrolled, not_living."""
    for player in players:
        if player not in season.players:
            raise Illegal("not_enrolled", "No such player is in this season.")
        if not season.players[player].living:
            raise Illegal("not_living", "That player is out of the season.")


def open_episode_of(season: Season) -> Episode:
    """Return the open episode; raise season_over, no_episode."""
    refuse_over(season)
    if season.episode is None:
        raise Illegal("no_episode", "No episode is open; an organiser opens the next one.")
    return season.episode


def match_of(season: Season, match: str) -> SeasonMatch:
    """Return a match of the season; raise not_in_season."""
    if match not in season.matches:
        raise Illegal("not_in_season", "That match is none of this season's.")
    return season.matches[match]


def refuse_open_match(season: Season) -> None:
    """Raise match_open while a death match or a match of the final is to be played, or its result to be approved."""
    if any(match.open and match.kind != "main" for match in season.matches.values()):
        raise Illegal("match_open", "A match is still open: play it, approve its result, or annul it first.")
