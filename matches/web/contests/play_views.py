"""Playing a contest of the library: as a main match, as a friendly, and as a rehearsal with bots."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.kernel import Illegal
from matches.contests.domain.drafts import read_draft
from matches.contests.models import Version
from matches.contests.reads import visible
from matches.domain.events import BOT
from matches.html.entry import counted, posted_from, signed_in
from matches.html.form_values import version_in
from matches.http.bodies import OpenBody, SeatBody
from matches.http.problems import Problem
from matches.models import Account
from matches.seasons.reads import selectors
from matches.web.opening.opening_views import open_pressed

_MOST_SEASONS: Final = 10


@posted_from("web:contest", "contest_id")
@signed_in
@counted
def rehearse(request: HttpRequest, contest_id: UUID) -> HttpResponse:
    """Open and start a match of bots, with the reader as its host, or in the first seat; redirect to it."""
    row = visible.contest_for(request.user, contest_id)
    draft = read_draft(visible.version_for(request.user, row, version_in(request.POST.get("version", ""))).data)
    content, seats = draft.content, version_in(request.POST.get("seats", "")) or 0
    if content is None:
        messages.error(request, _("A contest with faults can't be played. Mend them first."))
    elif not content.least_seats <= seats <= content.most_seats:
        sentence = _("This contest is for %(least)s to %(most)s players.")
        messages.error(request, sentence % {"least": content.least_seats, "most": content.most_seats})
    else:
        players = [BOT] * seats
        if request.POST.get("part") == "seat":
            players[0] = str(request.user.pk)
        options = {"content": draft.data}
        try:
            return open_pressed(request, OpenBody("contest", [SeatBody(player=it) for it in players], options))
        except (Illegal, Problem) as refused:
            messages.error(request, refused.message if isinstance(refused, Illegal) else refused.detail)
    return redirect("web:contest", contest_id=contest_id)


def seasons_for(account: Account, version: Version) -> Sequence[dict[str, Any]]:
    """Return the titles of the seasons in which the account can set the version as main match, with the addresses of
    their forms."""
    reference = f"{version.contest_id}@{version.number}"
    return [
        {
            "title": it.title,
            "address": f"{reverse('admin:season', args=[it.id])}?contest={reference}",
        }
        for it in selectors.run_by(account)[:_MOST_SEASONS]
    ]
