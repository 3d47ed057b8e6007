"""Stored availability of players: one row for each player and season, outside the season's record."""

from uuid import UUID

import msgspec

from events import store
from matches.seasons.domain import availability as rules
from matches.seasons.domain.availability import Availability
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.state import Season
from matches.seasons.models import Availability as Row


def say(*, season_id: UUID, season: Season, by: Caller, said: Availability) -> Availability:
    """Store the caller's availability in place of the earlier one, and return it in order. An empty one deletes the
    row. Raise forbidden, not_living, season_over, no_such_time_zone or bad_availability."""
    rules.refuse_to_say(season, by, by.account)
    now = store.clock()
    kept = rules.checked(said, now)
    mine = {"season_id": season_id, "account_id": UUID(by.account)}
    if kept.empty:
        Row.objects.filter(**mine).delete()
    else:
        Row.objects.update_or_create(**mine, defaults={"said": msgspec.to_builtins(kept), "said_at": now})
    return kept


def forget(account_id: UUID, name: str, erased: str) -> None:
    """Delete the availability of an account that is erased, in all seasons."""
    Row.objects.filter(account_id=account_id).delete()
