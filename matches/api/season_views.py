"""Seasons, their staff and their players."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.kernel import to_json
from games.kernel.wire import read_strictly
from matches.api.season_access import (
    KEYED,
    READ,
    SeasonView,
    in_tables,
    season_at,
    tabular,
    under_key,
    versioned,
    visible_season,
)
from matches.api.season_acts import method_of
from matches.api.season_bodies import (
    AtQuery,
    SeasonBody,
    SeasonsQuery,
)
from matches.http.command_headers import idempotency_key
from matches.http.operations import operation
from matches.http.paging import page
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.seasons import repository, services
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.roster_acts import Appoint, Enrol
from matches.seasons.reads import feed, listing, selectors, tables
from matches.seasons.reads.documents import (
    SeasonAccepted,
    SeasonDocument,
    SeasonPage,
    StaffList,
    Standings,
    TenureDocument,
)


class SeasonsView(SeasonView):
    open_to_strangers = True

    @operation("listSeasons", tag="Season", query=SeasonsQuery, answers={200: SeasonPage})
    def get(self, request: Request, query: SeasonsQuery) -> HttpResponse:
        """List the seasons that the caller may see, newest first. Without an account these are the public ones; only
        finished ones can then be read."""
        visible = selectors.seasons_for(request.user, status=query.status, player=query.player)
        seasons, following = page(visible, query.cursor, query.limit)
        return answer(SeasonPage(listing.cards(seasons, request.user), following))

    @operation(
        "openSeason", tag="Season", body=SeasonBody, headers=KEYED[:1], answers={201: SeasonAccepted},
        problems=("forbidden", "bad_options", "no_such_season", "idempotency_key_missing", "idempotency_key_reused"),
    )  # fmt: skip
    def post(self, request: Request, body: SeasonBody) -> HttpResponse:
        """Open a season: for organisers of the service. The header `Location` contains its URL."""
        season_id, accepted = services.open_season(
            by=request.user,
            title=body.title,
            options=lambda: _options(request, body),
            key=idempotency_key(request),
            fingerprint=services.fingerprint_of(request.path, body),
            template=body.template,
        )
        return under_key(accepted, Location=f"/api/v1/seasons/{season_id}")


class OneSeasonView(SeasonView):
    open_to_strangers = True

    @operation("readSeason", tag="Season", query=AtQuery, answers={200: SeasonDocument, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """Read the whole season at a version."""
        row = visible_season(request, season_id)
        document = feed.season(row, request.user and selectors.role_in(request.user, season_id), query.at)
        return versioned(request, document, document.version)


class StaffView(SeasonView):
    open_to_strangers = True

    @operation("listStaff", tag="Season", query=AtQuery, answers={200: StaffList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List the season's organisers, hosts and auditors."""
        document = feed.staff(season_at(request, season_id, query))
        return versioned(request, document, document.version)

    post = method_of(Appoint)


class PlayersView(SeasonView):
    open_to_strangers = True

    @operation("listPlayers", tag="Season", query=AtQuery, answers=in_tables(Standings),
               problems=("too_many_rows",))  # fmt: skip
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List all players and former players: the standings. `Accept: text/csv`, or the type of XLSX, makes it a table
        for spreadsheets."""
        document = feed.standings(season_at(request, season_id, query))
        return tabular(request, season_id, document, document.version, lambda: tables.standings(document.results))

    post = method_of(Enrol)


class PlayerView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readPlayer", tag="Season", query=AtQuery, answers={200: TenureDocument, 304: None})
    def get(self, request: Request, season_id: UUID, player: UUID, query: AtQuery) -> HttpResponse:
        """Read a player's standing, matches and movements of garnets."""
        document = feed.tenure(visible_season(request, season_id).id, player, query.at)
        if document is None:
            raise Problem("not_found", "No player has this id, or none had it at that version.")
        return versioned(request, document, document.version)


def _options(request: Request, body: SeasonBody) -> SeasonOptions:
    """Return the requested options, completed by those of the template; raise Problem, Illegal."""
    copied: dict[str, Any] = {}
    if body.template is not None:
        if selectors.season_for(request.user, body.template) is None:
            raise Problem("no_such_season")
        copied = to_json(repository.load(body.template).options)
    return read_strictly({**copied, **body.options}, SeasonOptions, "bad_options")
