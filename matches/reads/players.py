"""An account's results, of matches that count and whose end the reader may know."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.db.models import Count, Q
from msgspec import Struct

from events import projections
from matches.models import Account, PlayerResult
from matches.reads import selectors

LOOKED_AT = 1000
"""Runs and rivals are taken from so many of the newest matches, so that a page's cost doesn't grow with the years."""
RECENT = 20


class Tally(Struct, frozen=True):
    """The numbers of matches of a game that were played and won."""

    game: str
    played: int
    won: int


class Rival(Struct, frozen=True):
    """Another account at the same tables: how often they `met`, and how often each of the two won."""

    account: UUID
    met: int
    won: int
    lost: int

    @property
    def standing(self) -> str:
        """`ahead` or `behind` if this account has won more or less often than the rival, else ""."""
        return "ahead" if self.won > self.lost else "behind" if self.won < self.lost else ""


class Run(Struct, frozen=True):
    """Consecutive wins, and when the last of them ended; None without any."""

    length: int = 0
    ended: datetime | None = None


class Career(Struct, frozen=True):
    """Results of an account. `recent` are the newest, newest first, True if won. Runs and rivals, the most frequent
    first, are of the newest `LOOKED_AT` matches; `is_cut` if there are more."""

    tallies: list[Tally]
    recent: list[bool]
    run: int
    longest: Run
    rivals: list[Rival]
    is_cut: bool

    @property
    def played(self) -> int:
        return sum(it.played for it in self.tallies)

    @property
    def won(self) -> int:
        return sum(it.won for it in self.tallies)

    def against(self, account: UUID) -> Rival | None:
        return next((it for it in self.rivals if it.account == account), None)


def career_of(account_id: UUID, reader: Account) -> Career:
    """Return the account's results, as far as the reader may know them."""
    record = selectors.record_of(account_id, reader)
    counted = record.values_list("game").annotate(played=Count("id"), wins=Count("id", filter=Q(won=True)))
    newest = record.order_by("-finished_at", "-id").values_list("match_id", "won", "finished_at")
    results = list(newest[: LOOKED_AT + 1])
    is_cut, results = len(results) > LOOKED_AT, results[:LOOKED_AT]
    runs = [
        Run(len(matches), matches[0][1])
        for won, group in groupby(((won, ended) for _, won, ended in results), key=lambda it: it[0])
        if won and (matches := list(group))
    ]
    return Career(
        tallies=[Tally(game, played, won) for game, played, won in sorted(counted)],
        recent=[won for _, won, _ in results[:RECENT]],
        run=runs[0].length if results and results[0][1] else 0,
        longest=max(runs, key=lambda it: it.length, default=Run()),
        rivals=_rivals(account_id, [(match_id, won) for match_id, won, _ in results]),
        is_cut=is_cut,
    )


def _rivals(account_id: UUID, results: Sequence[tuple[UUID, bool]]) -> list[Rival]:
    """Return all other players at these matches, the most frequent first."""
    own = dict(results)
    others = PlayerResult.objects.filter(generation=projections.generation("results"), match_id__in=list(own))
    met, won, lost = Counter[UUID](), Counter[UUID](), Counter[UUID]()
    for match_id, account, has_won in others.exclude(account_id=account_id).values_list(
        "match_id", "account_id", "won"
    ):
        met[account] += 1
        won[account] += own[match_id] and not has_won
        lost[account] += has_won and not own[match_id]
    return [Rival(it, met[it], won[it], lost[it]) for it in sorted(met, key=lambda it: (-met[it], it))]
