"""The acts that set a season's matches, declared once (declared.py): tables, death matches and the final. Pure."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Self

from msgspec.structs import replace

from games import catalogue
from games.kernel import Event
from matches.domain.declared import Dialog, Rest
from matches.seasons.domain import scheduling, tables
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import NOBODY, MatchId, PlayerIds, SeasonAct
from matches.seasons.domain.options import DUEL
from matches.seasons.domain.scheduling import MatchSettings
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.domain.tables import Seating


class OpenFinal(SeasonAct, frozen=True):
    """Open the final of the last two: for the season's organisers."""

    name = "final"
    rest = Rest("openFinal", "final", None, ("final_open", "episode_open", "not_two_left"))
    dialog = Dialog("Open the final", "trophy")

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return scheduling.open_final(season, by)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls()


class SetMatch(SeasonAct, frozen=True):
    """An act that sets matches with the same settings and different players."""

    settles = True

    settings: MatchSettings

    @property
    def game(self) -> str:
        """The game's slug."""
        return self.settings.game


class SetDuel(SetMatch, frozen=True):
    """Set a match whose players are known."""

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(_settings(game)) for game in season.options.pool)


class SetDeathMatch(SetDuel, frozen=True):
    """Set EC (seat 0) against DMO (seat 1): for organisers and hosts. The match is opened with both seated."""

    name = "death-match"
    dialog = Dialog("Set the death match", "playing_cards")

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return scheduling.schedule_death_match(season, by, self.settings)


class SetFinalMatch(SetDuel, frozen=True):
    """Set the final's next match, of a game that wasn't played in it: for organisers and hosts. The loser of the
    previous match has the priority seat."""

    name = "final-match"
    dialog = Dialog("Set the final's next match", "playing_cards")

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return scheduling.schedule_final_match(season, by, self.settings)


class SetTable(SetMatch, frozen=True):
    """Set a table of the main match: for organisers and hosts. Its match is opened with these players seated."""

    name = "table"
    dialog = Dialog("Set a table", "table_restaurant")

    players: PlayerIds
    priority: int = 0

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return scheduling.schedule_table(season, by, self.settings, self.players, self.priority)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(_of_table(season, season.options.pool[0]), pair) for pair in _pairs(season))


class SetTables(SetMatch, frozen=True):
    """Set all tables of the main match by hand: for organisers and hosts. `matches` are their ids, `seating` each
    table's players by seat, the first of whom holds the priority."""

    name = "tables"
    dialog = Dialog("Seat the tables", "table_bar")

    matches: tuple[MatchId, ...]
    seating: Seating

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return tables.set_tables(season, by, self.settings, self.matches, self.seating)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(_of_table(season, season.options.pool[0]), (NOBODY,), (pair,)) for pair in _pairs(season))


class DrawTables(SetMatch, frozen=True):
    """Draw the players without a seat from the season's chance, to the free places of tables of these sizes, by default
    as equal as possible: for organisers and hosts. `seated` are the players who were seated by hand."""

    name = "draw-tables"
    dialog = Dialog(
        "Draw the tables", "casino",
        "From the season's own chance; everyone can check the draw. Nothing shows it before it is in the record.",
    )  # fmt: skip

    matches: tuple[MatchId, ...]
    seated: Seating
    sizes: tuple[int, ...] | None = None

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return tables.request_seating(season, by, self.settings, self.matches, self.seated, self.sizes)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return everybody at as few tables as each game allows."""
        for game, rules in catalogue.items():
            count = max(1, -(-len(season.living) // rules.seats.max))
            ids = tuple(f"{NOBODY} {it}" for it in range(count))
            yield cls(_of_table(season, game, ""), ids, ((),) * count)


def _settings(game: str, match: str = NOBODY) -> MatchSettings:
    return MatchSettings(match=match, game=game, options={})


def _of_table(season: Season, game: str, match: str = NOBODY) -> MatchSettings:
    """Return the settings of a table whose result follows the same rules as those of the tables that are set."""
    return replace(_settings(game, match), results=next((it.results for it in _set_up(season)), None))


def _set_up(season: Season) -> list[SeasonMatch]:
    tables = season.of_episode(season.episode.number, "main") if season.episode else []
    return [it for it in tables if it.status != "annulled"]


def _pairs(season: Season) -> Iterable[tuple[str, ...]]:
    """Return each player who sits at no table of the main match yet, beside the next one; else two who do."""
    living = season.living
    seated = {player for table in _set_up(season) for player in table.players}
    free = [player for player in living if player not in seated]
    return pairwise([*free, free[0]]) if len(free) >= DUEL else [tuple(living[:DUEL])]
