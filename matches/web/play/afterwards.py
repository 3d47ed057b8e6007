"""After the match, for its reader: a rematch, or the season's next match."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from events.models import LoggedEvent
from games.kernel import Illegal
from matches.domain import openings
from matches.domain.events import HOUSE
from matches.html.entry import counted, posted_from, signed_in
from matches.html.name_lists import shortened
from matches.http.problems import problem_of
from matches.models import Match
from matches.reads import selectors
from matches.reads.sentences import short_names_of
from matches.services import playing, rematching
from matches.web.play.viewers import Viewer, viewer_of


@dataclass(frozen=True)
class Rematch:
    """A rematch as one of its players sees it. `status` is `open` before an offer, `offered`, `begun`, or `off`;
    `sentence` describes it."""

    status: str
    match: Match | None = None
    sentence: str = ""
    is_asked: bool = False
    is_mine: bool = False


@dataclass(frozen=True)
class Afterwards:
    """The offers; `next_title` describes the next match."""

    rematch: Rematch | None
    next: Match | None
    next_title: str = ""


@require_safe
@counted
def afterwards(request: HttpRequest, code: str) -> HttpResponse:
    """Return this part of the page, for pages that poll it."""
    viewer = viewer_of(request, code)
    offered = of(viewer) if viewer.lifecycle.outcome else None
    return render(request, "web/match/afterwards.html", {"match": viewer.match, "afterwards": offered})


@posted_from("web:match", "code")
@signed_in
@counted
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """Offer a rematch, or accept an offered one; redirect to the new match once that has begun, else back."""
    match = viewer_of(request, code).match
    try:
        rematch_id = rematching.offer_rematch(match_id=match.id, player=request.user.id)
    except (Illegal, playing.NotAllowed) as refused:
        problem = problem_of(refused)
        messages.error(request, problem.detail if problem else str(refused))
        return redirect("web:match", code=match.code)
    again = Match.objects.get(id=rematch_id)
    return redirect("web:match", code=match.code if again.status == Match.Status.WAITING else again.code)


def of(viewer: Viewer) -> Afterwards:
    """Return what the viewer may do after the match."""
    if viewer.match.season_id is not None:
        to_come = selectors.to_come_in_season(viewer.match.season_id, viewer.account)
        following = [match for match in to_come if match != viewer.match]
        own = [it for it in following if _is_seated(viewer, it)]
        title = "Your next match" if own else "Next match of the season"
        return Afterwards(None, next(iter(own or following), None), title)
    can_rematch = viewer.seat is not None and not openings.has_sealed_parts(viewer.lifecycle.opened)
    return Afterwards(_rematch_for(viewer) if can_rematch else None, None)


def _is_seated(viewer: Viewer, match: Match) -> bool:
    return viewer.account is not None and any(seat.account_id == viewer.account.id for seat in match.seats.all())


def _rematch_for(viewer: Viewer) -> Rematch:
    again = Match.objects.filter(rematch_of=viewer.match.id).prefetch_related("seats__account").first()
    if again is None:
        return Rematch("open")
    me = viewer.account.id if viewer.account else None
    is_mine = again.opened_by_id == me
    names = {seat.account_id: name for seat, name in zip(again.seats.all(), short_names_of(again), strict=True)}
    if again.status == Match.Status.VOID:
        return Rematch("off", again, _called_off(again, me, names), is_mine=is_mine)
    if again.status != Match.Status.WAITING:
        return Rematch("begun", again, is_mine=is_mine)
    is_asked = any(seat.awaited and seat.account_id == me for seat in again.seats.all())
    if is_asked:
        return Rematch("offered", again, f"{names.get(again.opened_by_id, 'Somebody')} offers a rematch.", True)
    waits = " and ".join(shortened([names[seat.account_id] for seat in again.seats.all() if seat.awaited]))
    return Rematch("offered", again, f"Your rematch waits for {waits or 'the start'}.", is_mine=is_mine)


def _called_off(again: Match, me: UUID | None, names: dict[UUID | None, str]) -> str:
    voided = LoggedEvent.objects.filter(stream=again.id, type="match_voided").only("actor").first()
    actor = voided.actor if voided else HOUSE
    if actor == HOUSE:
        return "Nobody answered the offer of a rematch in time."
    if actor == str(me):
        return "You called the rematch off."
    who = next((name for account, name in names.items() if str(account) == actor), "A host")
    return (
        f"{who} took the offer of a rematch back."
        if actor == str(again.opened_by_id)
        else f"{who} declined the rematch."
    )
