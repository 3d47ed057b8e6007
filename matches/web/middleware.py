"""Middleware of all pages: content policy, caching, and refusals."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from matches.domain import secret_urls
from matches.http.page_owner import HEADER, owner_tag
from matches.http.problems import problem_of
from matches.web.contests.wide_forms import read_wide_form
from matches.web.problem_pages import refuse

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Everything comes from this host, and no inline script runs."""
_OF_THE_READER = ("text/html", "application/json", "application/problem+json")
"""Content types of responses to one reader alone: pages, and their scripts' requests."""
_NO_PATH = "strict-origin"
"""The referrer policy if the URL contains a secret: no request reveals the path. Under `no-referrer` a browser would
post the page's form with `Origin: null`, and Django would refuse it."""
_API = "/api/"


class Pages:
    """Middleware for all URLs except those of the API, which has rules of its own."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self._get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if iscoroutinefunction(self):
            return self._answer_later(request)
        return _guard(request, self._get_response(request))

    async def _answer_later(self, request: HttpRequest) -> HttpResponseBase:
        return _guard(request, await self._get_response(request))

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_: Any) -> None:
        """Read a form that its view lets be larger than others."""
        read_wide_form(request, view, settings.CONTEST_BODY_LIMIT)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return an expected refusal as a page, or as a problem document for a script; None for an unexpected
        exception."""
        problem = None if _is_of_the_api(request) else problem_of(exception)
        return problem and refuse(request, problem)


def _guard(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    kind = response.headers.get("Content-Type", "")
    if _is_of_the_api(request) or not kind.startswith(_OF_THE_READER):
        return response
    response.headers.setdefault("Cache-Control", "private, no-store")
    # Django sets this once the view has accessed its user; a response made without one shows nothing private.
    if hasattr(request, "_cached_user"):
        response.headers[HEADER] = owner_tag(request.user.pk)
    if not kind.startswith("text/html"):
        return response
    response.headers.setdefault("Content-Security-Policy", POLICY)
    if secret_urls.has_secret(request.get_full_path()):
        response.headers.setdefault("Referrer-Policy", _NO_PATH)
    return response


def _is_of_the_api(request: HttpRequest) -> bool:
    return request.path.startswith(_API)
