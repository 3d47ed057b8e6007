"""The URLs of the season views."""

from django.urls import path

from matches.api import (
    availability_views,
    board_views,
    calendar_views,
    claim_views,
    duel_views,
    episode_views,
    intake_views,
    naming_views,
    report_views,
    result_views,
    room_views,
    season_audit_views,
    season_record_views,
    season_views,
    season_webhook_views,
)
from matches.api.season_acts import address_of
from matches.domain import secret_urls
from matches.seasons.domain.acts import ACTS
from matches.seasons.domain.claim_acts import MakeClaim, PostRuling
from matches.seasons.domain.episode_acts import OpenEpisode
from matches.seasons.domain.intake_acts import OpenJoining
from matches.seasons.domain.match_acts import OpenFinal
from matches.seasons.domain.roster_acts import Appoint, Enrol

_season = "seasons/<uuid:season_id>"
_player = f"{_season}/players/<uuid:player>"
_match = f"{_season}/matches/<uuid:match>"
_thread = f"{_season}/board/<int:episode>"
_remark = f"{_thread}/<int:number>"
_room = f"{_season}/rooms/<uuid:room>"
_room_remark = f"{_room}/remarks/<int:number>"
_BESIDE_OTHERS = frozenset({Appoint, Enrol, MakeClaim, OpenEpisode, OpenFinal, OpenJoining, PostRuling})
"""Acts whose views have other methods too, so that they are listed below."""

urlpatterns = [
    path("seasons", season_views.SeasonsView.as_view()),
    path(_season, season_views.OneSeasonView.as_view()),
    path(f"{_season}/staff", season_views.StaffView.as_view()),
    path(f"{_season}/players", season_views.PlayersView.as_view()),
    path(f"{_season}/players/list", intake_views.ListView.as_view()),
    path(f"{_player}/name", naming_views.DisplayNameView.as_view()),
    path(f"{_season}/joining-links", intake_views.JoiningLinksView.as_view()),
    path(f"{_season}/applications", intake_views.ApplicationsView.as_view()),
    path(f"{_season}/claims", claim_views.ClaimsView.as_view()),
    path(secret_urls.API_JOINING, intake_views.JoiningView.as_view()),
    path(secret_urls.API_JOINING_WITHDRAW, intake_views.WithdrawApplicationView.as_view()),
    path(_player, season_views.PlayerView.as_view()),
    path(f"{_player}/availability", availability_views.AvailabilityView.as_view()),
    path(f"{_season}/availability", availability_views.AvailabilitiesView.as_view()),
    path(f"{_season}/episodes", episode_views.EpisodesView.as_view()),
    path(f"{_season}/main-matches/results", result_views.ResultTableView.as_view()),
    path(f"{_season}/main-matches/tables", duel_views.TablesView.as_view()),
    path(f"{_season}/main-matches/seatings", duel_views.SeatingsView.as_view()),
    path(f"{_season}/death-matches", duel_views.DeathMatchesView.as_view()),
    path(f"{_match}/availability", availability_views.MatchTimesView.as_view()),
    path(f"{_season}/final", duel_views.FinalView.as_view()),
    path(f"{_season}/final/matches", duel_views.FinalMatchesView.as_view()),
    path(f"{_season}/ledger", season_record_views.LedgerView.as_view()),
    path(f"{_season}/standings", season_record_views.StandingsView.as_view()),
    path(f"{_season}/rulings", season_record_views.RulingsView.as_view()),
    path(f"{_season}/schedule", season_record_views.ScheduleView.as_view()),
    path(f"{_season}/events", season_record_views.SeasonEventsView.as_view()),
    path(f"{_season}/audit", season_audit_views.SeasonAuditView.as_view()),
    path(f"{_season}/audit/proof", season_audit_views.SeasonProofView.as_view()),
    path(f"{_season}/export", season_audit_views.SeasonExportView.as_view()),
    path(f"{_season}/archive", season_audit_views.SeasonArchiveView.as_view()),
    path(f"{_season}/calendar", calendar_views.SeasonCalendarView.as_view()),
    path(f"{_season}/board", board_views.BoardView.as_view()),
    path(_thread, board_views.BoardRemarksView.as_view()),
    path(_remark, board_views.BoardRemarkView.as_view()),
    path(f"{_remark}/hide", board_views.HideOnBoardView.as_view()),
    path(f"{_remark}/restore", board_views.RestoreOnBoardView.as_view()),
    path(f"{_remark}/report", board_views.ReportOnBoardView.as_view()),
    path(f"{_season}/rooms", room_views.RoomsView.as_view()),
    path(_room, room_views.RoomView.as_view()),
    path(f"{_room}/remarks", room_views.RoomRemarksView.as_view()),
    path(_room_remark, room_views.RoomRemarkView.as_view()),
    path(f"{_room_remark}/hide", room_views.HideInRoomView.as_view()),
    path(f"{_room_remark}/restore", room_views.RestoreInRoomView.as_view()),
    path(f"{_room_remark}/report", room_views.ReportInRoomView.as_view()),
    path(f"{_room}/read", room_views.RoomReadView.as_view()),
    path(f"{_room}/close", room_views.CloseRoomView.as_view()),
    path(f"{_room}/leave", room_views.LeaveRoomView.as_view()),
    path(f"{_room}/look", room_views.LookIntoRoomView.as_view()),
    path(f"{_season}/reports", report_views.ReportsView.as_view()),
    path(f"{_season}/reports/<uuid:report>/answer", report_views.AnswerReportView.as_view()),
    path(f"{_season}/mutes", board_views.SeasonMutesView.as_view()),
    path(f"{_season}/mutes/<int:number>/lift", board_views.LiftSeasonMuteView.as_view()),
    path(f"{_season}/webhook", season_webhook_views.SeasonWebhookView.as_view()),
    path(f"{_season}/webhook/test", season_webhook_views.SeasonWebhookTestView.as_view()),
    path(f"{_season}/webhook/notices", season_webhook_views.SeasonNoticesView.as_view()),
    *(address_of(act) for act in ACTS.values() if act.rest and act not in _BESIDE_OTHERS),
]
