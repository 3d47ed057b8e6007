"""A match as a card in a list: its players, its state, and whether it waits for the reader."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext
from msgspec import Struct

from events import store
from games.drawing.headlines import FIRST_NAMED, MOST_NAMED
from games.kernel import SPECTATOR
from matches.html.name_lists import shortened
from matches.models import Account, Match
from matches.publishing import presence
from matches.publishing.presence import Present
from matches.reads import feed, selectors
from matches.reads.sentences import portrait_of, short_names_of
from matches.reads.titles import title_of

_LIVE = (Match.Status.RUNNING, Match.Status.PAUSED)


class Player(Struct, frozen=True):
    """The player of a seat; `name` and `portrait` are empty without one."""

    seat: int
    name: str
    portrait: str
    is_reader: bool
    won: bool


class Card(Struct, frozen=True):
    """A match in a list.

    `headline` is the state of a match under way; `starts_at` is when a waiting one begins by itself; `falls_at` is set
    for its players while it waits for them, and `told_at` is the instant at which that was true; `watchers` counts the
    people who watch it now. `is_invited` is True if the reader has yet to accept a seat of it.
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
        """The URL of the match's table as a picture, as the reader sees it; empty before play."""
        return f"/m/{self.code}/table.svg?v={self.version}" if self.status in _LIVE else ""

    @property
    def first_players(self) -> list[Player]:
        """The players that the card names: all, or of many the reader and the first of the others."""
        if len(self.players) <= MOST_NAMED:
            return self.players
        return sorted(self.players, key=lambda player: not player.is_reader)[:FIRST_NAMED]

    @property
    def unnamed(self) -> int:
        """The number of the others."""
        return len(self.players) - len(self.first_players)

    @property
    def others(self) -> list[Player]:
        """The players besides the reader."""
        return [player for player in self.players if not player.is_reader]

    @property
    def other_faces(self) -> list[Player]:
        """Those whose portraits have room beside the text."""
        return self.others if len(self.players) <= MOST_NAMED else self.others[:2]

    @property
    def other_names(self) -> list[str]:
        """Their names; a seat without a player is open."""
        return shortened([player.name or gettext("an open seat") for player in self.others])

    @property
    def address(self) -> str:
        """The URL of the match's page: before the start, of its seats."""
        return f"/m/{self.code}/seats" if self.status == "waiting" else f"/m/{self.code}/"

    @property
    def reader_won(self) -> bool | None:
        """The reader's result; None if the match isn't over, or not theirs."""
        if not self.has_winner:
            return None
        return next((player.won for player in self.players if player.is_reader), None)


def cards(matches: Iterable[Match] | QuerySet[Match], reader: Account | None, *statuses: str) -> list[Card]:
    """Return the matches as cards, in their order, as this reader may see them; of these statuses, or of all."""
    visible = selectors.visible_to(matches, reader.id if reader else None, *statuses)
    winners = selectors.winners_of([match.id for match in visible if match.finished_at])
    here = presence.among([match.id for match in visible if match.status in _LIVE])
    at = store.clock() if reader and any(reader.id in match.needs for match in visible) else None
    return [
        _card(match, reader, winners.get(match.id, frozenset()), here.get(match.id, Present()).watchers, at)
        for match in visible
    ]


def _card(
    match: Match, reader: Account | None, winners: Iterable[int], watchers: int, told_at: datetime | None
) -> Card:
    me = reader.id if reader else None
    players = [_player(seat, me, winners) for seat in sorted(match.seats.all(), key=lambda seat: seat.number)]
    needs_reader = me in match.needs
    return Card(
        code=match.code,
        title=title_of(match),
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
