"""The library of contests: the list, new ones, copies and files, and what its author does with one."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.contest.places import place_in_words
from games.contest.reading import Faulty
from games.kernel import Illegal
from matches.contests.domain.drafts import Draft, TooLong, read_draft
from matches.contests.models import Contest
from matches.contests.reads import visible
from matches.contests.services import saving
from matches.contests.services.saving import ContestMoved
from matches.html.entry import counted, posted_from, signed_in
from matches.html.form_values import press_of, version_in
from matches.http import contest_files
from matches.http.paging import page
from matches.http.problems import Problem
from matches.web.contests.cards import cards_of, title_of
from matches.web.contests.editing import new_content

_PAGE: Final = 24
_ORDER: Final = ("-changed_at", "-id")
_LONGEST_SEARCH: Final = 60
_FILE_NAMES: Final = {"toml": "contest.toml", "json": "contest.json"}


@require_safe
@signed_in
@counted
def library(request: HttpRequest) -> HttpResponse:
    """List the reader's own contests, and those that are published; `text` searches titles and authors."""
    return _library(request)


@posted_from("web:contests")
@signed_in
@counted
def new(request: HttpRequest) -> HttpResponse:
    """Make a contest with one round, and open it in the editor."""
    title = request.POST.get("title", "").replace("\0", "").strip()[:60]
    return _made(request, read_draft(new_content(title or _("Untitled contest"))))


@posted_from("web:contests")
@signed_in
@counted
def import_file(request: HttpRequest) -> HttpResponse:
    """Make a contest from a file, or from its text; open it in the editor, with its faults."""
    file = request.FILES.get("file")
    try:
        text = file.read() if file else request.POST.get("pasted", "").encode()
        if not text.strip():
            raise Problem("malformed", _("Choose a file, or paste its text."))
        draft = contest_files.read_file_draft(text)
    except Faulty as faulty:
        fault = faulty.faults[0]
        sentence = fault.sentence if fault.place == "file" else f"{place_in_words(fault.place)}: {fault.sentence}"
        return _library(request, import_fault=sentence)
    except (TooLong, Problem) as refused:
        return _library(request, import_fault=refused.detail if isinstance(refused, Problem) else str(refused))
    return _made(request, draft)


@posted_from("web:contest", "contest_id")
@signed_in
@counted
def copy(request: HttpRequest, contest_id: UUID) -> HttpResponse:
    """Make a copy of the reader's own, and open it in the editor."""
    made = saving.copy(account=request.user, contest_id=contest_id, key=press_of(request))
    if not made.replayed:
        messages.success(request, _("This is your copy. Change what you like; the original stays as it is."))
    return redirect("web:contest_edit", contest_id=made.contest.id)


@require_safe
@signed_in
@counted
def export(request: HttpRequest, contest_id: UUID, form: str) -> HttpResponse:
    """Return a version of a contest as a file."""
    if form not in contest_files.TYPES:
        raise Http404
    contest = visible.contest_for(request.user, contest_id)
    version = visible.version_for(request.user, contest, version_in(request.GET.get("version", "")))
    return HttpResponse(
        contest_files.file_of(version.data, form),
        content_type=f"{contest_files.TYPES[form]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{_FILE_NAMES[form]}"'},
    )


@posted_from("web:contest", "contest_id")
@signed_in
@counted
def publish(request: HttpRequest, contest_id: UUID) -> HttpResponse:
    """Publish the version that the form names."""
    base = version_in(request.POST.get("base", ""))
    return _act(
        request, contest_id, _("It is published: everybody with an account can read and copy it."),
        lambda: saving.publish(account=request.user, contest_id=contest_id, base=base),
    )  # fmt: skip


@posted_from("web:contest", "contest_id")
@signed_in
@counted
def retire(request: HttpRequest, contest_id: UUID) -> HttpResponse:
    """Take a contest off the list of published ones."""
    return _act(
        request, contest_id, _("It is retired: the library doesn't list it any more."),
        lambda: saving.retire(account=request.user, contest_id=contest_id),
    )  # fmt: skip


@posted_from("web:contest", "contest_id")
@signed_in
@counted
def delete(request: HttpRequest, contest_id: UUID) -> HttpResponse:
    """Delete a contest that was never published."""
    contest = visible.contest_for(request.user, contest_id)
    try:
        saving.delete(account=request.user, contest_id=contest_id)
    except Illegal as refused:
        messages.error(request, refused.message)
        return redirect("web:contest", contest_id=contest_id)
    messages.success(request, _("“%(title)s” is deleted.") % {"title": title_of(contest)})
    return redirect("web:contests")


def _act(request: HttpRequest, contest_id: UUID, sentence: str, act: Callable[[], Any]) -> HttpResponse:
    """Do an act, and redirect to the page of the contest with a sentence about it."""
    try:
        act()
    except Faulty as faulty:
        messages.error(request, _faults_in_the_way(len(faulty.faults)))
        return redirect("web:contest_edit", contest_id=contest_id)
    except (Illegal, ContestMoved) as refused:
        messages.error(request, refused.message if isinstance(refused, Illegal) else str(refused))
    else:
        messages.success(request, sentence)
    return redirect("web:contest", contest_id=contest_id)


def _faults_in_the_way(count: int) -> str:
    return _("A contest with faults can't be published. Mend them first; there are %(count)s.") % {"count": count}


def _made(request: HttpRequest, draft: Draft) -> HttpResponse:
    made = saving.create(author=request.user, draft=draft, key=press_of(request))
    return redirect("web:contest_edit", contest_id=made.contest.id)


def _library(request: HttpRequest, import_fault: str = "") -> HttpResponse:
    text = request.GET.get("text", "").replace("\0", "").strip()[:_LONGEST_SEARCH]
    cursor, own_cursor = request.GET.get("cursor") or None, request.GET.get("own") or None
    visible_here = visible.contests_for(request.user, text)
    others = visible_here.filter(status=Contest.Status.PUBLISHED, author__isnull=False).exclude(author=request.user)
    own, more_own = page(visible.contests_for(request.user, text, only_own=True), own_cursor, _PAGE, _ORDER)
    published, more = page(others, cursor, _PAGE, _ORDER)
    context = {
        "text": text,
        "own": cards_of(own, request.user),
        "published": cards_of(published, request.user),
        "presets": cards_of(visible_here.filter(author=None).order_by("title"), request.user),
        "more_own": _query(text, own=more_own),
        "more": _query(text, cursor=more),
        "is_first": not (cursor or own_cursor),
        "import_fault": import_fault,
        "pasted": request.POST.get("pasted", ""),
    }
    return render(request, "web/contests/library.html", context, status=422 if import_fault else 200)


def _query(text: str, **cursor: str | None) -> str:
    """Return the query of the next page of a list; empty if there is none."""
    (following,) = cursor.values()
    return urlencode({name: value for name, value in ({"text": text} | cursor).items() if value}) if following else ""
