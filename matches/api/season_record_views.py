"""What a season shows: standings, garnets, rulings, schedule, events; each at any version."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import (
    ACCEPTED,
    COMMAND,
    KEYED,
    PLAY,
    READ,
    SeasonView,
    acted,
    refusals,
    season_at,
    season_seen,
    told,
)
from matches.api.season_bodies import AtQuery, GarnetsBody, SeasonEventsQuery, SeasonRulingBody, TryQuery
from matches.http.operations import operation
from matches.http.responses import answer
from matches.seasons.reads import feed
from matches.seasons.reads.documents import Ledger, MatchList, RulingList, SeasonEvents, Standings


class StandingsView(SeasonView):
    """How the players stand."""

    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readStandings", tag="Season", query=AtQuery, answers={200: Standings, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """The living, the richest on top; then those who have left, the last one first."""
        document = feed.standings(season_at(request, season_id, query))
        return told(request, document, document.version)


class LedgerView(SeasonView):
    """Where the garnets are."""

    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readLedger", tag="Season", query=AtQuery, answers={200: Ledger, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """Every movement of garnets with its cause and the balances after it."""
        document = feed.ledger(season_seen(request, season_id).id, query.at)
        return told(request, document, document.version)


class GarnetsView(SeasonView):
    """Garnets that change hands."""

    scopes = {"POST": PLAY}

    @operation(
        "moveGarnets", tag="Season", body=GarnetsBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_transfers", "match_open", "not_enrolled", "not_living", "same_player", "too_few_garnets"
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: GarnetsBody) -> HttpResponse:
        """Give another player own garnets, unless a death match of the giver's is open; or, as the season's organiser,
        award, fine or correct."""
        source, target = (str(it) if it else None for it in (body.source, body.target))
        return acted(
            request, season_id, query, "garnets", body,
            source=source, target=target, amount=body.amount, reason=body.reason,
        )  # fmt: skip


class RulingsView(SeasonView):
    """Rulings."""

    open_to_strangers = True
    scopes = {"GET": READ, "POST": COMMAND}

    @operation("listRulings", tag="Season", query=AtQuery, answers={200: RulingList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """The season's rulings, oldest first."""
        document = feed.rulings(season_seen(request, season_id).id, query.at)
        return told(request, document, document.version)

    @operation(
        "postSeasonRuling", tag="Season", body=SeasonRulingBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("not_in_season"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: SeasonRulingBody) -> HttpResponse:
        """Say for all to read how a rule is meant: for organisers and hosts."""
        match = str(body.match) if body.match else None
        return acted(request, season_id, query, "rule", body, text=body.text, match=match)


class ScheduleView(SeasonView):
    """When what is played."""

    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("readSchedule", tag="Season", query=AtQuery, answers={200: MatchList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """All matches of the season, in the order of their scheduling."""
        document = feed.matches(season_at(request, season_id, query))
        return told(request, document, document.version)


class SeasonEventsView(SeasonView):
    """What has happened."""

    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("listSeasonEvents", tag="Season", query=SeasonEventsQuery, answers={200: SeasonEvents})
    def get(self, request: Request, season_id: UUID, query: SeasonEventsQuery) -> HttpResponse:
        """The season's events after a version, ascending."""
        return answer(feed.events(season_seen(request, season_id).id, query.after, query.limit))
