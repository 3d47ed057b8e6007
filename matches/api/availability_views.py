"""The availability of a season's players, and the times of its matches."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from events import store
from matches.api.season_access import PLAY, READ, SeasonView, visible_season
from matches.api.season_bodies import AvailabilityBody, MatchTimesQuery
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.seasons import availability, repository, services
from matches.seasons.domain import availability as rules
from matches.seasons.domain import scheduling
from matches.seasons.domain.deciding import Caller, match_of
from matches.seasons.domain.state import Season
from matches.seasons.reads import availability as availability_reads
from matches.seasons.reads.availability import AvailabilityDocument, AvailabilityList, MatchTimesDocument

_OF_OFFICIALS = ("forbidden", "plays_here", "record_broken")


class AvailabilitiesView(SeasonView):
    @operation("listAvailability", tag="Season", answers={200: AvailabilityList}, problems=_OF_OFFICIALS)
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """List when the living players say that they can play: for the season's organisers, hosts and auditors."""
        season, by = _before(request, season_id)
        rules.refuse_to_read(by)
        return answer(availability_reads.listed(season_id, season))


class AvailabilityView(SeasonView):
    scopes = {"GET": READ, "PUT": PLAY}

    @operation(
        "readAvailability", tag="Season", answers={200: AvailabilityDocument},
        problems=(*_OF_OFFICIALS, "not_enrolled"),
    )  # fmt: skip
    def get(self, request: Request, season_id: UUID, player: UUID) -> HttpResponse:
        """Return when a player says that they can play: for the player, and the season's organisers, hosts and
        auditors."""
        season, by = _before(request, season_id)
        rules.refuse_to_read(by, str(player))
        if str(player) not in season.players:
            raise Problem("not_enrolled", "No such player is in this season.")
        return answer(availability_reads.document(player, availability_reads.said_by(season_id, player)))

    @operation(
        "sayAvailability", tag="Season", body=AvailabilityBody, answers={200: AvailabilityDocument},
        problems=(
            "forbidden", "not_living", "season_over", "no_such_time_zone", "bad_availability", "record_broken",
        ),
    )  # fmt: skip
    def put(self, request: Request, season_id: UUID, player: UUID, body: AvailabilityBody) -> HttpResponse:
        """Say when you can play, in place of what you have said before: only for the player. It is advice for those who
        set times, and in no record; an empty one withdraws it."""
        season, by = _before(request, season_id)
        rules.refuse_to_say(season, by, str(player))
        said = rules.Availability(
            body.zone,
            tuple(rules.window(it.since, it.until, it.can) for it in body.windows),
            tuple(rules.WeeklyHours(it.day, it.since, it.until) for it in body.weekly),
        )
        stored = availability.say(season_id=season_id, season=season, by=by, said=said)
        return answer(availability_reads.document(player, stored))


class MatchTimesView(SeasonView):
    @operation(
        "readMatchTimes", tag="Season", query=MatchTimesQuery, answers={200: MatchTimesDocument},
        problems=(*_OF_OFFICIALS, "not_in_season", "bad_opening_time"),
    )  # fmt: skip
    def get(self, request: Request, season_id: UUID, match: UUID, query: MatchTimesQuery) -> HttpResponse:
        """Compare a match's time, the proposed ones, and `at` another one, with when its players can play; also suggest
        times that suit them: for the season's organisers, hosts and auditors."""
        season, by = _before(request, season_id)
        rules.refuse_to_read(by)
        match_of(season, str(match))
        now = store.clock()
        if query.at is not None:
            scheduling.refuse_untimely_opening(query.at, now)
        return answer(availability_reads.times_of_match(season_id, season, str(match), now, query.at))


def _before(request: Request, season_id: UUID) -> tuple[Season, Caller]:
    """Return the season and the caller's rights in it; raise Problem."""
    season = repository.load(visible_season(request, season_id).id)
    return season, services.caller(season_id, season, request.user)
