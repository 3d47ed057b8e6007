"""A match as a card in a list: who plays, how it stands, whether it waits for the reader."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from msgspec import Struct

from games import catalogue
from matches import feed, selectors
from matches.models import Account, Match

LONGEST_DELAY = timedelta(hours=1)
"""How late spectators are told at most."""


class Player(Struct, frozen=True):
    """Who sits at a seat; `name` is empty where nobody does."""

    seat: int
    name: str
    is_reader: bool
    won: bool


class Card(Struct, frozen=True):
    """A match in a list. `falls_at` is told to those who sit at it, while it waits for them."""

    code: str
    title: str
    status: str
    players: list[Player]
    needs_reader: bool
    has_reader: bool
    has_winner: bool
    opened_at: datetime
    changed_at: datetime
    finished_at: datetime | None
    falls_at: datetime | None

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


def cards(matches: Iterable[Match] | QuerySet[Match], reader: Account | None) -> list[Card]:
    """The matches as cards, in their order."""
    found = list(matches)
    ended = [match.id for match in found if match.finished_at and not _is_news(match, reader)]
    winners = selectors.winners_of(ended)
    return [_card(match, reader, match.id in ended, winners.get(match.id, frozenset())) for match in found]


def _is_news(match: Match, reader: Account | None) -> bool:
    """Whether the match has ended, but this reader watches it with a delay that isn't over."""
    me = reader.id if reader else None
    if timezone.now() - match.finished_at > LONGEST_DELAY or any(seat.account_id == me for seat in match.seats.all()):
        return False
    return not feed.story(match.id, str(me) if me else None).over


def _card(match: Match, reader: Account | None, has_ended: bool, winners: Iterable[int]) -> Card:
    me = reader.id if reader else None
    players = [_player(seat, me, winners) for seat in sorted(match.seats.all(), key=lambda seat: seat.number)]
    needs_reader = me in match.needs
    return Card(
        code=match.code,
        title=catalogue[match.game].title,
        status=match.status if has_ended or not match.finished_at else Match.Status.RUNNING,
        players=players,
        needs_reader=needs_reader,
        has_reader=any(player.is_reader for player in players),
        has_winner=bool(winners),
        opened_at=match.opened_at,
        changed_at=match.changed_at if has_ended or not match.finished_at else match.opened_at,
        finished_at=match.finished_at if has_ended else None,
        falls_at=match.deadline.falls_at if needs_reader and hasattr(match, "deadline") else None,
    )


def _player(seat: Any, me: UUID | None, winners: Iterable[int]) -> Player:
    name = "Bot" if seat.is_bot else seat.account.username if seat.account else ""
    return Player(seat.number, name, me is not None and seat.account_id == me, seat.number in winners)
