"""Whether the tables would let a substitute in: a season asks before it says yes."""

from collections.abc import Sequence
from uuid import UUID

from games.kernel import Event
from matches import hosted, table
from matches.models import Match
from matches.seasons.happenings import PlayerSubstituted
from matches.seasons.state import Season

_OVER = (Match.Status.FINISHED, Match.Status.VOID)


def refuse_unseatable(season: Season, events: Sequence[Event]) -> None:
    """Raise what a table refuses a substitute with whose leaver sits there: knows_secrets, already_seated."""
    for event in events:
        if isinstance(event, PlayerSubstituted):
            _refuse_at_tables(season, event)


def _refuse_at_tables(season: Season, event: PlayerSubstituted) -> None:
    waiting = [UUID(it.id) for it in season.matches.values() if it.status == "scheduled" and event.leaver in it.players]
    for match_id in Match.objects.filter(id__in=waiting).exclude(status__in=_OVER).values_list("id", flat=True):
        lifecycle = table.load(match_id).lifecycle
        seat = lifecycle.seat_of(event.leaver)
        if seat is not None and not lifecycle.over:
            hosted.substitute(lifecycle, seat, event.newcomer, event.reason)
