"""What a hub looks up in the database, in one go for all who watch: made by the feed, as bytes for the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import msgspec
import structlog

from events import store
from events.complaints import Complaints
from games.kernel import Witness
from matches import feed
from matches.documents import EventsDocument, HelloDocument
from matches.live import renderers

log = structlog.get_logger(__name__)

_complaints = Complaints(seconds=60)


@dataclass(frozen=True)
class Frame:
    """A frame's text; the versions that it tells, both included."""

    since: int
    to: int
    text: str


@dataclass
class Look:
    """What was found: `version` is the match's newest, whoever may know of it yet; 0 where a look must be repeated."""

    now: datetime
    version: int = 0
    players: tuple[str | None, ...] = ()
    hellos: dict[Witness, HelloDocument] = field(default_factory=dict)
    events: dict[Witness, tuple[EventsDocument, Frame]] = field(default_factory=dict)
    pages: dict[tuple[Witness, str], Frame] = field(default_factory=dict)


def look(match_id: UUID, since: Mapping[Witness, int], pages: Mapping[tuple[Witness, str], int]) -> Look:
    """What is new for each witness since the version it was told; one told nothing yet is greeted.

    `pages` gives for each witness and form the version that was last shown.
    """
    found = Look(store.clock())
    for witness, after in since.items():
        if not after:
            found.hellos[witness] = feed.hello(match_id, witness, found.now)
    known = {witness: after or found.hellos[witness].version for witness, after in since.items()}
    told, found.players, found.version = feed.news(match_id, known, found.now)
    for witness, document in told.items():
        found.events[witness] = document, _frame(document)
    for (witness, form), shown in pages.items():
        version = told[witness].to if witness in told else known[witness]
        if version > shown:
            try:
                text = renderers.frame(form, match_id, witness, version)
            except Exception:  # who watches in another form must not go blind with this one
                # As if nothing had been seen, so that the pulse has it drawn again.
                found.version = 0
                if _complaints.is_due(match_id, form):
                    log.exception("page not drawn", match=str(match_id), form=form)
            else:
                found.pages[witness, form] = Frame(0, version, text)
    return found


def missed(match_id: UUID, witness: Witness, after: int, upto: int) -> Frame | None:
    """What a witness was told after a version and up to another, for one who has fallen behind."""
    document = feed.missed(match_id, witness, after, upto, store.clock())
    return _frame(document) if document else None


def _frame(document: EventsDocument) -> Frame:
    return Frame(document.from_, document.to, msgspec.json.encode(document).decode())
