"""A season's lists as tables for spreadsheets, with names in place of ids: standings, ledger, schedule, results."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from games import catalogue
from matches.domain.tables import Column, Table
from matches.seasons.reads.documents import (
    EpisodeDocument,
    LedgerEntry,
    PlaceDocument,
    SeasonMatchDocument,
    StandingDocument,
)
from matches.seasons.reads.event_documents import NOBODY

THE_SEASON = "the season"
"""The giver or receiver of garnets that come from the season or go back to it."""

Names = Mapping[str, str]
"""The names of players by account, as they are stored."""


class Result(NamedTuple):
    """The result of a player in the main match of an episode; `placed` is None where only the winners and losers are
    known."""

    episode: EpisodeDocument
    player: UUID
    placed: PlaceDocument | None
    garnets: int

    @property
    def outcome(self) -> str:
        """Return `won`, `lost` or an empty string."""
        episode = self.episode
        return "won" if self.player in episode.winners else "lost" if self.player in episode.candidates else ""


def standings(listed: Sequence[StandingDocument]) -> Table:
    """Return the standings: the living players, then those who have left."""
    names = {it.player.id: it.called for it in listed}

    def name_of(player: UUID | None) -> str | None:
        return names.get(player, NOBODY) if player else None

    columns: list[Column[StandingDocument]] = [
        Column("Player", lambda it: it.called),
        Column("Status", lambda it: it.status),
        Column("Place", lambda it: it.place, "number"),
        Column("Garnets", lambda it: it.garnets, "number"),
        Column("Tokens", lambda it: it.tokens, "number"),
        Column("Main matches won", lambda it: it.main_wins, "number"),
        Column("Duels won", lambda it: it.duels_won, "number"),
        Column("Duels lost", lambda it: it.duels_lost, "number"),
        Column("Since episode", lambda it: it.since, "number"),
        Column("Left in episode", lambda it: it.left, "number"),
        Column("Substitute for", lambda it: name_of(it.succeeds)),
        Column("Substituted by", lambda it: name_of(it.succeeded_by)),
    ]
    return Table("standings", "Standings", columns, listed)


def ledger(entries: Sequence[LedgerEntry], names: Names) -> Table:
    """Return the movements of garnets, oldest first."""

    def name_of(account: UUID | None) -> str:
        return names.get(str(account), NOBODY) if account else THE_SEASON

    columns: list[Column[LedgerEntry]] = [
        Column("Version", lambda it: it.version, "number"),
        Column("Time", lambda it: it.at, "time"),
        Column("From", lambda it: name_of(it.source)),
        Column("To", lambda it: name_of(it.target)),
        Column("Garnets", lambda it: it.amount, "number"),
        Column("Cause", lambda it: it.cause),
        Column("Reason", lambda it: it.reason),
        Column("Balance of from", lambda it: it.source_balance, "number"),
        Column("Balance of to", lambda it: it.target_balance, "number"),
        Column("Match id", lambda it: str(it.match) if it.match else None),
    ]
    return Table("ledger", "Garnet ledger", columns, entries)


def schedule(matches: Sequence[SeasonMatchDocument], names: Names) -> Table:
    """Return the matches in the order in which they were scheduled; of a substituted player, who played."""

    def named(match: SeasonMatchDocument, players: Sequence[UUID]) -> str | None:
        return ", ".join(names.get(str(match.who_played(it)), NOBODY) for it in players) or None

    columns: list[Column[SeasonMatchDocument]] = [
        Column("Episode", lambda it: it.episode or None, "number"),
        Column("Kind", lambda it: it.kind),
        Column("Game", lambda it: it.contest.title if it.contest else catalogue[it.game].title),
        Column("Players", lambda it: named(it, it.players)),
        Column("Opens", lambda it: datetime.fromisoformat(it.opens_at) if it.opens_at else None, "time"),
        Column("Set-up closes", lambda it: it.setup_closes_at, "time"),
        Column("Status", lambda it: it.status),
        Column("Winner", lambda it: named(it, [it.winner] if it.winner else it.ranking[0] if it.ranking else [])),
        Column("Loser", lambda it: named(it, [it.loser] if it.loser else [])),
        Column("Match id", lambda it: str(it.id)),
    ]
    return Table("schedule", "Schedule", columns, matches)


def results(episodes: Sequence[EpisodeDocument], garnets: Mapping[int, Mapping[str, int]], names: Names) -> Table:
    """Return the results of main matches, player by player; `garnets` are what each won or spent, by episode and
    player. `result_sheets` reads this table again."""
    columns: list[Column[Result]] = [
        Column("Episode", lambda it: it.episode.number, "number"),
        Column("Main match", lambda it: it.episode.name),
        Column("Player", lambda it: names.get(str(it.player), NOBODY)),
        Column("Match", lambda it: it.placed.match if it.placed else None),
        Column("Place", lambda it: it.placed.place if it.placed else None, "number"),
        Column("Points", lambda it: it.placed.points if it.placed else None, "number"),
        Column("Tokens", lambda it: it.episode.tokens.get(str(it.player), 0), "number"),
        Column("Garnets", lambda it: it.garnets, "number"),
        Column("Result", lambda it: it.outcome),
    ]
    rows = [row for episode in episodes for row in _results_of(episode, garnets.get(episode.number, {}))]
    return Table("results", "Results", columns, rows)


def _results_of(episode: EpisodeDocument, garnets: Mapping[str, int]) -> list[Result]:
    """Return everybody with a place, then the other winners and losers, and whose garnets changed."""
    placed = {it.player: it for it in episode.places}
    players = (*placed, *episode.winners, *episode.candidates, *map(UUID, garnets))
    return [
        Result(episode, it, placed.get(it), garnets.get(str(it), 0))
        for it in dict.fromkeys(players if episode.recorded else ())
    ]
