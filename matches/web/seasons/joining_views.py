"""The page of a joining link: its season, the application to play, and its state."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import catalogue
from matches.html.entry import counted, posted_from, signed_in
from matches.html.form_values import key_in
from matches.http.problems import Problem, problem_of
from matches.seasons import arrivals, joining, repository, services
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.intake_acts import Apply, WithdrawApplication
from matches.seasons.reads.arrivals import JoiningDocument
from matches.web.seasons.foreseeing import foreseer


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@counted
def page(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the page; a POST applies to play."""
    link = _joining_of(secret)
    return _apply(request, link, secret) if request.method == "POST" else _page(request, link)


@signed_in
def _apply(request: HttpRequest, link: joining.Joining, secret: str) -> HttpResponse:
    return _carry_out(request, link, secret, Apply(link.link.number))


@posted_from("web:joining", "secret")
@signed_in
@counted
def withdraw(request: HttpRequest, secret: str) -> HttpResponse:
    return _carry_out(request, _joining_of(secret), secret, WithdrawApplication())


@require_safe
@signed_in
@counted
def answer(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """Redirect applicants to the joining link by which they applied, whose page has the answer, and others to the
    season. Declined applicants can't see a private season. An unknown season redirects like a private one, so that
    nobody can tell them apart."""
    try:
        applied = repository.load(season_id).intake.applications.get(str(request.user.pk))
    except repository.NoSuchSeason:
        applied = None
    if applied is None:
        return redirect("web:season", season_id)
    return redirect("web:joining", joining.secret_of(season_id, applied.link))


def _carry_out(request: HttpRequest, link: joining.Joining, secret: str, act: SeasonAct) -> HttpResponse:
    """Carry out an act and redirect to the page, which shows a refusal instead."""
    try:
        services.act(
            season_id=link.row.id,
            by=request.user,
            decide=act.decide,
            key=key_in(request.POST),
            fingerprint=services.fingerprint_of(request.path),
        )
    except Exception as refusal:
        problem = problem_of(refusal)
        if problem is None or problem.status >= 500:
            raise
        return _page(request, _joining_of(secret), problem)
    if isinstance(act, WithdrawApplication):
        messages.success(request, _("Your application is withdrawn."))
    return redirect("web:joining", secret=secret)


def _page(request: HttpRequest, link: joining.Joining, refused: Problem | None = None) -> HttpResponse:
    document = arrivals.joining_document(request.user, link)
    context = {
        "joining": document,
        "games": [catalogue[slug].title for slug in link.season.options.pool],
        "foreseen": _foreseen(request, link, document),
        "refused": refused.detail if refused else "",
        "secret": joining.secret_of(link.row.id, link.link.number),
    }
    return render(request, "web/joining.html", context, status=refused.status if refused else 200)


def _foreseen(request: HttpRequest, link: joining.Joining, document: JoiningDocument) -> dict[str, Any] | None:
    """Return a preview of the page's button; None if it has none."""
    if not request.user.is_authenticated or request.user.is_guest:
        return None
    foresee = foreseer(link.row.id, link.season, request.user)
    if document.standing == "waiting":
        return foresee(WithdrawApplication())
    may_ask = document.standing == "none" and document.status == "good"
    return foresee(Apply(link.link.number)) if may_ask else None


def _joining_of(secret: str) -> joining.Joining:
    link = joining.load_joining(secret)
    if link is None:
        raise Problem("no_such_link", _("There is no such joining link. Check that its address is complete."))
    return link
