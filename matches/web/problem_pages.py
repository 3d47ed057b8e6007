"""Refusals: a page for a browser, a problem document for a page's script."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from matches.http.problem_codes import entry
from matches.http.problems import Problem, respond, wants_document


def refuse(request: HttpRequest, problem: Problem) -> HttpResponse:
    """Return the refusal as a problem document if the request asks for one, otherwise as a page."""
    if wants_document(request):
        return respond(problem, request)
    context = {
        "title": problem.title,
        "text": problem.detail,
        "code": problem.code,
        "what_to_do": entry(problem.code).what_to_do,
        "request_id": getattr(request, "request_id", ""),
    }
    # On a server error the database may be away: render the page without the request, which would load the account.
    request_for_page = request if problem.status < 500 else None
    page = render(request_for_page, "web/problem.html", context, status=problem.status)
    for name, value in problem.headers.items():
        page.headers[name] = value
    return page
