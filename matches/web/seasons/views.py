"""Seasons: the list, and one season at any version."""

from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import catalogue
from matches.html.entry import counted
from matches.http.paging import page
from matches.reads import permissions
from matches.reads import selectors as match_selectors
from matches.seasons import archive
from matches.seasons.reads import feed, listing, selectors
from matches.seasons.reads.documents import FinalDocument
from matches.seasons.reads.timing_sentences import DECISIONS
from matches.web.lobby.cards import cards
from matches.web.seasons.claiming import claims_told
from matches.web.seasons.ladder import ladder
from matches.web.seasons.ledger import Names, movement
from matches.web.seasons.reading import Reading, opened, reader_of
from matches.web.seasons.schedule import fixtures, matches_in

_PAGE = 20
_LAST_ENTRIES = 100
_LAST_EVENTS = 50


@require_safe
@counted
def seasons(request: HttpRequest) -> HttpResponse:
    """The seasons that the reader may see, newest first."""
    reader = reader_of(request)
    found, following = page(selectors.seasons_for(reader), request.GET.get("cursor") or None, _PAGE)
    return render(request, "web/seasons.html", {"seasons": listing.cards(found, reader), "next": following})


@require_safe
@counted
def season(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """One season; with `?at=` as it stood at that version."""
    return render(request, "web/season.html", _told(opened(request, season_id)))


def _told(reading: Reading) -> dict[str, object]:
    document, call = reading.document, reading.call
    ledger = feed.ledger(document.id, document.version)
    events = feed.events(document.id, max(0, document.version - _LAST_EVENTS), _LAST_EVENTS)
    found = [] if reading.is_past else match_selectors.running_of_season(document.id)
    running = [card for card in cards(found, reading.reader) if card.status in ("running", "paused")]
    return reading.told(
        ladder=ladder(document),
        finale=_finale(document.final, call),
        schedule=fixtures(reading, matches_in(document)),
        live=running,
        ledger=[movement(it, call) for it in reversed(ledger.results)][:_LAST_ENTRIES],
        moved=len(ledger.results),
        rulings=list(reversed(feed.rulings(document.id, document.version).results)),
        claims=claims_told(document.id, document.version) if reading.reads_claims else [],
        events=reading.readable(it for it in reversed(events.results) if it["version"] <= document.version),
        games=[catalogue[slug].title for slug in document.options.pool],
        deadline=_deadline(reading),
        may_run=reading.reader is not None and permissions.runs(document.id, reading.reader.id),
        may_take=archive.witness_for(reading.reader, document.id) is not None,
    )


def _deadline(reading: Reading) -> dict[str, object] | None:
    """Until when which decision is whose; None for one that is over, as then an organiser decides."""
    asked = reading.document.awaited
    if asked is None or asked.lapsed:
        return None
    who = " and ".join(reading.call(it) for it in asked.players)
    return {"who": who, "what": DECISIONS[asked.decision], "until": datetime.fromisoformat(asked.until)}


def _finale(final: FinalDocument, call: Names) -> str:
    """How the final stands; empty before it."""
    if final.players is None:
        return ""
    won = [it.players.index(it.winner) for it in final.matches if it.status == "effective" and it.winner]
    return ", ".join(f"{call(player)} {won.count(seat)}" for seat, player in enumerate(final.players))
