"""Disputes: the list of appeals, and a printable page for each."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from events import store
from events.models import LoggedEvent
from matches.audit import knowledge
from matches.domain import impartiality
from matches.domain.lifecycle import Appeal
from matches.html.entry import counted, posted_from, signed_in
from matches.html.seats import names_of
from matches.http.match_access import hosts, is_barred
from matches.models import Match
from matches.panel.audit import disputes
from matches.panel.audit.listed_events import listed_events
from matches.panel.audit.scope import Scope, for_auditors, newest_first
from matches.panel.entry import ControlRoom
from matches.reads import entitlements, permissions, selectors
from matches.seasons.reads.event_documents import names_of as names_of_accounts
from matches.services import hosting, season_players
from matches.storage import repository

_PAGE = 50


@require_safe
@for_auditors
def listed(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Show the appeals, newest first, each with its answer."""
    opened = scope.events.filter(type="appeal_opened")
    appeals, following = newest_first(opened, request.GET.get("cursor") or None, _PAGE, few=not scope.whole)
    answered = LoggedEvent.objects.filter(type="appeal_answered", stream__in={it.stream for it in appeals})
    decided = {(it.stream, it.public["number"]): it.public["decision"] for it in answered}
    numbers = [it.public["number"] for it in appeals]
    context = {
        **admin.site.each_context(request),
        "title": "Disputes",
        "disputes": [
            (it, n, decided.get((it.stream, n), "")) for it, n in zip(listed_events(appeals), numbers, strict=True)
        ],
        "is_first": "cursor" not in request.GET,
        "next": following,
    }
    return render(request, "panel/disputes.html", context)


def for_its_auditors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the match and the appeal to the view, for accounts that run or audit its season, or run a friendly in which
    they don't play.

    Others get 404; raise Illegal for an account that may not because it plays.
    """

    @wraps(view)
    def enter(request: HttpRequest, code: str, number: int) -> HttpResponse:
        match = selectors.match_by(code)
        if match is None or not _audits(request, match):
            if match is not None and is_barred(request, match):
                season_players.refuse_season_player(match.id, request.user.id)
            raise Http404("There is no such dispute.")
        lifecycle = repository.load(match.id).lifecycle
        impartiality.refuse_player(lifecycle, str(request.user.id), "look")
        appeal = next((it for it in lifecycle.appeals if it.number == number), None)
        if appeal is None:
            raise Http404("There is no such dispute.")
        return view(request, ControlRoom(match, lifecycle, request.user), appeal)

    return never_cache(signed_in(counted(enter)))


def _audits(request: HttpRequest, match: Match) -> bool:
    if match.season_id is not None:
        return permissions.runs(match.season_id, request.user.id)
    return hosts(request, match)


@require_safe
@for_its_auditors
def dispute(request: HttpRequest, room: ControlRoom, appeal: Appeal) -> HttpResponse:
    """Show the page. Secrets are shown once they are open, or as of the reader's last look on record."""
    match, rows = room.match, store.read(room.match.id)
    # These rows decide whether secrets may be shown, not an earlier or later state of the match.
    room = replace(room, lifecycle=repository.load(match.id, upto=rows[-1].version).lifecycle)
    case = disputes.Case(match, appeal, rows, names_of_accounts(_people(rows)), _truth(request, room, len(rows)))
    among = knowledge.knowers(rows)
    wanted = disputes.versions(case, *(_version(request, name) for name in ("from", "to")))
    delay = room.lifecycle.opened.spectator_delay
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": f"{match.code} · appeal {appeal.number}",
        "match": match,
        "names": names_of(match),
        "appeal": appeal,
        "claimed": case.claimed,
        "season": match.season if match.season_id else None,
        "steps": disputes.timeline(case),
        "knowers": [disputes.column_heading(it, case.people, delay) for it in among],
        "disputed": disputes.disputed(case, wanted, among),
        "first": wanted[0] if wanted else 1,
        "last": wanted[-1] if wanted else len(rows),
        "head": rows[-1],
        "truth": case.truth,
        "is_over": room.lifecycle.over,
        "is_open": room.lifecycle.is_open,
        "may_look": not room.lifecycle.is_open
        and room.lifecycle.started
        and hosts(request, match)
        and room.seat is None
        and not entitlements.is_sealed(match.id),
        "printed_at": store.clock(),
        "address": request.build_absolute_uri(request.path),
    }
    return render(request, "panel/dispute.html", context)


@posted_from("admin:dispute", "code", "number")
@for_its_auditors
def look(request: HttpRequest, room: ControlRoom, appeal: Appeal) -> HttpResponse:
    """Record that a host looks at the secrets, then show the page with them."""
    if not hosts(request, room.match):
        raise Http404("There is no such dispute.")
    if room.lifecycle.started and not room.lifecycle.is_open:
        hosting.view_truth(match_id=room.match.id, by=request.user.id)
    return redirect(f"{reverse('admin:dispute', args=[room.match.code, appeal.number])}?as=host")


def _truth(request: HttpRequest, room: ControlRoom, newest: int) -> int:
    """Return the version up to which secrets are shown: all once they are open; before, only if requested, up to the
    host's last look on record; 0 for none. Raise sealed."""
    if room.lifecycle.is_open:
        return newest
    if request.GET.get("as") != "host" or room.seat is not None or not hosts(request, room.match):
        return 0
    return entitlements.looked_at(room.match.id, room.host.id)


def _version(request: HttpRequest, name: str) -> int | None:
    """Return a typed version; None for anything else."""
    typed = request.GET.get(name, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else None


def _people(rows: list[Any]) -> set[str]:
    actors = {it.who for it in knowledge.knowers(rows)} | {row.actor for row in rows}
    return {it for it in actors if _is_id(it)}


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
