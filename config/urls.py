"""The URL configuration of the service."""

from django.contrib import admin
from django.urls import include, path

admin.autodiscover()
urlpatterns = [
    path("api/v1/", include("matches.api.urls")),
    path("admin/", admin.site.urls),
    path("", include("matches.api.root_urls")),
    path("", include("matches.web.urls")),
]

handler400 = "matches.api.problem_pages.bad_request"
handler403 = "matches.api.problem_pages.forbidden"
handler404 = "matches.api.problem_pages.not_found"
handler500 = "matches.api.problem_pages.failed"
