"""The pages of a lesson. Every step has its own URL, so that people can return without an account."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from games.kernel import LEARNER, Illegal, judge
from games.kernel.chance import Chance
from games.kernel.teaching import brings_the_same, read
from matches.html import form_values
from matches.html.entry import counted, posted_from
from matches.http.problems import Problem, problem_of, wants_document
from matches.web.learning.shown import Place, live, place
from matches.web.play.pages import styles_of, without_indents


@require_safe
def first(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the lesson's first step; a script offers to continue where this browser was."""
    return _page(request, _place(slug, 1), begins=True)


@require_safe
def step(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a step of the lesson."""
    return _page(request, _place(slug, number), begins=False)


@require_safe
@counted
def frame(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the step as a frame in JSON; 204 if the page, as `?after=` says, shows this version of the match."""
    here = _place(slug, number)
    if form_values.version_in(request.GET.get("after", "")) == here.table.version:
        return HttpResponse(status=204)
    return _framed(request, here)


@posted_from("web:lesson-step", "slug", "number")
@counted
def command(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the next step after the expected command; refuse any other with what to do instead."""
    here = _place(slug, number)
    try:
        _refuse_unexpected(here, _text_in(request, here))
    except (Illegal, Problem) as refused:
        if wants_document(request):
            raise
        problem = problem_of(refused)
        messages.error(request, problem.detail if problem else here.refusal)
        return redirect(here.address)
    onward = _place(slug, number + 1)
    return _framed(request, onward) if wants_document(request) else redirect(onward.address)


@require_POST
@counted
def trial(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check whether the rules allow a command here: 204, or the problem."""
    here = _place(slug, number)
    parsed = read(here.table, form_values.text_in(request))
    judge.act(here.game, here.table.state, LEARNER, parsed, Chance(here.lesson.seed, here.table.version))
    return HttpResponse(status=204)


def _text_in(request: HttpRequest, here: Place) -> str:
    """Return the posted command in notation; raise Illegal and Problem."""
    body = form_values.command_in(request, here.game.slug)
    return body["text"] if "text" in body else here.game.notation.form(here.game.read_command(body))


def _refuse_unexpected(here: Place, text: str) -> None:
    if not here.step.does:
        raise Problem("not_asked", here.refusal)
    try:
        actual, expected = read(here.table, text), read(here.table, here.step.does)
        is_equivalent = brings_the_same(here.table, here.lesson, actual, expected)
    except Illegal as illegal:
        raise Illegal(illegal.code, f"{illegal.message} {here.refusal}") from None
    if not is_equivalent:
        raise Problem("not_asked", here.refusal)


def _page(request: HttpRequest, here: Place, *, begins: bool) -> HttpResponse:
    more = {"begins": begins, "styles": styles_of(here.game.slug)}
    return render(request, "web/learn/page.html", live(request, here) | more)


def _framed(request: HttpRequest, here: Place) -> HttpResponse:
    """Return the step as a frame like those of a match's page."""
    content = render_to_string("web/learn/live.html", live(request, here, whole=False), request)
    return JsonResponse({"v": 1, "version": here.table.version, "content": without_indents(content)})


def _place(slug: str, number: int) -> Place:
    here = place(slug, number)
    if here is None:
        raise Http404("There is no such step.")
    return here
