"""Standings, ledger, rulings, schedule and events of a season."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import COMMAND, READ, SeasonView, season_at, versioned, visible_season
from matches.api.season_acts import method_of
from matches.api.season_bodies import AtQuery, SeasonEventsQuery
from matches.http.operations import operation
from matches.http.responses import answer
from matches.seasons.domain.claim_acts import PostRuling
from matches.seasons.reads import event_documents, feed
from matches.seasons.reads.documents import Ledger, MatchList, RulingList, SeasonEvents, Standings


class StandingsView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readStandings", tag="Season", query=AtQuery, answers={200: Standings, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List the standings: the living players, the richest first, then those who have left, the latest first."""
        document = feed.standings(season_at(request, season_id, query))
        return versioned(request, document, document.version)


class LedgerView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readLedger", tag="Season", query=AtQuery, answers={200: Ledger, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List every movement of garnets with its cause and the balances after it."""
        document = feed.ledger(visible_season(request, season_id).id, query.at)
        return versioned(request, document, document.version)


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

    @operation("readSchedule", tag="Season", query=AtQuery, answers={200: MatchList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List all matches of the season, in the order in which they were scheduled."""
        document = feed.matches(season_at(request, season_id, query))
        return versioned(request, document, document.version)


class SeasonEventsView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("listSeasonEvents", tag="Season", query=SeasonEventsQuery, answers={200: SeasonEvents})
    def get(self, request: Request, season_id: UUID, query: SeasonEventsQuery) -> HttpResponse:
        """List the season's events after a version, oldest first."""
        return answer(event_documents.events(visible_season(request, season_id).id, query.after, query.limit))
