"""Reads of a hub for all its connections at once: documents of the feed, encoded as frames."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import msgspec
import structlog

from events import estimated_clock, store
from events.log_throttle import LogThrottle
from events.records import NOWHERE, Point, Recorded
from games.kernel import Witness
from matches.http import renderers
from matches.reads import feed
from matches.reads.documents.news import EventsDocument, HelloDocument
from matches.services import preparing
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

_throttle = LogThrottle(seconds=60)


@dataclass(frozen=True)
class Frame:
    """The text of a frame, with the first and the last version in it."""

    since: int
    to: int
    text: str


@dataclass
class LoadedFrames:
    """The result of a read.

    newest: the match's newest point, whether or not anyone may see it yet; NOWHERE if the read must be repeated.
    reached: the point that each witness has reached.
    lost: witnesses whose point is no longer in the log; they get a new greeting.
    has_delay: True if the match's spectators have a delay.
    """

    now: datetime
    newest: Point = NOWHERE
    players: tuple[str | None, ...] = ()
    hellos: dict[Witness, HelloDocument] = field(default_factory=dict)
    events: dict[Witness, tuple[EventsDocument, Frame]] = field(default_factory=dict)
    pages: dict[tuple[Witness, str], Frame] = field(default_factory=dict)
    reached: dict[Witness, Point] = field(default_factory=dict)
    lost: frozenset[Witness] = frozenset()
    has_delay: bool = False


def load_frames(
    match_id: UUID, since: Mapping[Witness, Point], pages: Mapping[tuple[Witness, str], int]
) -> LoadedFrames:
    """Return what is new for each witness since its point; a witness at NOWHERE gets a greeting.

    `pages` has for each witness and form the version that was shown last.
    """
    result = LoadedFrames(estimated_clock.now() or store.clock())
    points = dict(since)
    while (news := feed.news(match_id, points, result.now)).lost:
        result.lost |= news.lost
        points |= dict.fromkeys(news.lost, NOWHERE)
    result.hellos, result.players, result.has_delay = news.hellos, news.players, news.has_delay
    result.newest, result.reached = news.newest, news.reached
    if any(isinstance(witness, int) for witness in result.hellos):
        # A seat's player will move soon. A broken record is reported with the command.
        with suppress(BrokenRecord):
            preparing.prepare(match_id)
    for witness, document in news.documents.items():
        result.events[witness] = document, _frame(document)
    for (witness, form), shown_version in pages.items():
        version = result.reached[witness].version
        if version > shown_version or witness in result.lost:
            try:
                text = renderers.frame(form, match_id, witness, version)
            except Exception:  # connections in other forms must continue
                # Reset the point, so that the pulse renders the page again.
                result.newest = NOWHERE
                if _throttle.is_due(match_id, form):
                    log.exception("page not drawn", match=str(match_id), form=form)
            else:
                result.pages[witness, form] = Frame(0, version, text)
    return result


def missed(match_id: UUID, witness: Witness, after: int, upto: int) -> Frame | None:
    """Return a witness's events after a version and up to another one, for a connection that has fallen behind."""
    document = feed.missed(match_id, witness, after, upto, store.clock())
    return _frame(document) if document else None


def never_happened(match_id: UUID, account: UUID | None, keys: Sequence[str]) -> list[str]:
    """Return those of an account's keys under which no command is stored."""
    stored = store.keys_stored(match_id, str(account), keys) if keys else set()
    return [key for key in keys if key not in stored]


def at_once(
    match_id: UUID, witness: Witness, before: Point, rows: Sequence[Recorded], now: datetime
) -> tuple[EventsDocument, Frame] | None:
    """Return what rows stored directly after a point show this witness, from memory; None if it must be read."""
    document = feed.news_at_once(match_id, witness, before, rows, now)
    return (document, _frame(document)) if document is not None else None


def _frame(document: EventsDocument) -> Frame:
    return Frame(document.from_, document.to, msgspec.json.encode(document).decode())
