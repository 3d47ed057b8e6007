"""The addresses outside /api/v1/: the service about itself, and what is left over below /api/."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from matches.api import problem_pages, record_views, service_views

urlpatterns = [
    # The API's description is the only page for people so far.
    path("", RedirectView.as_view(url="/api/docs")),
    path("healthz", service_views.healthz),
    path("readyz", service_views.readyz),
    path("metrics", service_views.metrics),
    path("croupier_verify.py", record_views.verifier),
    path("api/schema", service_views.openapi),
    path("api/docs", service_views.docs),
    path("problems/", problem_pages.index),
    path("problems/<slug:code>", problem_pages.explain),
    # With DEBUG on, Django's own page for unknown addresses isn't a problem document.
    re_path("^api/", problem_pages.not_found),
]
