"""The editor of a contest: one form, each of whose buttons sends the whole content."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from matches.contests.domain.drafts import Draft, TooLong, read_draft
from matches.contests.models import Contest
from matches.contests.reads import documents, visible
from matches.contests.services import saving
from matches.contests.services.saving import ContestMoved
from matches.html.entry import counted, signed_in
from matches.html.form_values import version_in
from matches.services.playing import NotAllowed
from matches.web.contests import trial_views
from matches.web.contests.cards import facts_of, title_of
from matches.web.contests.controls import BlockList, anchor_of, editor_of, form_of, sections_of
from matches.web.contests.editing import edited
from matches.web.contests.posted import read_posted
from matches.web.contests.previews import preview_of
from matches.web.contests.wide_forms import wide_form

MOST_FIELDS: Final = 20_000
"""Fields of the form; a content with 20 rounds of 8 fields and 100 payoffs has about half of them."""


@wide_form(fields=MOST_FIELDS)
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def edit(request: HttpRequest, contest_id: UUID) -> HttpResponse:
    """Show the editor, or do what a button of it says."""
    contest = visible.contest_for(request.user, contest_id)
    if contest.author_id != request.user.pk:
        raise NotAllowed(_("This is somebody else's contest. Copy it, and change your copy."))
    stored = read_draft(visible.version_for(request.user, contest).data)
    if request.method != "POST":
        return _page(request, contest, stored, {})
    try:
        draft = read_draft(_content_in(request.POST, stored))
    except TooLong as refused:
        return _page(request, contest, stored, {"refusal": str(refused), "is_unsaved": True}, 413)
    act = request.POST.get("do", "")
    if act in ("save", "over", "publish"):
        return _save(request, contest, draft, act)
    return _shown(request, contest, draft, draft.digest != stored.digest, act)


def _content_in(post: QueryDict, stored: Draft) -> dict[str, Any]:
    """Return the posted content; the stored one itself if the form is as it was rendered from it."""
    posted, (unchanged, _faults) = read_posted(post), editor_of(stored.data, ())
    return stored.data if posted == read_posted(form_of(unchanged)) else posted


def _save(request: HttpRequest, contest: Contest, draft: Draft, act: str) -> HttpResponse:
    base = version_in(request.POST.get("over" if act == "over" else "base", ""))
    try:
        saved = saving.save(account=request.user, contest_id=contest.id, draft=draft, base=base or 0)
    except ContestMoved as moved:
        return _page(request, contest, draft, {"moved": moved.current, "is_unsaved": True}, 409)
    if act == "publish" and not draft.faults:
        saving.publish(account=request.user, contest_id=contest.id, base=saved.version)
        messages.success(request, _("Version %(number)s is saved and published.") % {"number": saved.version})
    elif act == "publish":
        messages.warning(request, _("It is saved, but not published: mend its faults first."))
    else:
        messages.success(request, _("Version %(number)s is saved.") % {"number": saved.version})
    return redirect("web:contest_edit", contest_id=contest.id)


def _shown(request: HttpRequest, contest: Contest, draft: Draft, is_unsaved: bool, act: str) -> HttpResponse:
    """Show the content after a button that saves nothing."""
    verb, _space, place = act.partition(" ")
    more: dict[str, Any] = {"is_unsaved": is_unsaved}
    if verb in trial_views.ACTS:
        return _page(request, contest, draft, more | trial_views.tried(request, draft))
    try:
        data, shown = edited(draft.data, act, request.POST.get(f"kind {place}", ""))
        if data is not draft.data:
            draft, more["is_unsaved"], more["shown"] = read_draft(data), True, shown
    except TooLong as refused:
        more["refusal"] = str(refused)
    return _page(request, contest, draft, more)


def _page(
    request: HttpRequest, contest: Contest, draft: Draft, more: dict[str, Any], status: int = 200
) -> HttpResponse:
    shown = more.get("shown", "")
    whole, faults = editor_of(draft.data, draft.faults, shown)
    for node in whole.parts:
        if isinstance(node, BlockList) and node.place == "rounds":
            for block in node.blocks:
                block.preview = preview_of(block.data, draft.data)
    context = {
        "contest": contest,
        "title": title_of(contest),
        "base": version_in(request.POST.get("base", "")) or contest.version,
        "whole": whole,
        "sections": sections_of(whole),
        "faults": faults,
        "figures": facts_of(draft.data),
        "summary": documents.check(draft).summary,
        "shown_anchor": anchor_of(shown) if shown else "",
        **trial_views.context_of(request, draft, more),
        **more,
    }
    return render(request, "web/contests/editor.html", context, status=status)
