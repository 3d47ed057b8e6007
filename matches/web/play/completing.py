"""Completing a seat's drafts by request: a proposal, which is not sent."""

from random import SystemRandom

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from games.kernel import Illegal
from matches.html.entry import counted, signed_in
from matches.html.trays import completed
from matches.http.problems import Problem
from matches.reads import feed
from matches.reads.sentences import names_of
from matches.web.play.viewers import viewer_of

MOST_DRAFTS = 50
LONGEST_DRAFT = 300


@require_POST
@signed_in
@counted
def completion(request: HttpRequest, code: str) -> HttpResponse:
    """Return a completion of the seat's drafts, each a `text` in notation, as JSON: `groups`. It uses only what the
    seat knows."""
    viewer = viewer_of(request, code)
    if viewer.seat is None:
        raise Problem("forbidden", "You hold no seat at this match.")
    match_state = feed.visible_state(viewer.match.id, viewer.seat)
    if match_state.lifecycle.status != "running" or not match_state.due.commands_of(viewer.seat):
        raise Illegal("not_your_turn", "There is nothing for you to fill in now.")
    game, aids = match_state.game, match_state.lifecycle.opened.aids
    if "filling" in game.aids and "filling" not in game.aided(aids):
        raise Problem("aids_off", "This match is played without aids: nothing is filled in for you.")
    drafts = request.POST.getlist("text")
    if len(drafts) > MOST_DRAFTS or any(len(draft) > LONGEST_DRAFT for draft in drafts):
        raise Problem("malformed", f"Send at most {MOST_DRAFTS} drafts of at most {LONGEST_DRAFT} characters.")
    state, names = match_state.state, names_of(viewer.match)
    commands = [game.parse(state, viewer.seat, draft, names) for draft in drafts]
    return JsonResponse({"groups": completed(game.slug, state, viewer.seat, commands, SystemRandom())})
