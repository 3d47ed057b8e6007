"""Pages about problems: one for each code, and responses for URLs that don't exist."""

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from matches.http.problem_codes import PROBLEMS, entry
from matches.http.problems import Problem, respond, wants_document


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show all codes of the service."""
    context = {
        "title": "Problems",
        "text": "Every refusal of the API carries one of these codes, or one of the game's own.",
        "problems": sorted(PROBLEMS.items()),
    }
    return render(request, "api/problems.html", context)


@require_safe
def explain(request: HttpRequest, code: str) -> HttpResponse:
    """Show what a code means and what to do about it."""
    problem = entry(code)
    context = {"title": problem.title, "text": problem.what_to_do, "code": code, "status": problem.status}
    return render(request, "api/problem.html", context)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400."""
    if isinstance(exception, RequestDataTooBig):
        return _refuse(request, Problem("too_large"))
    return _refuse(request, Problem("bad_host" if isinstance(exception, DisallowedHost) else "malformed"))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403."""
    return _refuse(request, Problem("forbidden"))


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """CSRF_FAILURE_VIEW."""
    if reason == REASON_NO_CSRF_COOKIE and not request.path.startswith("/api/"):
        text = "Your browser sent no cookie, and Croupier knows you by nothing else. Allow cookies for this site, then "
        return _refuse(request, Problem("csrf_failed", f"{text}load the page again and send the form once more."))
    stale = "The page is older than your last sign-in or sign-out."
    way = "Reload it and try again." if wants_document(request) else "Go back, reload it and send the form again."
    return _refuse(request, Problem("csrf_failed", "" if request.path.startswith("/api/") else f"{stale} {way}"))


@csrf_exempt
def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler404, and the view of every address below /api/ that doesn't exist."""
    return _refuse(request, Problem("not_found"))


def failed(request: HttpRequest) -> HttpResponse:
    """handler500."""
    return _refuse(request, Problem("internal"))


def _refuse(request: HttpRequest, problem: Problem) -> HttpResponse:
    if request.path.startswith("/api/") or wants_document(request):
        return respond(problem, request)
    context = {"title": problem.title, "text": problem.detail, "request_id": getattr(request, "request_id", "")}
    # Without the request: a context processor may be what failed.
    return render(None, "api/page.html", context, status=problem.status)
