"""The calls of an account: which matches need it, told once each as they come to need it."""

from collections.abc import Collection
from uuid import UUID

import msgspec

from matches.models import Account
from matches.reads import selectors
from matches.reads.documents import CallDocument, MatchCard
from matches.realtime.connections import Connection


def waiting_for(accounts: Collection[UUID]) -> dict[UUID, dict[UUID, str]]:
    """For each account the matches that need it, as lines of a stream."""
    return {
        account.id: {card.id: line(card) for card in selectors.cards_that_need(account)}
        for account in Account.objects.filter(id__in=accounts)
    }


def line(card: MatchCard) -> str:
    """One call."""
    return msgspec.json.encode(CallDocument(card)).decode()


class TurnAlerts:
    """One stream of calls: what it has been told, and what it hasn't."""

    def __init__(self, connection: Connection, told: Collection[UUID]) -> None:
        self.connection = connection
        self._told = set(told)
        self._lines: dict[UUID, str] = {}

    def hear(self, lines: dict[UUID, str]) -> None:
        """The matches that need the account now; one that has stopped to need it may call again."""
        self._told &= lines.keys()
        self._lines = {match_id: text for match_id, text in lines.items() if match_id not in self._told}
        if self._lines:
            self.connection.wake()

    def called_again(self, match_id: UUID) -> None:
        """A match that has moved needs the account anew."""
        self._told.discard(match_id)

    def take(self) -> list[str]:
        """What is to be told now."""
        lines, self._lines = self._lines, {}
        self._told |= lines.keys()
        return list(lines.values())
