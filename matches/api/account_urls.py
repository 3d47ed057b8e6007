"""URLs of accounts and tokens, below /api/v1/."""

from django.urls import path

from matches.api import (
    access_log_views,
    account_views,
    calendar_views,
    email_views,
    portrait_views,
    push_views,
    reach_views,
    webhook_views,
)

urlpatterns = [
    path("accounts", account_views.Accounts.as_view()),
    path("tokens", account_views.Tokens.as_view()),
    path("tokens/<uuid:token_id>", account_views.Token.as_view()),
    path("me", account_views.WhoAmI.as_view()),
    path("me/access-log", access_log_views.AccessLogView.as_view()),
    path("me/access-log/seen", access_log_views.SeenView.as_view()),
    path("me/portrait", portrait_views.PortraitView.as_view()),
    path("me/portrait/picture", portrait_views.PictureView.as_view()),
    path("me/webhook", webhook_views.WebhookView.as_view()),
    path("me/webhook/test", webhook_views.TestView.as_view()),
    path("me/calendar", calendar_views.CalendarView.as_view()),
    path("me/reach", reach_views.ReachView.as_view()),
    path("me/reach/seasons/<uuid:season_id>", reach_views.SeasonReachView.as_view()),
    path("me/calls", reach_views.CallsView.as_view()),
    path("me/calls/test", reach_views.CallTestView.as_view()),
    path("me/email", email_views.EmailView.as_view()),
    path("me/email/verification", email_views.VerificationView.as_view()),
    path("password-resets", email_views.ResetsView.as_view()),
    path("password-resets/confirm", email_views.ResetView.as_view()),
    path("me/pushes", push_views.PushesView.as_view()),
    path("me/pushes/<uuid:push_id>", push_views.PushView.as_view()),
    path("me/notices", webhook_views.NoticesView.as_view()),
]
