"""The dashboard for officials: running matches, low clocks, open appeals and results, the health of the service."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import DurationField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from events.checkpoints import notes, signing
from events.models import LoggedEvent
from games.drawing.themes import SEAT_LETTERS
from matches.html.name_lists import shortened
from matches.html.seats import names_of
from matches.http import readiness
from matches.models import Account, Deadline, Match
from matches.reads import permissions
from matches.reads.titles import title_of
from matches.seasons.models import Member
from matches.seasons.reads import officials, selectors

RECENT = 300
"""Appeals and results are looked for in so many matches, those that changed last."""
_SHOWN = 12
_MOST_HOSTED = 100
_LOW = timedelta(seconds=60)


@dataclass(frozen=True)
class MatchRow:
    """A match in a list of the dashboard; `note` says why it is there."""

    code: str
    title: str
    players: str
    status: str
    note: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class CheckpointStatus:
    """The newest checkpoint: how many heads it holds, when it was signed, and whether the signature is good."""

    size: int
    at: datetime | None
    holds: bool


def of_the_house(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the dashboard of what this account may see, without the seasons in which it plays."""
    kept = selectors.kept_from(request.user)
    visible = Match.objects.filter(permissions.visibility_filter(request.user.id)).exclude(id__in=kept.values("id"))
    on = visible.filter(status__in=(Match.Status.RUNNING, Match.Status.PAUSED))
    recent = list(visible.order_by("-changed_at").values_list("id", flat=True)[:RECENT])
    return {
        "runs": request.user.is_organiser,
        "on_count": on.count(),
        "running": [_row(match) for match in _seated(on.order_by("-changed_at"))[:_SHOWN]],
        "low": low_clocks(visible),
        "appeals": open_appeals(recent),
        "unapproved": unapproved(recent),
        "of_seasons": officials.waiting_for(request.user, selectors.with_a_part_of(request.user)),
        "parts": {part.name: part.answers for part in readiness.components()},
        "checkpoint": newest_checkpoint(),
        "recent": RECENT,
    }


@never_cache
@require_safe
def hosting(request: HttpRequest) -> HttpResponse:
    """Show the matches that the account hosts, official or not: first those that aren't over."""
    kept = selectors.kept_from(request.user)
    hosted = Match.objects.filter(hosted_by(request.user)).exclude(id__in=kept.values("id"))
    mine = _seated(hosted.order_by(F("finished_at").desc(nulls_first=True), "-changed_at"))[: _MOST_HOSTED + 1]
    rows = [_row(match) for match in mine]
    context = {
        **admin.site.each_context(request),
        "title": "Matches I host",
        "runs": True,
        "rows": rows[:_MOST_HOSTED],
        "is_cut": len(rows) > _MOST_HOSTED,
    }
    return render(request, "panel/hosting.html", context)


def low_clocks(visible: QuerySet[Match]) -> list[MatchRow]:
    """Return the matches whose next flag falls within a minute, or is overdue, the earliest first."""
    left = ExpressionWrapper(F("falls_at") - Now(), output_field=DurationField())
    soon = (
        Deadline.objects.filter(match__in=visible, falls_at__lt=Now() + _LOW).annotate(left=left).order_by("falls_at")
    )
    lefts = {deadline.match_id: deadline.left for deadline in soon[:_SHOWN]}
    rows = _by_id(list(lefts))
    return [_row(rows[it], f"{max(0, int(left.total_seconds()))} s") for it, left in lefts.items() if it in rows]


def open_appeals(match_ids: list[UUID]) -> list[MatchRow]:
    """Return the appeals that wait for an answer, oldest first."""
    logged = LoggedEvent.objects.filter(stream__in=match_ids)
    answered = {
        (stream, public["number"])
        for stream, public in logged.filter(type="appeal_answered").values_list("stream", "public")
    }
    waiting = [
        event
        for event in logged.filter(type="appeal_opened").order_by("at")
        if (event.stream, event.public["number"]) not in answered
    ]
    rows = _by_id([event.stream for event in waiting])
    return [_row(rows[event.stream], _appeal(event.public), event.at) for event in waiting]


def unapproved(match_ids: list[UUID]) -> list[MatchRow]:
    """Return the results that wait for a host's approval, oldest first."""
    logged = LoggedEvent.objects.filter(stream__in=match_ids)
    asking = logged.filter(version=1, public__approval=True).values_list("stream", flat=True)
    approved = logged.filter(type="result_approved").values_list("stream", flat=True)
    rows = _by_id(list(set(asking) - set(approved)))
    over = sorted(
        (match for match in rows.values() if match.status == Match.Status.FINISHED), key=lambda it: it.finished_at
    )
    return [_row(match, "", match.finished_at) for match in over]


def newest_checkpoint() -> CheckpointStatus | None:
    """Return the newest checkpoint, its signature checked; None before the first."""
    note = signing.newest()
    if note is None:
        return None
    try:
        checkpoint = notes.read(note, signing.signer().verifier_key)
    except notes.InvalidNote:
        return CheckpointStatus(0, None, False)
    return CheckpointStatus(checkpoint.size, checkpoint.at, True)


def hosted_by(account: Account) -> Q:
    """Return the filter for matches that the account runs: its own friendlies, and those of the seasons that it
    organises or hosts."""
    roles = (Member.Role.ORGANISER, Member.Role.HOST)
    seasons = Member.objects.filter(account_id=account.id, role__in=roles).values("season")
    return Q(opened_by=account, season=None) | Q(season__in=seasons)


def match_rows(matches: QuerySet[Match]) -> list[MatchRow]:
    """Return matches as rows of a list, in their order."""
    return [_row(match) for match in _seated(matches)]


def _seated(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.prefetch_related("seats__account")


def _by_id(match_ids: list[UUID]) -> dict[UUID, Match]:
    return {match.id: match for match in _seated(Match.objects.filter(id__in=match_ids))}


def _row(match: Match, note: str = "", at: datetime | None = None) -> MatchRow:
    title = title_of(match)
    return MatchRow(
        match.code, title, ", ".join(shortened(names_of(match))), match.status, note, at or match.changed_at
    )


def _appeal(public: dict[str, Any]) -> str:
    return f"Seat {SEAT_LETTERS[public['seat']]}, {public['kind']}: {public['text']}"
