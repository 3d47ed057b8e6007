"""The list of an account's seasons, and the room of each season: its steps, people, matches and record."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, get_args

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from msgspec.structs import asdict

from events import store
from games import catalogue
from games.kernel import Illegal
from matches.http.paging import page as rows_after
from matches.panel.dashboard import MatchRow, open_appeals
from matches.panel.seasons.acts import ACTS, SeasonAct
from matches.panel.seasons.forms import SeasonForm, match_label
from matches.panel.seasons.opening import in_words
from matches.panel.seasons.room import SeasonRoom, for_season_staff
from matches.panel.seasons.steps import current_part
from matches.seasons import contents, joining
from matches.seasons.domain.availability import Availability, said_of
from matches.seasons.domain.claims import CLAIMS
from matches.seasons.domain.declared import Section
from matches.seasons.domain.match_acts import SetTable
from matches.seasons.domain.state import SeasonMatch
from matches.seasons.models import Member
from matches.seasons.reads import arrivals, disputes, event_documents, feed, listing, selectors
from matches.seasons.reads.availability import said_in
from matches.seasons.reads.documents import LedgerEntry
from matches.seasons.reads.timetable import deadline_of

_SHOWN = 12
_PAGE = 50
_OF_LINKS = {
    "revoked": "revoked",
    "used_up": "used up",
    "expired": "expired",
    "closed": "closed, as the season has begun",
}
_RUNS = ("organiser", "host")
_FILES = (
    ("standings", gettext_lazy("Standings")),
    ("ledger", gettext_lazy("Garnet ledger")),
    ("schedule", gettext_lazy("Schedule")),
    ("results", gettext_lazy("Results of the main matches")),
)
"""The lists that can be downloaded as files for spreadsheets."""


class Dialog(NamedTuple):
    """An act's dialog; `is_open` after a refusal."""

    act: SeasonAct
    form: SeasonForm
    is_open: bool


class Fixture(NamedTuple):
    """A match in the list; `code` is empty until its table is set, `away` are the players who can't play at its
    time."""

    match: SeasonMatch
    what: str
    game: str
    code: str
    status: str
    opens_at: datetime | None
    away: str
    setup_closes_at: datetime | None
    result: str


@never_cache
@require_safe
def seasons(request: HttpRequest) -> HttpResponse:
    """List the seasons in which the account has a part, newest first; organisers of the service see all."""
    rows, following = rows_after(selectors.with_a_part_of(request.user), request.GET.get("cursor") or None, _PAGE)
    listed = listing.cards(rows, request.user)
    context = {
        **admin.site.each_context(request),
        "title": "Seasons",
        "officiated": [card for card in listed if card.role != Member.Role.PLAYER],
        "played": [card for card in listed if card.role == Member.Role.PLAYER],
        "may_open": request.user.is_organiser,
        "is_first": "cursor" not in request.GET,
        "next": following,
    }
    return render(request, "panel/seasons.html", context)


@require_safe
@for_season_staff
def season(request: HttpRequest, room: SeasonRoom) -> HttpResponse:
    """Show the room; with `contest` its reference is chosen in the forms of a main match, and one of them is open."""
    if room.contest:
        try:
            contents.look_up(room.contest, room.account)
        except Illegal as refused:
            messages.error(request, refused.message)
            room = replace(room, contest="")
    return page(request, room)


@require_safe
@for_season_staff
def news(request: HttpRequest, room: SeasonRoom) -> HttpResponse:
    """Return a notice that the season has a newer version; 204 if the version in `after` is the newest."""
    if request.GET.get("after") == str(room.state.version):
        return HttpResponse(status=204)
    return render(request, "panel/season_news.html", {"season": room.row, "version": room.state.version})


def page(request: HttpRequest, room: SeasonRoom, refused: Dialog | None = None, status: int = 200) -> HttpResponse:
    """Render the room, with the dialog of a refused act open."""
    dialogs = list(_dialogs(room, refused))
    context = {
        **admin.site.each_context(request),
        "title": room.state.title,
        "season": room.row,
        "state": room.state,
        "role": room.by.role,
        "runs": room.by.role in _RUNS,
        "part": current_part(room),
        "dialogs": dialogs,
        "sections": {section: [it.act for it in dialogs if it.act.section == section] for section in get_args(Section)},
        **_intake(request, room),
        "claims": _claims(room),
        **deadline_of(room.state),
        "standings": feed.standings(room.state).results,
        "staff": feed.staff(room.state).results,
        "fixtures": _fixtures(room),
        "appeals": _appeals(room),
        "moves": [_move(room, it) for it in reversed(feed.ledger(room.row.id).results[-_SHOWN:])],
        "rulings": list(reversed(feed.rulings(room.row.id).results))[:_SHOWN],
        "events": list(
            reversed(event_documents.events(room.row.id, max(0, room.state.version - _SHOWN), _SHOWN).results)
        ),
        "priority": in_words(room.state.options.priority),
        "files": _FILES,
        "pool": [catalogue[slug].title for slug in room.state.options.pool],
    }
    return render(request, "panel/season.html", context, status=status)


