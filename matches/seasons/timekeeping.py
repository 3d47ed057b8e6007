"""Events of seasons that are due by the database's clock. Several workers may look; each event is stored once."""

from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from events import store
from events.pipeline import roundtrip
from events.store import raw_connection
from games.kernel import Event
from matches.models import Match
from matches.seasons import chance, repository
from matches.seasons.domain import attendance, occasions
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.models import Season as SeasonRow
from matches.seasons.services import record_system_event

_MOST = 100
_OVER = (Match.Status.FINISHED, Match.Status.VOID)
# Of what was appended meanwhile the append has set the time itself.
_MOVE = "UPDATE seasons_season SET wakes_at = $3 WHERE id = $1 AND version = $2"


def seasons_to_wake() -> list[UUID]:
    """Return the seasons with an overdue event, the longest overdue first and at most 100."""
    late = SeasonRow.objects.filter(wakes_at__lte=Now()).order_by("wakes_at")
    return list(late.values_list("id", flat=True)[:_MOST])


def keep_time(season_id: UUID) -> bool:
    """Append the next events that are due in a season; return True if there were any. Raise NoSuchSeason or
    BrokenRecord."""
    season = repository.load(season_id)
    occasion = occasions.due(season, store.clock())
    if occasion is None:
        roundtrip(raw_connection(), [(_MOVE, (season_id, season.version, occasions.next_at(season)))])
        return False

    def happen(now: Season) -> list[Event]:
        begun = bool(occasion.match) and _has_begun(now.matches[occasion.match])
        return list(occasions.happening(now, occasion, chance.next_link(season_id, now), begun))

    return record_system_event(season_id=season_id, key=occasion.key, decide=happen)


def _has_begun(match: SeasonMatch) -> bool:
    """True if the match has begun without waiting for its check-in, or is over. A set-up never waits for the check-in;
    play does, unless a host has started the match early, which removes its time."""
    begun = Match.objects.filter(id=match.id).exclude(status=Match.Status.WAITING)
    if attendance.precedes_play(match):
        begun = begun.filter(Q(status__in=_OVER) | Q(opens_at=None))
    return begun.exists()
