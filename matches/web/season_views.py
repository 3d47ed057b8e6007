"""Seasons: the list, and one season at any version."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from msgspec import Struct

from games import catalogue
from matches import selectors as match_selectors
from matches.api.paging import page
from matches.api.problems import Problem
from matches.models import Account
from matches.seasons import feed, selectors
from matches.seasons.documents import LedgerEntry, SeasonDocument, SeasonMatchDocument
from matches.seasons.stored import NoSuchSeason
from matches.web.cards import cards
from matches.web.season_ladder import ladder, names_in

Names = Callable[[UUID | None], str]

_PAGE = 20
_LAST_ENTRIES = 100
_LAST_EVENTS = 50
_KINDS = {"main": "Main match", "death": "Death match", "final": "Final"}


class Fixture(Struct, frozen=True):
    """A match of the season in the schedule."""

    what: str
    title: str
    players: str
    opens_at: datetime | None
    status: str
    winner: str
    address: str


class Movement(Struct, frozen=True):
    """A line of the ledger."""

    version: int
    at: datetime
    giver: str
    taker: str
    amount: int
    cause: str
    reason: str
    balances: str


@require_safe
def seasons(request: HttpRequest) -> HttpResponse:
    """The seasons that the reader may see, newest first."""
    reader = _reader(request)
    found, following = page(selectors.seasons_for(reader), request.GET.get("cursor") or None, _PAGE)
    roles = selectors.roles_of(reader, found) if reader else {}
    told = {"seasons": [selectors.card(season, roles) for season in found], "next": following}
    return render(request, "web/seasons.html", told)


@require_safe
def season(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """One season; with `?at=` as it stood at that version."""
    reader = _reader(request)
    row = selectors.season_for(reader, season_id)
    if row is None:
        raise Problem("not_found", "There is no season with this id, or it isn't public.")
    at = _version(request)
    role = selectors.role_in(reader, row.id) if reader else None
    try:
        document = feed.season(row, role, at)
    except NoSuchSeason:
        raise Problem("not_found", "The season has no such version.") from None
    return render(request, "web/season.html", _told(document, reader, row.version, at))


def _told(document: SeasonDocument, reader: Account | None, newest: int, at: int | None) -> dict[str, object]:
    name = names_in(document)
    ledger = feed.ledger(document.id, at)
    events = feed.events(document.id, max(0, document.version - _LAST_EVENTS), _LAST_EVENTS)
    running = match_selectors.running_of_season(document.id)
    return {
        "season": document,
        "champion": name(document.champion) if document.champion else "",
        "newest": newest,
        "is_past": at is not None and at < newest,
        "ladder": ladder(document),
        "schedule": [_fixture(it, name) for it in _matches(document)],
        "live": cards(running, reader) if at is None else [],
        "ledger": [_movement(it, name) for it in reversed(ledger.results)][:_LAST_ENTRIES],
        "moved": len(ledger.results),
        "rulings": list(reversed(feed.rulings(document.id, at).results)),
        "events": [it for it in reversed(events.results) if it["version"] <= document.version],
        "games": [catalogue[slug].title for slug in document.options.pool],
    }


def _matches(document: SeasonDocument) -> list[SeasonMatchDocument]:
    return [match for it in document.episodes for match in it.matches] + document.final.matches


def _fixture(match: SeasonMatchDocument, call: Names) -> Fixture:
    what = _KINDS[match.kind] if match.kind == "final" else f"{_KINDS[match.kind]}, episode {match.episode}"
    return Fixture(
        what=what,
        title=catalogue[match.game].title,
        players=" against ".join(call(it) for it in match.players),
        opens_at=datetime.fromisoformat(match.opens_at) if match.opens_at else None,
        status=match.status,
        winner=call(match.winner) if match.winner else "",
        address=f"/m/{match.id}/",
    )


def _movement(entry: LedgerEntry, call: Names) -> Movement:
    balances = [
        f"{call(account)} {balance}"
        for account, balance in ((entry.source, entry.source_balance), (entry.target, entry.target_balance))
        if account is not None
    ]
    return Movement(
        version=entry.version,
        at=entry.at,
        giver=call(entry.source),
        taker=call(entry.target),
        amount=entry.amount,
        cause=entry.cause.replace("_", " "),
        reason=entry.reason,
        balances=", ".join(balances),
    )


def _reader(request: HttpRequest) -> Account | None:
    return request.user if isinstance(request.user, Account) else None


def _version(request: HttpRequest) -> int | None:
    given = request.GET.get("at", "")
    if not given:
        return None
    if not given.isascii() or not given.isdecimal() or not 1 <= int(given[:12]) < 2**31:
        raise Problem("malformed", "`at` is a version: a whole number from 1 on.")
    return int(given)
