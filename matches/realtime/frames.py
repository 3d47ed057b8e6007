"""A hub's reads, for all its connections at once: documents of the feed, encoded as frames."""

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
from matches import services
from matches.http import renderers
from matches.reads import feed
from matches.reads.documents import EventsDocument, HelloDocument
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

_throttle = LogThrottle(seconds=60)


@dataclass(frozen=True)
class Frame:
    """A frame's text; the first and the last version in it."""

    since: int
    to: int
    text: str


@dataclass
class LookResult:
    """What a look found: `newest` is the match's point, whoever may see it yet; NOWHERE where a look must be repeated.

    `reached` is the point at which each witness stands now. Witnesses whose point was `lost` are greeted anew. The
    match `tells_late` where its spectators have a delay.
    """

    now: datetime
    newest: Point = NOWHERE
    players: tuple[str | None, ...] = ()
    hellos: dict[Witness, HelloDocument] = field(default_factory=dict)
    events: dict[Witness, tuple[EventsDocument, Frame]] = field(default_factory=dict)
    pages: dict[tuple[Witness, str], Frame] = field(default_factory=dict)
    reached: dict[Witness, Point] = field(default_factory=dict)
    lost: frozenset[Witness] = frozenset()
    tells_late: bool = False


def look(match_id: UUID, since: Mapping[Witness, Point], pages: Mapping[tuple[Witness, str], int]) -> LookResult:
    """What is new for each witness since the point it was told; one told nothing yet is greeted.

    `pages` gives for each witness and form the version that was last shown.
    """
    found = LookResult(estimated_clock.now() or store.clock())
    known = dict(since)
    while (news := feed.news(match_id, known, found.now)).lost:
        found.lost |= news.lost
        known |= dict.fromkeys(news.lost, NOWHERE)
    found.hellos, found.players, found.tells_late = news.hellos, news.players, news.tells_late
    found.newest, found.reached = news.newest, news.reached
    if any(isinstance(witness, int) for witness in found.hellos):
        # Who sits down will move. What is wrong with the record is told with the command.
        with suppress(BrokenRecord):
            services.prepare(match_id)
    for witness, document in news.documents.items():
        found.events[witness] = document, _frame(document)
    for (witness, form), shown in pages.items():
        version = found.reached[witness].version
        if version > shown or witness in found.lost:
            try:
                text = renderers.frame(form, match_id, witness, version)
            except Exception:  # connections in other forms must go on
                # As if nothing had been seen, so that the pulse has it drawn again.
                found.newest = NOWHERE
                if _throttle.is_due(match_id, form):
                    log.exception("page not drawn", match=str(match_id), form=form)
            else:
                found.pages[witness, form] = Frame(0, version, text)
    return found


def missed(match_id: UUID, witness: Witness, after: int, upto: int) -> Frame | None:
    """A witness's events after a version and up to another, for a connection that has fallen behind."""
    document = feed.missed(match_id, witness, after, upto, store.clock())
    return _frame(document) if document else None


def never_happened(match_id: UUID, account: UUID | None, keys: Sequence[str]) -> list[str]:
    """Those of an account's commands, by their keys, under which nothing is stored."""
    stored = store.keys_stored(match_id, str(account), keys) if keys else set()
    return [key for key in keys if key not in stored]


def at_once(
    match_id: UUID, witness: Witness, before: Point, rows: Sequence[Recorded], now: datetime
) -> tuple[EventsDocument, Frame] | None:
    """What rows that were stored right after a point tell this witness, from memory; None where it must be read."""
    document = feed.news_at_once(match_id, witness, before, rows, now)
    return (document, _frame(document)) if document is not None else None


def _frame(document: EventsDocument) -> Frame:
    return Frame(document.from_, document.to, msgspec.json.encode(document).decode())
