"""Refusals as people see them: a page for a browser, a problem document for a script on a page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from matches.http.problem_codes import entry
from matches.http.problems import Problem, respond, wants_document


def refuse(request: HttpRequest, problem: Problem) -> HttpResponse:
    """The answer that tells a refusal, in the form that the caller can show."""
    if wants_document(request):
        return respond(problem, request)
    told = {
        "title": problem.title,
        "text": problem.detail,
        "code": problem.code,
        "what_to_do": entry(problem.code).what_to_do,
        "request_id": getattr(request, "request_id", ""),
    }
    # With the database away, nobody can say who asks.
    asker = request if problem.status < 500 else None
    page = render(asker, "web/problem.html", told, status=problem.status)
    for name, value in problem.headers.items():
        page.headers[name] = value
    return page