def _claims(room: SeasonRoom) -> list[dict[str, Any]]:
    """Return the season's open claims, each with its subject."""
    if not any(it.status == "open" for it in room.state.claims):
        return []
    waiting = [it for it in disputes.claims(room.row.id, store.clock()).results if it.status == "open"]
    return [
        {
            "claim": it,
            "by": room.call(str(it.player.id)),
            "what": CLAIMS[it.kind],
            "match": match_label(room, str(it.match)) if it.match else "",
        }
        for it in waiting
    ]


def _intake(request: HttpRequest, room: SeasonRoom) -> dict[str, Any]:
    """Return the applications, and for organisers the joining links."""
    context: dict[str, Any] = {"applications": [], "links": []}
    if room.state.intake.waiting:
        context["applications"] = [it for it in arrivals.applications(room.state).results if it.status == "waiting"]
    if room.by.is_organiser and room.state.intake.links:
        root, season_id = request.build_absolute_uri("/").rstrip("/"), room.row.id
        labels = joining.labels_of(season_id)
        address_of = partial(joining.address_of, season_id, root=root)
        newest_links = arrivals.links(room.state, store.clock(), labels, address_of).results
        context["links"] = [{**asdict(it), "told": _OF_LINKS.get(it.status, "")} for it in reversed(newest_links)]
    return context


def dialog_of(room: SeasonRoom, act: SeasonAct, data: Any = None) -> SeasonForm:
    """Return the form of an act, empty or as it was sent."""
    return act.form(data, room=room, offer=room.offers[act.name], auto_id=f"{act.name}-%s")


def _dialogs(room: SeasonRoom, refused: Dialog | None) -> Iterator[Dialog]:
    for act in ACTS.values():
        if refused and act is refused.act:
            yield refused
        elif room.offers[act.name].is_available and (form := dialog_of(room, act)).is_available:
            yield Dialog(act, form, bool(room.contest) and act.name == SetTable.name)


def _fixtures(room: SeasonRoom) -> list[Fixture]:
    """Return the season's matches, the newest first."""
    said = said_in(room.row.id, room.state.living)
    return [
        Fixture(
            match=match,
            what=match_label(room, match.id),
            game=match.title,
            code=room.tables[match.id].code if match.id in room.tables else "",
            status=_status(room, match),
            # The planned time is hidden once the match has begun, as its host may have started it early.
            opens_at=datetime.fromisoformat(match.opens_at) if match.opens_at and not room.at_table(match.id) else None,
            away=_away(room, match, said),
            setup_closes_at=match.setup_closes_at if match.status == "scheduled" else None,
            result=_result(room, match),
        )
        for match in reversed(room.state.matches.values())
    ]


def _away(room: SeasonRoom, match: SeasonMatch, said: Mapping[str, Availability]) -> str:
    """Return the players who can't play at the time of a match that hasn't begun."""
    if match.status != "scheduled" or match.opens_at is None or room.at_table(match.id):
        return ""
    away = said_of(said, match.players, datetime.fromisoformat(match.opens_at)).cannot
    return room.call(*away) if away else ""


def _status(room: SeasonRoom, match: SeasonMatch) -> str:
    """Return the match's status in the season, or before its result the state of its table."""
    if match.status == "finished" and match.winner:
        return "awaits approval"
    return (match.status == "scheduled" and room.at_table(match.id)) or match.status


def _result(room: SeasonRoom, match: SeasonMatch) -> str:
    if match.winner:
        return f"{room.call(match.winner)} won"
    return f"{room.call(*match.ranking[0])} came first" if match.ranking else ""


def _appeals(room: SeasonRoom) -> list[MatchRow]:
    return open_appeals([match.id for match in room.tables.values()])


def _move(room: SeasonRoom, entry: LedgerEntry) -> dict[str, Any]:
    ways = {"source": entry.source, "target": entry.target}
    names = {name: room.call(str(account)) if account else "the season" for name, account in ways.items()}
    return {**names, "entry": entry}
