"""A contest as everybody reads it, its versions, and restoring one of them."""

from functools import cache
from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.contest.values import LONGEST
from matches.contests.domain.drafts import read_draft
from matches.contests.reads import documents, visible
from matches.contests.services import saving
from matches.contests.services.saving import ContestMoved
from matches.html.entry import counted, posted_from, signed_in
from matches.html.form_values import version_in
from matches.html.markdown import rendered, rendered_for_good
from matches.http.problems import Problem
from matches.web.contests import play_views, trial_views
from matches.web.contests.cards import cards_of, facts_of, title_of
from matches.web.contests.previews import parts_of, preview_of

_MOST_LISTED: Final = 200
_MOST_PREVIEWS: Final = 40
"""Rounds of a draft that its page shows, which may have more of them than a contest."""


@require_safe
@signed_in
@counted
def guide(request: HttpRequest) -> HttpResponse:
    """Show the guide: from nothing to a first main match."""
    title, _line, text = _guide().partition("\n")
    context = {"title": title.lstrip("# "), "guide": rendered_for_good(text)}
    return render(request, "web/contests/guide.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def contest(request: HttpRequest, contest_id: UUID) -> HttpResponse:
    """Show a contest; of its author's also the versions. `?version=` shows one of them. A button lets bots play it."""
    row = visible.contest_for(request.user, contest_id)
    version = visible.version_for(request.user, row, version_in(request.GET.get("version", "")))
    data, (shown,) = version.data, cards_of([row], request.user)
    rules, draft = data.get("rules", ""), read_draft(data)
    more = trial_views.tried(request, draft) if request.method == "POST" else {}
    context = {
        "contest": row,
        "card": shown,
        "title": data["title"] if isinstance(data.get("title"), str) and data["title"] else title_of(row),
        "facts": facts_of(data),
        "rules": rendered(rules[:LONGEST]) if isinstance(rules, str) else "",
        "previews": [preview_of(it, data) for it in parts_of(data, "rounds")[:_MOST_PREVIEWS]],
        "version": version,
        "seasons": play_views.seasons_for(request.user, version) if draft.content else [],
        "is_newest": version.number == shown.version,
        "versions": [documents.version_card(it) for it in visible.versions_for(request.user, row)[:_MOST_LISTED]],
        "can_retire": shown.status == "published"
        and (shown.is_mine or (request.user.is_organiser and row.author_id is not None)),
        **trial_views.context_of(request, draft, more),
        **more,
    }
    return render(request, "web/contests/contest.html", context)


@posted_from("web:contest", "contest_id")
@signed_in
@counted
def restore(request: HttpRequest, contest_id: UUID) -> HttpResponse:
    """Save the content of an earlier version as a new one."""
    row = visible.contest_for(request.user, contest_id)
    number, base = (version_in(request.POST.get(name, "")) for name in ("version", "base"))
    if number is None or base is None:
        raise Problem("malformed", _("The form is out of date; load the page again."))
    draft = read_draft(visible.version_for(request.user, row, number).data)
    try:
        saved = saving.save(account=request.user, contest_id=contest_id, draft=draft, base=base)
    except ContestMoved as moved:
        messages.error(request, str(moved))
    else:
        sentence = _("Version %(new)s has the content of version %(old)s.")
        messages.success(request, sentence % {"new": saved.version, "old": number})
    return redirect("web:contest", contest_id=contest_id)


@cache
def _guide() -> str:
    text: str = (settings.BASE_DIR / "docs/first-main-match.md").read_text(encoding="utf-8")
    return text
