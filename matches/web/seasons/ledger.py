"""The ledger on a season's pages, with names in place of ids."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from matches.seasons.reads.documents import LedgerEntry

Names = Callable[[UUID | None], str]


class Movement(Struct, frozen=True):
    version: int
    at: datetime
    giver: str
    taker: str
    amount: int
    cause: str
    reason: str
    balances: str


def movement(entry: LedgerEntry, call: Names) -> Movement:
    balances = [
        f"{call(account)} {balance}"
        for account, balance in ((entry.source, entry.source_balance), (entry.target, entry.target_balance))
        if account is not None
    ]
    return Movement(
        version=entry.version,
        at=entry.at,
        giver=call(entry.source),
        taker=call(entry.target),
        amount=entry.amount,
        cause=entry.cause_shown,
        reason=entry.reason,
        balances=", ".join(balances),
    )
