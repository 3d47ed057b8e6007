"""The matches of a season: listing and scheduling tables, death matches and the final."""

from uuid import UUID

from django.http import HttpResponse
from msgspec.structs import replace
from rest_framework.request import Request

from games import catalogue
from games.kernel import to_json
from matches.api.season_access import (
    ACCEPTED,
    COMMAND,
    KEYED,
    SeasonView,
    carry_out,
    refusals,
    season_at,
    versioned,
)
from matches.api.season_acts import method_of
from matches.api.season_bodies import AtQuery, MainMatchTableBody, MatchBody, SeatingBody, TableBody, TryQuery
from matches.http.command_headers import idempotency_key
from matches.http.new_matches import clock_times
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.seasons import contents, services
from matches.seasons.domain import scheduling
from matches.seasons.domain.contests import CONTEST
from matches.seasons.domain.match_acts import (
    DrawTables,
    OpenFinal,
    SetDeathMatch,
    SetFinalMatch,
    SetTable,
    SetTables,
)
from matches.seasons.domain.scheduling import MatchSettings
from matches.seasons.reads import feed
from matches.seasons.reads.documents import FinalDocument, MatchList

_SETTINGS_FAULTS = ("no_such_game", "bad_options", "bad_opening_time", "no_opening_time")


class TablesView(SeasonView):
    open_to_strangers = True

    @operation("listTables", tag="Season", query=AtQuery, answers={200: MatchList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List the tables of all main matches."""
        document = feed.matches(season_at(request, season_id, query), "main")
        return versioned(request, document, document.version)

    @operation(
        "scheduleTable", tag="Season", body=TableBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "already_recorded", "not_enrolled", "not_living", "already_seated", "other_results",
            *_SETTINGS_FAULTS,
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: TableBody) -> HttpResponse:
        """Set a table of the main match: for organisers and hosts. Its match is opened with these players seated."""
        settings = _table_settings(request, season_id, query, body)
        act = SetTable(settings, tuple(map(str, body.players)), body.priority)
        return carry_out(request, season_id, query, act, body)


class SeatingsView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "seatMainMatch", tag="Season", body=SeatingBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "already_recorded", "not_enrolled", "not_living", "already_seated", "other_results",
            "bad_seating", "no_chance", *_SETTINGS_FAULTS,
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: SeatingBody) -> HttpResponse:
        """Set all tables of the main match by hand, or have them drawn from the season's chance: for organisers and
        hosts. A draw can't be tried: with `dry_run=1` the response says that it would be made, and not its result."""
        settings = _table_settings(request, season_id, query, body)
        seated = tuple(tuple(map(str, table)) for table in body.tables)
        ids = tuple(services.match_ids_of(settings.match, len(seated)))
        sizes = None if body.sizes is None else tuple(body.sizes)
        act = DrawTables(settings, ids, seated, sizes) if body.draw else SetTables(settings, ids, seated)
        return carry_out(request, season_id, query, act, body)


class DeathMatchesView(SeasonView):
    open_to_strangers = True

    @operation("listDeathMatches", tag="Season", query=AtQuery, answers={200: MatchList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List the death matches of all episodes."""
        document = feed.matches(season_at(request, season_id, query), "death")
        return versioned(request, document, document.version)

    @operation(
        "scheduleDeathMatch", tag="Season", body=MatchBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "no_candidate", "no_opponent", "match_open", "game_not_in_pool", "game_banned",
            *_SETTINGS_FAULTS,
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: MatchBody) -> HttpResponse:
        """Set EC (seat 0) against DMO (seat 1): for organisers and hosts. The match is opened with both seated."""
        act = SetDeathMatch(_settings(request, season_id, query, body))
        return carry_out(request, season_id, query, act, body)


class FinalView(SeasonView):
    open_to_strangers = True

    @operation("readFinal", tag="Season", query=AtQuery, answers={200: FinalDocument, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """Return the final. Its players are null before it is opened."""
        document = feed.final(season_at(request, season_id, query))
        return versioned(request, document, document.version)

    post = method_of(OpenFinal)


class FinalMatchesView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "scheduleFinalMatch", tag="Season", body=MatchBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_final", "match_open", "game_not_in_pool", "game_banned", "game_played", *_SETTINGS_FAULTS
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: MatchBody) -> HttpResponse:
        """Set the final's next match, of a game not yet played in it: for organisers and hosts. The loser of the
        previous match gets the priority seat."""
        act = SetFinalMatch(_settings(request, season_id, query, body))
        return carry_out(request, season_id, query, act, body)


def _table_settings(request: Request, season_id: UUID, query: TryQuery, body: MainMatchTableBody) -> MatchSettings:
    """Return the settings of a main match's tables, with the content of the contest. Raise Problem, Illegal."""
    if body.contest is None:
        return replace(_settings(request, season_id, query, body), results=body.results)
    if body.game != CONTEST or "content" in body.options:
        raise Problem("bad_options", "Name a contest for the game contest only, and without a content in its options.")
    content, played = contents.look_up(body.contest, request.user)
    options = {**body.options, "content": to_json(content)}
    settings = _settings(request, season_id, query, replace(body, options=options))
    return replace(settings, contest=played, results=body.results)


def _settings(request: Request, season_id: UUID, query: TryQuery, body: MatchBody) -> MatchSettings:
    """Return the match's settings; its id is derived from the request's key. Raise Problem, Illegal."""
    if body.game not in catalogue:
        raise Problem("no_such_game", f"The games are {', '.join(sorted(catalogue))}.")
    key = "a dry run" if query.dry_run else idempotency_key(request)
    return MatchSettings(
        match=str(services.match_id_of(season_id, request.user, key)),
        game=body.game,
        options=body.options,
        clocks=clock_times(body.game, body.options, body.clocks),
        opens_at=scheduling.opening_time(body.opens_at or None),
        untimed=body.opens_at is None,
        setup_closes=body.setup_closes,
    )
