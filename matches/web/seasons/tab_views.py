"""The tabs of a season's page, each at its own URL and at any version."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import catalogue
from matches.html.entry import counted
from matches.seasons import archive
from matches.seasons.reads import event_documents, feed
from matches.web.seasons.claiming import shown_claims
from matches.web.seasons.frame import NOTHING_NEW, framed, is_fresh
from matches.web.seasons.ledger import movement
from matches.web.seasons.reading import Reading, opened
from matches.web.seasons.schedule import fixtures, matches_in
from matches.web.seasons.steps import steps

_LAST_ENTRIES = 100
_LAST_EVENTS = 200
ContextOf = Callable[[Reading], dict[str, Any]]
View = Callable[[HttpRequest, UUID], HttpResponse]


def _episodes(reading: Reading) -> dict[str, Any]:
    document = reading.document
    players = {it.player.id: it.player for it in document.standings}
    listed = [
        (it, [step.text for step in steps(document, it, reading.pending)
              if step.state == "done" and step.kind in ("main", "duel")],
         players.get(it.eliminated) if it.eliminated else None)
        for it in document.episodes
    ]  # fmt: skip
    return {"episodes": list(reversed(listed))}


def _matches(reading: Reading) -> dict[str, Any]:
    return {"schedule": fixtures(reading, matches_in(reading.document))}


def _ledger(reading: Reading) -> dict[str, Any]:
    ledger = feed.ledger(reading.document.id, reading.document.version)
    newest = list(reversed(ledger.results))[:_LAST_ENTRIES]
    return {"ledger": [movement(it, reading.call) for it in newest], "moved": len(ledger.results)}


def _rulings(reading: Reading) -> dict[str, Any]:
    document = reading.document
    return {
        "rulings": list(reversed(feed.rulings(document.id, document.version).results)),
        "claims": shown_claims(document.id, document.version) if reading.reads_claims else [],
    }


def _rules(reading: Reading) -> dict[str, Any]:
    return {
        "games": [catalogue[slug].title for slug in reading.document.options.pool],
        "may_take": archive.witness_for(reading.reader, reading.document.id) is not None,
    }


def _events(reading: Reading) -> dict[str, Any]:
    document = reading.document
    newest = event_documents.events(document.id, max(0, document.version - _LAST_EVENTS), _LAST_EVENTS)
    events = reading.readable(it for it in reversed(newest.results) if it["version"] <= document.version)
    return {"events": events, "earlier": max(0, document.version - _LAST_EVENTS)}


def _tab(name: str, context_of: ContextOf) -> View:
    @require_safe
    @counted
    def tab(request: HttpRequest, season_id: UUID) -> HttpResponse:
        reading = opened(request, season_id)
        if is_fresh(reading, request.GET.get("shown", "")):
            return HttpResponse(status=NOTHING_NEW)
        return render(request, f"web/{name}_tab.html", framed(reading, name, **context_of(reading)))

    return tab


episodes = _tab("season_episodes", _episodes)
matches = _tab("season_matches", _matches)
ledger = _tab("season_ledger", _ledger)
rulings = _tab("season_rulings", _rulings)
rules = _tab("season_rules", _rules)
events = _tab("season_events", _events)
