"""A match's past as its witnesses knew it: any moment, the changes between two, and events by filter."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from events import store
from events.models import LoggedEvent
from events.records import Recorded
from games.kernel import HOST, SPECTATOR, Event, Game, Witness, from_json, to_json
from games.kernel.messages import type_name
from matches.domain import events
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.reads import entitlements, feed
from matches.reads.contexts import contexts
from matches.reads.documents.match import LegalDocument
from matches.reads.documents.past import ChangeDocument, DiffDocument, FoundDocument, HistoryPage, MomentDocument
from matches.reads.entitlements import Entitlement
from matches.reads.visible import shown_events
from matches.storage import codec, repository, texts

MOST_CHANGES = 1000
MOST_SCANNED = 5000
"""One page of history reads at most this many events; its `next` continues from there."""
MOST_FOUND = 50
"""A search returns at most this many events of one match."""
_PAGE = 500
_LONGEST_ACT = 200

_HOUSEKEEPING = frozenset({
    "match_opened", "seat_taken", "seat_accepted", "seat_declined", "nonce_added", "nonce_committed", "nonce_revealed",
    "nonces_called", "nonce_left_out", "match_finished", "seed_revealed",
    "offer_made", "offer_accepted", "offer_declined", "offer_withdrawn",
})  # fmt: skip
RULINGS = frozenset({"ruling_posted", "appeal_opened", "appeal_answered", "result_approved"})
LIFECYCLE = frozenset(type_name(kind) for kind in events.EVENTS)
HOST_ACTS = LIFECYCLE - RULINGS - _HOUSEKEEPING
_KINDS = {"host": HOST_ACTS, "rulings": RULINGS, "lifecycle": LIFECYCLE}


class EventFilter(NamedTuple):
    """The wanted events: `kind` is moves, host, rulings, lifecycle or empty for all; their sentence contains `text`."""

    kind: str = ""
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""


def moment(match_id: UUID, witness: Witness, at: int, newest: int) -> MomentDocument:
    """Return the match at a version as this witness knew it, with clocks and legal commands; `newest` is the newest
    version that the witness may see."""
    witness = feed.looking_back(match_id, witness, at)
    match_state = feed.visible_state(match_id, witness, at)
    ends = feed.visible_state(match_id, witness, newest).version
    rows = store.read(match_id, after=match_state.version - 1, upto=min(ends, match_state.version + _LONGEST_ACT))
    (event,) = shown_events(match_state, match_id, witness, rows[:1])
    return MomentDocument(
        id=match_id,
        game=match_state.game.slug,
        version=match_state.version,
        at=rows[0].at,
        witness=entitlements.witness_name(witness),
        text=_sentence(match_state, match_id, event),
        act=[row.version for row in _first_act(rows[1:])] or None,
        due=feed.due_document(match_state.due),
        clocks=feed.clocks_document(match_state),
        outcome=feed.outcome_document(match_state.lifecycle),
        view=to_json(match_state.state),
        legal=_legal(match_state, match_id, witness),
    )


def _sentence(match_state: MatchState, match_id: UUID, event: Event) -> str:
    """Return the sentence of the event that led to this state."""
    (context,) = contexts(match_state, match_id, [event], match_state.version)
    return feed.sentence(match_state.game, texts.readable(match_state.game, match_id, event), context)


def _legal(match_state: MatchState, match_id: UUID, witness: Witness) -> LegalDocument | None:
    """Return the legal commands of a seat, or of HOST in a game with commands of its host, at the match's version."""
    if isinstance(witness, int):
        return feed.legal_in(match_state, witness)
    is_host = witness is HOST and match_state.game.host_commands
    return feed.legal(match_id, HOST, upto=match_state.version) if is_host else None


def before_the_act_at(match_id: UUID, version: int) -> tuple[int, int] | None:
    """Return the seat whose act the event at this version belongs to, and the version that it decided on; None if it
    was no seat's act."""
    rows = store.read(match_id, after=max(0, version - _LONGEST_ACT), upto=version)
    if not rows or rows[-1].version != version:
        return None
    act = _first_act(reversed(rows))
    decided_on = act[-1].version - 1
    if decided_on < 1:
        return None
    movers = repository.load(match_id, HOST, upto=decided_on).lifecycle.movers
    seats = [seat for seat, mover in enumerate(movers) if mover == act[0].actor]
    seats_named = {getattr(_unpacked(match_id, row), "seat", None) for row in act if row.type not in LIFECYCLE}
    acting = [seat for seat in seats if seat in seats_named] or (seats if len(seats) == 1 and seats_named else [])
    return (acting[0], decided_on) if acting else None


