"""A player's matches that are still to come: when they are, what is proposed for them, and whether one is there."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from msgspec import Struct

from games import catalogue
from matches.html.moments import MomentField
from matches.http.problems import Problem
from matches.models import Match
from matches.seasons.domain import appointments, attendance
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.reads.story import NOBODY
from matches.web.seasons.foreseeing import Foresee

TIMES = ("first", "second", "third")
"""The fields of the times that one proposes."""


class ProposedTime(Struct, frozen=True):
    """A time that somebody proposes: the value to accept it by, who can play then, whether the reader can, and what it
    brings to accept it."""

    value: str
    at: datetime
    who: str
    mine: bool
    foreseen: dict[str, Any] | None


class Appointment(Struct, frozen=True):
    """A match that hasn't begun. `check_in` is what it brings that the reader checks in, None where they can't now;
    `there` is whether they have."""

    match: str
    title: str
    others: str
    opens_at: datetime | None
    setup_from: datetime | None
    setup_until: datetime | None
    proposed: list[ProposedTime]
    check_in_from: datetime | None
    check_in: dict[str, Any] | None
    there: bool


def appointments_of(
    season: Season, player: str, names: dict[str, str], now: datetime, foresee: Foresee
) -> list[Appointment]:
    """The player's matches that are still to come."""
    waiting = [it for it in season.matches.values() if it.status == "scheduled" and player in it.players]
    begun = Match.objects.filter(id__in=[it.id for it in waiting]).exclude(status=Match.Status.WAITING)
    known = set(begun.values_list("id", flat=True))
    return [_appointment(season, it, player, names, now, foresee) for it in waiting if UUID(it.id) not in known]


def typed_times(data: dict[str, str], zone: str) -> list[str]:
    """The times that were proposed, by the reader's clock; raises Problem."""
    field = MomentField(required=False)
    field.in_zone(zone)
    try:
        return [told for name in TIMES if (told := field.clean(data.get(name, "")))]
    except ValidationError as refused:
        raise Problem("malformed", f"{refused.messages[0]} Write a date and a time, as 2030-01-31 18:00.") from None


def _appointment(
    season: Season, match: SeasonMatch, player: str, names: dict[str, str], now: datetime, foresee: Foresee
) -> Appointment:
    there = attendance.check_in_of(season, match.id)
    opens = attendance.opens(season, match)
    may_check_in = opens is not None and opens <= now and player not in there.present and not there.ruling
    times = appointments.times_of(season, match.id)
    others = [names.get(it, NOBODY) for it in match.players if it != player]
    return Appointment(
        match=match.id,
        title=catalogue[match.game].title,
        others=", ".join(others),
        opens_at=datetime.fromisoformat(match.opens_at) if match.opens_at else None,
        setup_from=match.begins_at if match.setup_closes_at else None,
        setup_until=match.setup_closes_at,
        proposed=[_proposed(season, match.id, time, player, names, foresee) for time in times],
        check_in_from=opens,
        check_in=foresee("check-in", match=match.id, player=player) if may_check_in else None,
        there=player in there.present,
    )


def _proposed(
    season: Season, match: str, time: str, player: str, names: dict[str, str], foresee: Foresee
) -> ProposedTime:
    can = appointments.willing(season, match, time)
    by = {made.by for made in season.timing.proposals.get(match, ()) if time in made.times}
    who = [names.get(it, NOBODY) for it in dict.fromkeys([*by, *can]) if it != player]
    mine = player in can
    foreseen = None if mine else foresee("accept-time", match=match, opens_at=time)
    return ProposedTime(time, datetime.fromisoformat(time), ", ".join(who), mine, foreseen)
