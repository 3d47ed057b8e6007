"""The addresses of the seasons."""

from django.urls import path

from matches.api import (
    calendar_views,
    correction_views,
    duel_views,
    episode_views,
    season_audit_views,
    season_record_views,
    season_views,
    season_webhook_views,
    timing_views,
)

_season = "seasons/<uuid:season_id>"
_player = f"{_season}/players/<uuid:player>"
_match = f"{_season}/matches/<uuid:match>"
_episode = f"{_season}/episodes/<int:number>"

urlpatterns = [
    path("seasons", season_views.SeasonsView.as_view()),
    path(_season, season_views.OneSeasonView.as_view()),
    path(f"{_season}/staff", season_views.StaffView.as_view()),
    path(f"{_season}/staff/<uuid:account>/dismiss", season_views.DismissView.as_view()),
    path(f"{_season}/players", season_views.PlayersView.as_view()),
    path(_player, season_views.PlayerView.as_view()),
    path(f"{_player}/withdraw", season_views.WithdrawView.as_view()),
    path(f"{_player}/substitute", season_views.NewcomerView.as_view()),
    path(f"{_season}/episodes", episode_views.EpisodesView.as_view()),
    path(f"{_season}/episodes/close", episode_views.CloseEpisodeView.as_view()),
    path(f"{_episode}/main-match/correct", correction_views.CorrectMainMatchView.as_view()),
    path(f"{_episode}/token/correct", correction_views.CorrectTokenView.as_view()),
    path(f"{_episode}/candidate/correct", correction_views.CorrectCandidateView.as_view()),
    path(f"{_episode}/opponent/correct", correction_views.CorrectOpponentView.as_view()),
    path(f"{_episode}/ban/correct", correction_views.CorrectBanView.as_view()),
    path(f"{_season}/main-matches", episode_views.MainMatchesView.as_view()),
    path(f"{_season}/main-matches/tables", duel_views.TablesView.as_view()),
    path(f"{_season}/tokens", episode_views.TokensView.as_view()),
    path(f"{_season}/candidates", episode_views.CandidatesView.as_view()),
    path(f"{_season}/opponents", episode_views.OpponentsView.as_view()),
    path(f"{_season}/bans", episode_views.BansView.as_view()),
    path(f"{_season}/death-matches", duel_views.DeathMatchesView.as_view()),
    path(f"{_match}/approve", duel_views.ApproveResultView.as_view()),
    path(f"{_match}/correct", duel_views.CorrectResultView.as_view()),
    path(f"{_match}/annul", duel_views.AnnulMatchView.as_view()),
    path(f"{_match}/times", timing_views.TimesView.as_view()),
    path(f"{_match}/times/accept", timing_views.AcceptTimeView.as_view()),
    path(f"{_match}/time", timing_views.MatchTimeView.as_view()),
    path(f"{_match}/check-in", timing_views.CheckInView.as_view()),
    path(f"{_match}/absence", timing_views.AbsenceView.as_view()),
    path(f"{_season}/decision/extend", timing_views.DeadlineView.as_view()),
    path(f"{_season}/final", duel_views.FinalView.as_view()),
    path(f"{_season}/final/matches", duel_views.FinalMatchesView.as_view()),
    path(f"{_season}/garnets", season_record_views.GarnetsView.as_view()),
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
    path(f"{_season}/webhook", season_webhook_views.SeasonWebhookView.as_view()),
    path(f"{_season}/webhook/test", season_webhook_views.SeasonWebhookTestView.as_view()),
    path(f"{_season}/webhook/notices", season_webhook_views.SeasonNoticesView.as_view()),
]
