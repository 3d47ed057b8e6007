"""The addresses under /api/v1/."""

from django.urls import include, path

from matches.api import (
    acceptance_views,
    appeal_views,
    audit_views,
    feed_views,
    game_views,
    history_views,
    host_views,
    match_views,
    picture_views,
    play_views,
    record_views,
    rematch_views,
    seek_views,
    writing_views,
)

_match = "matches/<str:name>"

# Looked through in this order, so what is asked for most comes first.
urlpatterns = [
    path(f"{_match}/commands", play_views.CommandsView.as_view()),
    path("games", game_views.GamesView.as_view()),
    path("games/<slug:slug>", game_views.GameView.as_view()),
    path("me/matches", match_views.MyMatchesView.as_view()),
    path("me/stream", record_views.CallsView.as_view()),
    path("matches", match_views.MatchesView.as_view()),
    path("seeks", seek_views.SeeksView.as_view()),
    path(_match, match_views.MatchView.as_view()),
    path(f"{_match}/view", match_views.ViewView.as_view()),
    path(f"{_match}/board.svg", picture_views.SVGView.as_view()),
    path(f"{_match}/board.png", picture_views.PNGView.as_view()),
    path(f"{_match}/legal", match_views.LegalView.as_view()),
    path(f"{_match}/commands/<path:key>", play_views.CommandView.as_view()),
    path(f"{_match}/join", play_views.JoinView.as_view()),
    path(f"{_match}/seek", seek_views.SeekView.as_view()),
    path(f"{_match}/accept", acceptance_views.AcceptView.as_view()),
    path(f"{_match}/decline", acceptance_views.DeclineView.as_view()),
    path(f"{_match}/rematch", rematch_views.RematchView.as_view()),
    path(f"{_match}/note", writing_views.NoteView.as_view()),
    path(f"{_match}/remarks", writing_views.RemarksView.as_view()),
    path(f"{_match}/nonce", play_views.NonceView.as_view()),
    *host_views.urlpatterns,
    path(f"{_match}/appeals", appeal_views.AppealsView.as_view()),
    path(f"{_match}/events", record_views.events),
    path(f"{_match}/moment", history_views.MomentView.as_view()),
    path(f"{_match}/knowledge", history_views.KnowledgeView.as_view()),
    path(f"{_match}/diff", history_views.DiffView.as_view()),
    path(f"{_match}/history", history_views.HistoryView.as_view()),
    path(f"{_match}/history/export", history_views.HistoryFileView.as_view()),
    path(f"{_match}/export", audit_views.ExportView.as_view()),
    path(f"{_match}/audit", audit_views.AuditView.as_view()),
    path(f"{_match}/audit/proof", audit_views.ProofView.as_view()),
    path("checkpoints/consistency", audit_views.ConsistencyView.as_view()),
    path("events", feed_views.FeedView.as_view()),
    path("history", history_views.SearchView.as_view()),
    path("players/<uuid:account_id>/results", history_views.ResultsView.as_view()),
    path("", include("matches.api.account_urls")),
    path("", include("matches.api.season_urls")),
]
