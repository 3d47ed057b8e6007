"""The frame of every tab of a season's page: the poster, the tabs, and the mark of the page's state."""

from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import Struct

from events import store
from matches.models import Account
from matches.reads import permissions
from matches.reads import selectors as match_selectors
from matches.seasons.models import Season
from matches.seasons.reads import board, room_documents, rooms
from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument
from matches.talk import settings
from matches.web.lobby.cards import Card, cards
from matches.web.seasons.poster import poster_of
from matches.web.seasons.reading import Reading
from matches.web.seasons.steps import steps

NOTHING_NEW = 204
"""The status of the response to a page that is up to date."""

_FRESH_SECONDS = 60
_TABS = (
    ("season_episodes", gettext_lazy("All episodes")),
    ("season_matches", gettext_lazy("Matches")),
    ("season_ledger", gettext_lazy("Garnet ledger")),
    ("season_rulings", gettext_lazy("Rulings")),
    ("season_rules", gettext_lazy("Rules")),
    ("season_events", gettext_lazy("Events")),
)


class Tab(Struct, frozen=True):
    label: str
    address: str
    is_here: bool


def framed(reading: Reading, tab: str, **more: object) -> dict[str, Any]:
    """Return the context of a tab, with that of the frame."""
    document, reader = reading.document, reading.reader
    episode = episode_at_hand(document)
    episode_steps = steps(document, episode, reading.pending) if episode else []
    live = _live(reading)
    return reading.context(
        poster=poster_of(reading, episode_steps),
        tabs=_tabs(reading, tab),
        episode=episode,
        episode_steps=episode_steps,
        live=live,
        told_at=store.clock(),
        reader_id=reader.id if reader else None,
        mark=mark_of(reading),
        may_run=reader is not None and permissions.runs(document.id, reader.id),
        **more,
    )


def episode_at_hand(document: SeasonDocument) -> EpisodeDocument | None:
    """Return the newest episode; None before the first one and from the final on."""
    if document.status in ("final", "finished") or not document.episodes:
        return None
    return document.episodes[-1]


def mark_of(reading: Reading) -> str:
    """Return a text that changes whenever the page does: with the season, a match under way, and every minute."""
    moves = "-".join(f"{card.code}{card.version}{card.status[0]}" for card in _live(reading))
    return f"{reading.newest}-{int(store.clock().timestamp()) // _FRESH_SECONDS}-{moves}"


def is_fresh(reading: Reading, shown: str) -> bool:
    """True if a page with this mark is up to date."""
    return bool(shown) and shown == mark_of(reading)


def tab_at_hand(document: SeasonDocument) -> str:
    if document.status in ("final", "finished"):
        return _("The final")
    if not document.episodes:
        return _("Enrolment")
    return _("Episode %(number)s") % {"number": len(document.episodes)}


def _tabs(reading: Reading, here: str) -> list[Tab]:
    listed = (("season", tab_at_hand(reading.document)), *_TABS)
    at = f"?at={reading.at}" if reading.at is not None else ""
    season = reading.document.id
    tabs = [Tab(label, f"{reverse(f'web:{name}', args=[season])}{at}", name == here) for name, label in listed]
    if reading.reader and _reads_board(reading.reader, season):
        tabs.append(Tab(_("Board"), reverse("web:season_board", args=[season]), False))
    if reading.reader and _has_rooms(reading.reader, season):
        tabs.append(Tab(_("Rooms"), reverse("web:season_rooms", args=[season]), False))
    return tabs


def _reads_board(reader: Account, season_id: UUID) -> bool:
    return bool(board.rights(reader, season_id, settings.open_to(season_id))[0].reads)


def _has_rooms(reader: Account, season_id: UUID) -> bool:
    return room_documents.has_any(rooms.visitor(reader, Season.objects.get(id=season_id)))


def _live(reading: Reading) -> list[Card]:
    """Return the matches under way, as the reader may see them."""
    if reading.is_past:
        return []
    shown = cards(match_selectors.running_of_season(reading.document.id), reading.reader)
    return [card for card in shown if card.status in ("running", "paused")]