def diff(match_id: UUID, witness: Witness, since: int, upto: int | None) -> DiffDocument:
    """Return the changes in this witness's view between two versions."""
    witness = feed.looking_back(match_id, witness, since)
    before, after = feed.view(match_id, witness, since), feed.view(match_id, witness, upto)
    changes = list(islice(_changes((), before.view, after.view), MOST_CHANGES + 1))
    return DiffDocument(
        id=match_id,
        witness=entitlements.witness_name(witness),
        from_=before.version,
        to=after.version,
        changes=changes[:MOST_CHANGES],
        complete=len(changes) <= MOST_CHANGES,
    )


def history(
    match_id: UUID, entitlement: Entitlement, event_filter: EventFilter, after: int = 0, limit: int = 100
) -> HistoryPage:
    """Return a page of the events that fit, as this witness was told them."""
    fitting: list[dict[str, Any]] = []
    scanned, first, size = 0, after, limit
    while True:
        page = feed.events(match_id, entitlement.witness, first, size, entitlement.upto)
        for event in page.results:
            if len(fitting) == limit:
                return HistoryPage(fitting, event["version"] - 1, page.version, page.finished)
            if fits(event, event_filter):
                fitting.append(event)
        scanned += len(page.results)
        if page.next is None or len(fitting) == limit or scanned >= MOST_SCANNED:
            return HistoryPage(fitting, page.next, page.version, page.finished)
        # If few events fit, larger pages need fewer queries.
        first, size = page.next, min(2 * size, _PAGE, MOST_SCANNED - scanned)


def everything(
    match_id: UUID, witness: Witness, event_filter: EventFilter, upto: int | None = None
) -> Iterator[dict[str, Any]]:
    """Yield all events that fit up to a version, page by page. A slow reader may no longer be allowed to see later
    pages."""
    after: int | None = 0
    while after is not None:
        page = feed.events(match_id, witness, after, _PAGE, upto)
        yield from (event for event in page.results if fits(event, event_filter))
        after = page.next


def fits(event: dict[str, Any], event_filter: EventFilter) -> bool:
    """True if an event, as the witness was told it, fits the filter."""
    at = datetime.fromisoformat(event["at"])
    if (event_filter.since and at < event_filter.since) or (event_filter.until and at > event_filter.until):
        return False
    if event_filter.kind == "moves" and event["type"] in LIFECYCLE:
        return False
    if event_filter.kind in _KINDS and event["type"] not in _KINDS[event_filter.kind]:
        return False
    return event_filter.text.casefold() in event["text"].casefold()


def found_in(matches: Iterable[Match], player: str, event_filter: EventFilter) -> list[FoundDocument]:
    """Return the events of these matches that fit, as this account was told them."""
    documents = []
    for match in matches:
        entitlement = entitlements.entitled(match.id, player)
        hits = islice(
            _bounded(everything(match.id, entitlement.witness, EventFilter(), entitlement.upto), event_filter),
            MOST_FOUND,
        )
        documents += [
            FoundDocument(match.id, match.code, match.game, it["version"], it["at"], it["type"], it["text"])
            for it in hits
        ]
    return documents


def host_acts(match_id: UUID, upto: int, most: int = 100) -> list[tuple[LoggedEvent, str]]:
    """Return the newest acts and rulings of hosts with their sentences, newest first."""
    game = repository.load(match_id, SPECTATOR).game
    acts = LoggedEvent.objects.filter(stream=match_id, version__lte=upto, type__in=HOST_ACTS | RULINGS)
    return [(act, feed.sentence(game, _in_public(game, act), None)) for act in acts.order_by("-version")[:most]]


def _bounded(events: Iterator[dict[str, Any]], event_filter: EventFilter) -> Iterator[dict[str, Any]]:
    return (it for it in islice(events, MOST_SCANNED) if fits(it, event_filter))


def _first_act(rows: Iterable[Recorded]) -> list[Recorded]:
    """Return the rows of the first act."""
    act: list[Recorded] = []
    for row in rows:
        if act and (row.actor, row.at) != (act[0].actor, act[0].at):
            break
        act.append(row)
    return act


def _in_public(game: Game, act: LoggedEvent) -> Event:
    fields = codec.upcasters.upcast(act.type, act.schema, act.public)
    return from_json(fields, codec.kind_of(game, act.type))


def _unpacked(match_id: UUID, row: Recorded) -> Any:
    return codec.unpack(repository.load(match_id, SPECTATOR).game, row, SPECTATOR)


def _changes(path: tuple[str | int, ...], before: Any, after: Any) -> Iterator[ChangeDocument]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            yield from _changes((*path, name), before.get(name), after.get(name))
    elif isinstance(before, list) and isinstance(after, list):
        for place in range(max(len(before), len(after))):
            yield from _changes((*path, place), _at(before, place), _at(after, place))
    else:
        yield ChangeDocument(list(path), before, after)


def _at(items: list[Any], place: int) -> Any:
    return items[place] if place < len(items) else None
