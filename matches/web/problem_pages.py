"""Refusals: a page for a browser, a problem document for a page's script."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from matches.http.problem_codes import entry
from matches.http.problems import Problem, respond, wants_document


def refuse(request: HttpRequest, problem: Problem) -> HttpResponse:
    """Return the refusal in the form that the caller can show."""
    if wants_document(request):
        return respond(problem, request)
    context = {
        "title": problem.title,
        "text": problem.detail,
        "code": problem.code,
        "what_to_do": entry(problem.code).what_to_do,
        "request_id": getattr(request, "request_id", ""),
    }
    # With the database away, the caller can't be identified.
    asker = request if problem.status < 500 else None
    page = render(asker, "web/problem.html", context, status=problem.status)
    for name, value in problem.headers.items():
        page.headers[name] = value
    return page
