"""A player's matches to come: their times, proposed times, and the check-in."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct

from matches.models import Match
from matches.seasons.domain import appointments, attendance
from matches.seasons.domain.availability import Availability, verdict
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.domain.steps import pending_steps
from matches.seasons.domain.timing_acts import AcceptTime, CheckIn, ProposeTimes
from matches.seasons.reads.event_documents import NOBODY
from matches.web.seasons.desk_forms import ActForm, DeskForms
from matches.web.seasons.foreseeing import Foresee


class ProposedTime(Struct, frozen=True):
    """A proposed time: the value to accept it by, the others who have proposed or accepted it, and a preview of
    accepting it. `mine` is true if the reader has proposed or accepted it, `away` if their availability says that they
    can't play then."""

    value: str
    at: datetime
    who: str
    mine: bool
    away: bool
    foreseen: dict[str, Any] | None


class Appointment(Struct, frozen=True):
    """A match whose play hasn't opened; one whose set-up `has_begun` keeps its time.

    `away` is true if the reader's availability says that they can't play at its time. `check_in` is a preview of their
    check-in, None if they can't check in now; `there` is true if they have checked in. `propose` is the form for times,
    None if they can't propose any.
    """

    match: str
    title: str
    others: str
    has_begun: bool
    opens_at: datetime | None
    away: bool
    setup_from: datetime | None
    setup_until: datetime | None
    proposed: list[ProposedTime]
    check_in_from: datetime | None
    check_in_until: datetime | None
    check_in: dict[str, Any] | None
    there: bool
    propose: ActForm | None


class _Reader(NamedTuple):
    """The player who reads the desk, and their availability."""

    season: Season
    player: str
    names: dict[str, str]
    availability: Availability
    foresee: Foresee
    forms: DeskForms

    def is_away(self, time: str) -> bool:
        return verdict(self.availability, datetime.fromisoformat(time)) == "cannot"

    def names_of(self, players: Iterable[str]) -> str:
        """Return the names of these players without the reader."""
        return ", ".join(self.names.get(it, NOBODY) for it in players if it != self.player)


def appointments_of(
    season: Season,
    player: str,
    names: dict[str, str],
    now: datetime,
    availability: Availability,
    foresee: Foresee,
    forms: DeskForms,
) -> list[Appointment]:
    waiting = [it for it in season.matches.values() if it.status == "scheduled" and player in it.players]
    begun = Match.objects.filter(id__in=[it.id for it in waiting]).exclude(status=Match.Status.WAITING)
    begun_ids = set(begun.values_list("id", flat=True))
    reader = _Reader(season, player, names, availability, foresee, forms)
    return [
        _appointment(reader, it, now, has_begun=UUID(it.id) in begun_ids)
        for it in waiting
        if UUID(it.id) not in begun_ids or (attendance.precedes_play(it) and attendance.awaits(season, it))
    ]


def _appointment(reader: _Reader, match: SeasonMatch, now: datetime, *, has_begun: bool) -> Appointment:
    season, player = reader.season, reader.player
    there = attendance.check_in_of(season, match.id)
    steps = (it for it in pending_steps(season) if (it.kind, it.match) == ("check_in", match.id))
    may_check_in = any(it.since and it.since <= now and player in it.awaited_of for it in steps)
    return Appointment(
        match=match.id,
        title=match.title,
        others=reader.names_of(match.players),
        has_begun=has_begun,
        opens_at=datetime.fromisoformat(match.opens_at) if match.opens_at else None,
        away=bool(match.opens_at) and reader.is_away(str(match.opens_at)),
        setup_from=match.begins_at if match.setup_closes_at else None,
        setup_until=match.setup_closes_at,
        proposed=[_proposed(reader, match.id, time) for time in appointments.times_of(season, match.id)],
        check_in_from=attendance.opens(season, match),
        check_in_until=attendance.closes_at(season, match),
        check_in=reader.foresee(CheckIn(match.id, player)) if may_check_in else None,
        there=player in there.present,
        propose=None if has_begun else reader.forms.beside(ProposeTimes, match.id),
    )


def _proposed(reader: _Reader, match: str, time: str) -> ProposedTime:
    can = appointments.willing(reader.season, match, time)
    by = {made.by for made in reader.season.timing.proposals.get(match, ()) if time in made.times}
    mine = reader.player in can
    return ProposedTime(
        value=time,
        at=datetime.fromisoformat(time),
        who=reader.names_of(dict.fromkeys([*by, *can])),
        mine=mine,
        away=reader.is_away(time),
        foreseen=None if mine else reader.foresee(AcceptTime(match, time)),
    )
