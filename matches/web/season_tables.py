"""Tables of a season's pages: its matches and the movements of its garnets, with names in place of ids."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from games import catalogue
from matches.seasons.documents import LedgerEntry, SeasonDocument, SeasonMatchDocument

Names = Callable[[UUID | None], str]
_KINDS = {"main": "Main match", "death": "Death match", "final": "Final"}


class Fixture(Struct, frozen=True):
    """A match of the season in the schedule; its `result` is empty before its end."""

    what: str
    title: str
    players: str
    opens_at: datetime | None
    status: str
    result: str
    address: str


class Movement(Struct, frozen=True):
    """A line of the ledger."""

    version: int
    at: datetime
    giver: str
    taker: str
    amount: int
    cause: str
    reason: str
    balances: str


def matches_in(document: SeasonDocument) -> list[SeasonMatchDocument]:
    """All matches of the season, the final's last."""
    return [match for it in document.episodes for match in it.matches] + document.final.matches


def fixture(match: SeasonMatchDocument, call: Names) -> Fixture:
    """A match as the schedule tells it."""
    what = _KINDS[match.kind] if match.kind == "final" else f"{_KINDS[match.kind]}, episode {match.episode}"
    return Fixture(
        what=what,
        title=catalogue[match.game].title,
        players=(" against " if match.kind != "main" else ", ").join(call(it) for it in match.players),
        opens_at=datetime.fromisoformat(match.opens_at) if match.opens_at else None,
        status=match.status,
        result=_result(match, call),
        address=f"/m/{match.id}/",
    )


def _result(match: SeasonMatchDocument, call: Names) -> str:
    winners = [match.winner] if match.winner else match.ranking[0] if match.ranking else []
    if match.status == "annulled":
        return "Doesn't count"
    if not winners:
        return ""
    told = f"{' and '.join(map(call, winners))} won"
    if match.status != "finished":
        return told
    return f"{told}, awaits {'the main match' if match.kind == 'main' else 'approval'}"


def movement(entry: LedgerEntry, call: Names) -> Movement:
    """A movement of garnets as the ledger tells it."""
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
        cause=entry.cause,
        reason=entry.reason,
        balances=", ".join(balances),
    )
