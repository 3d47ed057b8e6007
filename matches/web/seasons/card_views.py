"""The champion's card, as a page and as a picture, and the season's poster as a picture."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from matches.html.entry import counted
from matches.http.problems import Problem
from matches.web.seasons import pictures
from matches.web.seasons.career import Career, career
from matches.web.seasons.decisive import decided
from matches.web.seasons.episode_players import people
from matches.web.seasons.picture_answers import answered
from matches.web.seasons.reading import Reading, opened
from matches.web.seasons.schedule import fixtures


@require_safe
@counted
def champion(request: HttpRequest, season_id: UUID) -> HttpResponse:
    reading = opened(request, season_id)
    champion_career, document = _career(reading), reading.document
    played = [it for it in document.final.matches if it.status == "effective"]
    won = next((it for it in reversed(played) if it.winner == document.champion), None)
    context = reading.context(
        career=champion_career,
        person=people(document)(champion_career.standing.player.id),
        decided=decided(won) if won else None,
        final=fixtures(reading, document.final.matches),
        last=document.episodes[-1].number if document.episodes else None,
    )
    return render(request, "web/season_champion.html", context)


@require_safe
@counted
def champion_picture(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """Return the champion's card as a PNG of 1200 by 630, for whoever may see the season, also signed out."""
    reading = opened(request, season_id)
    return answered(request, pictures.champion(reading.document, _career(reading)))


@require_safe
@counted
def poster(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """Return the season as a PNG of 1200 by 630, for whoever may see it, also signed out."""
    return answered(request, pictures.poster(opened(request, season_id).document))


def _career(reading: Reading) -> Career:
    finished = next((it for it in reversed(reading.events()) if it["type"] == "season_finished"), None)
    day = pictures.date_of(finished["at"]) if finished else ""
    champion_career = career(reading.document, reading.call, day)
    if champion_career is None:
        raise Problem("not_found", _("The season has no champion, or hadn't at that version."))
    return champion_career
