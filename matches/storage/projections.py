"""Read models that follow the log: how finished matches went for their players."""

from collections.abc import Sequence
from uuid import UUID

from events.records import Recorded
from games.kernel import SPECTATOR
from matches.domain.events import BOT
from matches.domain.lifecycle import Lifecycle
from matches.models import PlayerResult
from matches.storage import repository


class Results:
    """One row for each player of a finished match, until it is played on. Whether it counts is the lifecycle's to say;
    where a host is to approve the result, it does from then on."""

    name = "results"
    types = frozenset({"match_finished", "match_rewound", "result_approved"})

    def apply(self, generation: int, stream: UUID, events: Sequence[Recorded]) -> None:
        """Write the rows where the match has finished among these events, and let them count once they are approved."""
        for row in events:
            if row.type == "match_finished":
                self._finish(generation, stream, row)
            elif row.type == "match_rewound":
                # Only a match that had ended has rows: it is played on.
                PlayerResult.objects.filter(generation=generation, match_id=stream).delete()
            elif row.type == "result_approved":
                self._approve(generation, stream, row)

    def clear(self, generation: int) -> None:
        """Delete every row of this generation."""
        PlayerResult.objects.filter(generation=generation).delete()

    def _finish(self, generation: int, stream: UUID, row: Recorded) -> None:
        story = _story(stream, row)
        outcome = story.outcome
        if outcome is None:
            return
        PlayerResult.objects.bulk_create(
            (
                PlayerResult(
                    generation=generation,
                    match_id=stream,
                    account_id=player,
                    seat=seat,
                    game=story.opened.game,
                    won=seat in outcome.winners,
                    reason=outcome.reason,
                    finished_at=row.at,
                    counts=story.counts,
                )
                for seat, player in enumerate(story.players)
                if player not in (None, BOT)
            ),
            ignore_conflicts=True,
        )

    def _approve(self, generation: int, stream: UUID, row: Recorded) -> None:
        """A season's stream has approvals of the same name, and no rows; only a match has a story to be read."""
        rows = PlayerResult.objects.filter(generation=generation, match_id=stream)
        if rows.exists():
            rows.update(counts=_story(stream, row).counts)


def _story(stream: UUID, row: Recorded) -> Lifecycle:
    return repository.load(stream, SPECTATOR, upto=row.version).lifecycle


RESULTS = Results()
