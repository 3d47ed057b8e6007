"""URLs of the library of contests, below /api/v1/."""

from django.urls import path

from matches.api import contest_trial_views, contest_views

_contest = "contests/<uuid:contest>"

urlpatterns = [
    path("contests", contest_views.ContestsView.as_view()),
    path("contests/check", contest_views.CheckView.as_view()),
    path("contests/import", contest_views.ImportView.as_view()),
    path("contests/trial", contest_trial_views.TrialsView.as_view()),
    path("contests/trial/<uuid:trial>", contest_trial_views.TrialView.as_view()),
    path(_contest, contest_views.ContestView.as_view()),
    path(f"{_contest}/versions", contest_views.VersionsView.as_view()),
    path(f"{_contest}/versions/<int:number>", contest_views.VersionView.as_view()),
    path(f"{_contest}/publish", contest_views.PublishView.as_view()),
    path(f"{_contest}/retire", contest_views.RetireView.as_view()),
    path(f"{_contest}/copy", contest_views.CopyView.as_view()),
    path(f"{_contest}/export", contest_views.ExportView.as_view()),
    path(f"{_contest}/trials", contest_trial_views.ContestTrialsView.as_view()),
]
