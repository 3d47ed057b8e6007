"""The ledger on a season's pages, with names in place of ids."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from matches.seasons.reads.documents import LedgerEntry

Names = Callable[[UUID | None], str]
"""Returns the name of an account, or of the season for None."""


class Movement(Struct, frozen=True):
    """A movement of garnets; `balances` is a text with the balances of both accounts after it."""

    version: int
    at: datetime
    giver: str
    taker: str
    amount: int
    cause: str
    reason: str
    balances: str


def movement(entry: LedgerEntry, name_of: Names) -> Movement:
    balances = [
        f"{name_of(account)} {balance}"
        for account, balance in ((entry.source, entry.source_balance), (entry.target, entry.target_balance))
        if account is not None
    ]
    return Movement(
        version=entry.version,
        at=entry.at,
        giver=name_of(entry.source),
        taker=name_of(entry.target),
        amount=entry.amount,
        cause=entry.cause_shown,
        reason=entry.reason,
        balances=", ".join(balances),
    )
