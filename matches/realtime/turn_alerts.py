"""Turn alerts of an account: each match is sent once when it comes to need the account."""

from collections.abc import Collection
from uuid import UUID

import msgspec

from events.pipeline import array, roundtrip
from events.store import raw_connection
from matches.models import Account
from matches.reads import selectors
from matches.reads.documents.match import CallDocument, MatchCard
from matches.realtime.connections import Connection

_NEEDED_BY = """
SELECT s.account_id, m.id, m.version FROM matches_seat s JOIN matches_match m ON m.id = s.match_id
WHERE s.account_id = ANY($1::uuid[]) AND s.account_id = ANY(m.needs)
"""


def waiting_for(accounts: Collection[UUID]) -> dict[UUID, dict[UUID, str]]:
    """Return for each account the matches that need it, as lines of a stream."""
    return {
        account.id: {card.id: line(card) for card in selectors.cards_that_need(account)}
        for account in Account.objects.filter(id__in=accounts)
    }


def needed_by(accounts: Collection[UUID]) -> dict[UUID, frozenset[tuple[UUID, int]]]:
    """Return the matches that need each of these accounts, with their versions. Accounts without any are left out."""
    (rows,) = roundtrip(raw_connection(), [(_NEEDED_BY, (array(map(str, accounts)),))])
    matches: dict[UUID, set[tuple[UUID, int]]] = {}
    for account, match_id, version in rows:
        matches.setdefault(account, set()).add((match_id, version))
    return {account: frozenset(needed) for account, needed in matches.items()}


def line(card: MatchCard) -> str:
    """Return the line of one alert."""
    return msgspec.json.encode(CallDocument(card)).decode()


class TurnAlerts:
    """A stream of alerts: the matches that have been sent, and those to be sent."""

    def __init__(self, account: UUID, connection: Connection, sent: Collection[UUID]) -> None:
        self.account = account
        self.connection = connection
        self._sent = set(sent)
        self._lines: dict[UUID, str] = {}

    def update(self, lines: dict[UUID, str]) -> None:
        """Set the matches that need the account now; one that no longer does may be sent again later."""
        self._sent &= lines.keys()
        self._lines = {match_id: text for match_id, text in lines.items() if match_id not in self._sent}
        if self._lines:
            self.connection.wake()

    def mark_unsent(self, match_id: UUID) -> None:
        """Send a match again, because it has moved and needs the account anew."""
        self._sent.discard(match_id)

    def take(self) -> list[str]:
        """Return and clear the alerts to be sent."""
        lines, self._lines = self._lines, {}
        self._sent |= lines.keys()
        return list(lines.values())
