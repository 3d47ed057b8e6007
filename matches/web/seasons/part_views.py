"""Parts of a season, each at any version: an episode, and a player's tenure."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import catalogue
from matches.html.entry import counted
from matches.http.problems import Problem
from matches.seasons.reads import feed
from matches.seasons.reads.documents import EpisodeDocument, RulingDocument, SeasonDocument
from matches.seasons.reads.sentences import places_told
from matches.web.seasons.claiming import claims_told
from matches.web.seasons.deeds import before_handing_over, parts
from matches.web.seasons.frame import NOTHING_NEW, is_fresh, mark_of
from matches.web.seasons.ladder import ending, is_former, mark
from matches.web.seasons.ledger import movement
from matches.web.seasons.reading import Reading, opened
from matches.web.seasons.schedule import fixtures
from matches.web.seasons.tenure import bars, decisions, proposed, to_come

_ALL = 1_000_000


@require_safe
@counted
def episode(request: HttpRequest, season_id: UUID, number: int) -> HttpResponse:
    """An episode, step by step: main match, tokens of life, EC, DMO, death match, and what happened on the way."""
    reading = opened(request, season_id)
    document, call = reading.document, reading.call
    found = next((it for it in document.episodes if it.number == number), None)
    if found is None:
        raise Problem("not_found", "The season has no such episode, or hadn't at that version.")
    told = reading.told(
        episode=found,
        acted=parts(found, call),
        places=places_told(found.places, call),
        giving=call(found.giving) if found.giving else "",
        games=[catalogue[slug].title for slug in found.games],
        tables=fixtures(reading, [it for it in found.matches if it.kind == "main"]),
        duels=fixtures(reading, [it for it in found.matches if it.kind == "death"]),
        eliminated=call(found.eliminated) if found.eliminated else "",
        claims=claims_told(document.id, document.version, number) if reading.reads_claims else [],
        rulings=_rulings(document, found),
        events=_of_episode(_events(reading), found),
        earlier=number - 1 if number > 1 else None,
        later=number + 1 if number < len(document.episodes) else None,
    )
    return render(request, "web/season_episode.html", told)


@require_safe
@counted
def player(request: HttpRequest, season_id: UUID, account: UUID) -> HttpResponse:
    """A player in the season: each episode of the tenure, matches, garnets, and what happened. With `?shown=` nothing
    where the page that is shown is fresh."""
    reading = opened(request, season_id)
    if is_fresh(reading, request.GET.get("shown", "")):
        return HttpResponse(status=NOTHING_NEW)
    document, call = reading.document, reading.call
    tenure = feed.tenure(document.id, account, document.version)
    if tenure is None:
        raise Problem("not_found", "Nobody of this id plays in the season, or did at that version.")
    standing, happened = tenure.standing, _events(reading)
    coming = to_come(tenure.matches)
    told = reading.told(
        standing=standing,
        mark=mark_of(reading),
        is_former=is_former(standing),
        ending=ending(standing, call),
        predecessor=call(standing.succeeds) if standing.succeeds else "",
        successor=call(standing.succeeded_by) if standing.succeeded_by else "",
        marks=[
            (it, mark(it, standing), before_handing_over(it, account))
            for it in _tenure(document, standing.since, standing.left)
        ],
        matches=fixtures(reading, tenure.matches),
        bars=bars(account, tenure.ledger, happened, standing.since, standing.left),
        decisions=decisions(account, happened),
        appointments=list(zip(fixtures(reading, coming), map(proposed, coming), strict=True)),
        ledger=[movement(it, call) for it in reversed(tenure.ledger)],
        events=[it for it in reversed(happened) if _names(it, str(account))],
    )
    return render(request, "web/season_player.html", told)


def _rulings(document: SeasonDocument, episode: EpisodeDocument) -> list[RulingDocument]:
    """What officials have said about the episode's matches, also later, the newest first."""
    matches = {it.id for it in episode.matches}
    return [it for it in reversed(feed.rulings(document.id, document.version).results) if it.match in matches]


def _tenure(document: SeasonDocument, since: int, left: int | None) -> list[EpisodeDocument]:
    return [it for it in document.episodes if since <= it.number <= (left or len(document.episodes))]


def _events(reading: Reading) -> list[dict[str, Any]]:
    told = feed.events(reading.document.id, 0, _ALL).results
    return reading.readable(it for it in told if it["version"] <= reading.document.version)


def _of_episode(events: list[dict[str, Any]], episode: EpisodeDocument) -> list[dict[str, Any]]:
    """What happened from the episode's opening until the next one's, or the final's."""
    chapter, found = 0, []
    for it in events:
        chapter = it["number"] if it["type"] == "episode_opened" else 0 if it["type"] == "final_opened" else chapter
        if chapter == episode.number:
            found.append(it)
    return found


def _names(value: object, account: str) -> bool:
    """Whether an event's fields name this account, who did it apart."""
    if isinstance(value, dict):
        return any(_names(it, account) for name, it in value.items() if name != "actor")
    if isinstance(value, list | tuple):
        return any(_names(it, account) for it in value)
    return value == account
