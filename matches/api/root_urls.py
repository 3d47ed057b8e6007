"""URLs outside /api/v1/: the service's own, and unknown ones below /api/."""

from django.urls import path, re_path

from matches.api import audit_views, problem_pages, service_views

urlpatterns = [
    path("healthz", service_views.healthz),
    path("readyz", service_views.readyz),
    path("metrics", service_views.metrics),
    path("croupier_verify.py", audit_views.verifier),
    path(".well-known/croupier-key", audit_views.verifier_key),
    path(".well-known/croupier-checkpoint", audit_views.newest_checkpoint),
    path("api/schema", service_views.openapi),
    path("api/docs", service_views.docs),
    path("problems/", problem_pages.index),
    path("problems/<slug:code>", problem_pages.explain),
    # With DEBUG on, Django's own page for unknown URLs isn't a problem document.
    re_path("^api/", problem_pages.not_found),
]
