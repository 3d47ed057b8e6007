"""An account's turn alerts: each match is sent once as it comes to need the account."""

from collections.abc import Collection
from uuid import UUID

import msgspec

from events.pipeline import array, roundtrip
from events.store import raw_connection
from matches.models import Account
from matches.reads import selectors
from matches.reads.documents import CallDocument, MatchCard
from matches.realtime.connections import Connection

_NEEDED_BY = """
SELECT s.account_id, m.id, m.version FROM matches_seat s JOIN matches_match m ON m.id = s.match_id
WHERE s.account_id = ANY($1::uuid[]) AND s.account_id = ANY(m.needs)
"""


def waiting_for(accounts: Collection[UUID]) -> dict[UUID, dict[UUID, str]]:
    """For each account the matches that need it, as lines of a stream."""
    return {
        account.id: {card.id: line(card) for card in selectors.cards_that_need(account)}
        for account in Account.objects.filter(id__in=accounts)
    }


def needed_by(accounts: Collection[UUID]) -> dict[UUID, frozenset[tuple[UUID, int]]]:
    """The matches that need each of these accounts, with their versions; accounts that none needs are left out."""
    (rows,) = roundtrip(raw_connection(), [(_NEEDED_BY, (array(map(str, accounts)),))])
    found: dict[UUID, set[tuple[UUID, int]]] = {}
    for account, match_id, version in rows:
        found.setdefault(account, set()).add((match_id, version))
    return {account: frozenset(needed) for account, needed in found.items()}


def line(card: MatchCard) -> str:
    """One alert."""
    return msgspec.json.encode(CallDocument(card)).decode()


class TurnAlerts:
    """One stream of alerts: the matches that were sent, and those to be sent."""

    def __init__(self, account: UUID, connection: Connection, told: Collection[UUID]) -> None:
        self.account = account
        self.connection = connection
        self._told = set(told)
        self._lines: dict[UUID, str] = {}

    def hear(self, lines: dict[UUID, str]) -> None:
        """The matches that need the account now; one that no longer does may be sent again later."""
        self._told &= lines.keys()
        self._lines = {match_id: text for match_id, text in lines.items() if match_id not in self._told}
        if self._lines:
            self.connection.wake()

    def called_again(self, match_id: UUID) -> None:
        """A match has moved and needs the account anew."""
        self._told.discard(match_id)

    def take(self) -> list[str]:
        """The alerts to be sent now."""
        lines, self._lines = self._lines, {}
        self._told |= lines.keys()
        return list(lines.values())
