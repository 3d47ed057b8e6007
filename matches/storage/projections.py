"""Projection of the results of finished matches, per player."""

from collections.abc import Sequence
from uuid import UUID

from events.records import Recorded
from games.kernel import SPECTATOR
from matches.domain.events import BOT
from matches.domain.lifecycle import Lifecycle
from matches.models import PlayerResult
from matches.storage import repository


class Results:
    """One row for each player of a finished match, deleted if the match is played on. `counts` is the lifecycle's; with
    an option for approval, it becomes true when a host approves the result."""

    name = "results"
    types = frozenset({"match_finished", "match_rewound", "result_approved"})

    def apply(self, generation: int, stream: UUID, events: Sequence[Recorded]) -> None:
        """Insert rows for a finished match, delete them when it is rewound, and update `counts` when it is approved."""
        for row in events:
            if row.type == "match_finished":
                self._finish(generation, stream, row)
            elif row.type == "match_rewound":
                # Only a finished match has rows; a rewind reopens it.
                PlayerResult.objects.filter(generation=generation, match_id=stream).delete()
            elif row.type == "result_approved":
                self._approve(generation, stream, row)

    def clear(self, generation: int) -> None:
        PlayerResult.objects.filter(generation=generation).delete()

    def _finish(self, generation: int, stream: UUID, row: Recorded) -> None:
        lifecycle = _lifecycle(stream, row)
        outcome = lifecycle.outcome
        if outcome is None:
            return
        PlayerResult.objects.bulk_create(
            (
                PlayerResult(
                    generation=generation,
                    match_id=stream,
                    account_id=player,
                    seat=seat,
                    game=lifecycle.opened.game,
                    won=seat in outcome.winners,
                    reason=outcome.reason,
                    finished_at=row.at,
                    counts=lifecycle.counts,
                )
                for seat, player in enumerate(lifecycle.players)
                if player not in (None, BOT)
            ),
            ignore_conflicts=True,
        )

    def _approve(self, generation: int, stream: UUID, row: Recorded) -> None:
        """Update `counts`. Approvals in a season's stream have the same name, but such a stream has no rows."""
        rows = PlayerResult.objects.filter(generation=generation, match_id=stream)
        if rows.exists():
            rows.update(counts=_lifecycle(stream, row).counts)


def _lifecycle(stream: UUID, row: Recorded) -> Lifecycle:
    return repository.load(stream, SPECTATOR, upto=row.version).lifecycle


RESULTS = Results()
