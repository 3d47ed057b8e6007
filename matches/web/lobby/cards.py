"""A match as a card in a list: who plays, how it stands, whether it waits for the reader."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from msgspec import Struct

from events import store
from games import catalogue
from games.kernel import SPECTATOR
from matches.models import Account, Match
from matches.publishing import presence
from matches.publishing.presence import Present
from matches.reads import feed, selectors
from matches.reads.sentences import portrait_of, short_names_of

_LIVE = (Match.Status.RUNNING, Match.Status.PAUSED)


class Player(Struct, frozen=True):
    """Who sits at a seat; `name` and `portrait` are empty where nobody does."""

    seat: int
    name: str
    portrait: str
    is_reader: bool
    won: bool


class Card(Struct, frozen=True):
    """A match in a list.

    `headline` says where one under way stands; `starts_at` is when one that waits begins by itself; `falls_at` is told
    to those who sit at it, while it waits for them, and `told_at` is the instant at which that was so; `watchers` are
    the people who watch it now. `is_invited` tells that the reader has yet to accept a seat of it.
    """

    code: str
    title: str
    headline: str
    status: str
    version: int
    players: list[Player]
    needs_reader: bool
    is_invited: bool
    has_reader: bool
    has_winner: bool
    opened_at: datetime
    changed_at: datetime
    starts_at: datetime | None
    finished_at: datetime | None
    falls_at: datetime | None
    told_at: datetime | None
    watchers: int

    @property
    def picture(self) -> str:
        """The match's table as a picture, as the reader knows it; empty where none is set up."""
        return f"/m/{self.code}/table.svg?v={self.version}" if self.status in _LIVE else ""

    @property
    def others(self) -> list[Player]:
        """Who sits there beside the reader."""
        return [player for player in self.players if not player.is_reader]

    @property
    def address(self) -> str:
        """The match's page: before the start, the one where its table is set."""
        return f"/m/{self.code}/seats" if self.status == "waiting" else f"/m/{self.code}/"

    @property
    def reader_won(self) -> bool | None:
        """How it went for the reader; None where it isn't over, or not theirs."""
        if not self.has_winner:
            return None
        return next((player.won for player in self.players if player.is_reader), None)


def cards(matches: Iterable[Match] | QuerySet[Match], reader: Account | None, *statuses: str) -> list[Card]:
    """The matches as cards, in their order, as this reader may know them; of these statuses, or of all."""
    found = selectors.visible_to(matches, reader.id if reader else None, *statuses)
    winners = selectors.winners_of([match.id for match in found if match.finished_at])
    here = presence.among([match.id for match in found if match.status in _LIVE])
    at = store.clock() if reader and any(reader.id in match.needs for match in found) else None
    return [
        _card(match, reader, winners.get(match.id, frozenset()), here.get(match.id, Present()).watchers, at)
        for match in found
    ]


def _card(
    match: Match, reader: Account | None, winners: Iterable[int], watchers: int, told_at: datetime | None
) -> Card:
    me = reader.id if reader else None
    players = [_player(seat, me, winners) for seat in sorted(match.seats.all(), key=lambda seat: seat.number)]
    needs_reader = me in match.needs
    return Card(
        code=match.code,
        title=catalogue[match.game].title,
        headline=_headline(match, players) if match.status in _LIVE else "",
        status=match.status,
        version=match.version,
        players=players,
        needs_reader=needs_reader,
        is_invited=match.finished_at is None and any(_is_invited(seat, me) for seat in match.seats.all()),
        has_reader=any(player.is_reader for player in players),
        has_winner=bool(winners),
        opened_at=match.opened_at,
        changed_at=match.changed_at,
        starts_at=match.starts_at if match.status == Match.Status.WAITING else None,
        finished_at=match.finished_at,
        falls_at=match.deadline.falls_at if needs_reader and hasattr(match, "deadline") else None,
        told_at=told_at,
        watchers=watchers,
    )


def _headline(match: Match, players: list[Player]) -> str:
    witness = next((player.seat for player in players if player.is_reader), SPECTATOR)
    return feed.headline(match, witness, short_names_of(match))


def _is_invited(seat: Any, me: UUID | None) -> bool:
    return me is not None and seat.account_id == me and seat.awaited


def _player(seat: Any, me: UUID | None, winners: Iterable[int]) -> Player:
    name = "Bot" if seat.is_bot else seat.account.username if seat.account else ""
    is_reader = me is not None and seat.account_id == me
    return Player(seat.number, name, portrait_of(seat), is_reader, seat.number in winners)
