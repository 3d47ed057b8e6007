"""Standings, ledger, rulings, schedule and events of a season."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import (
    COMMAND,
    READ,
    SeasonView,
    in_tables,
    season_at,
    tabular,
    versioned,
    visible_season,
)
from matches.api.season_acts import method_of
from matches.api.season_bodies import AtQuery, SeasonEventsQuery
from matches.domain.tables import Table
from matches.http.operations import operation
from matches.http.responses import answer
from matches.seasons import repository
from matches.seasons.domain.claim_acts import PostRuling
from matches.seasons.reads import event_documents, feed, tables
from matches.seasons.reads.documents import Ledger, MatchList, RulingList, SeasonEvents, Standings

_FILES = ("too_many_rows",)


class StandingsView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readStandings", tag="Season", query=AtQuery, answers=in_tables(Standings), problems=_FILES)
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List the standings: the living players, the richest first, then those who have left, the latest first.
        `Accept: text/csv`, or the type of XLSX, makes it a table for spreadsheets."""
        document = feed.standings(season_at(request, season_id, query))
        return tabular(request, season_id, document, document.version, lambda: tables.standings(document.results))


class LedgerView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readLedger", tag="Season", query=AtQuery, answers=in_tables(Ledger), problems=_FILES)
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List every movement of garnets with its cause and the balances after it. `Accept: text/csv`, or the type of
        XLSX, makes it a table for spreadsheets."""
        document = feed.ledger(visible_season(request, season_id).id, query.at)

        def table() -> Table:
            return tables.ledger(document.results, feed.names_in(repository.load(season_id, upto=document.version)))

        return tabular(request, season_id, document, document.version, table)


class RulingsView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ, "POST": COMMAND}

    @operation("listRulings", tag="Season", query=AtQuery, answers={200: RulingList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List the season's rulings, oldest first."""
        document = feed.rulings(visible_season(request, season_id).id, query.at)
        return versioned(request, document, document.version)

    post = method_of(PostRuling)


class ScheduleView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readSchedule", tag="Season", query=AtQuery, answers=in_tables(MatchList), problems=_FILES)
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List all matches of the season, in the order in which they were scheduled. `Accept: text/csv`, or the type of
        XLSX, makes it a table for spreadsheets."""
        state = season_at(request, season_id, query)
        document = feed.matches(state)

        def table() -> Table:
            return tables.schedule(document.results, feed.names_in(state))

        return tabular(request, season_id, document, document.version, table)


class SeasonEventsView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("listSeasonEvents", tag="Season", query=SeasonEventsQuery, answers={200: SeasonEvents})
    def get(self, request: Request, season_id: UUID, query: SeasonEventsQuery) -> HttpResponse:
        """List the season's events after a version, oldest first."""
        return answer(event_documents.events(visible_season(request, season_id).id, query.after, query.limit))
