"""The feed, the only way out: every view of a match that leaves the service is made here, from a witness's state."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from events import chain, store
from events.records import NOWHERE, Point, Recorded
from games import catalogue
from games.kernel import HOST, SPECTATOR, Command, Event, Witness, json_text, to_json
from matches.domain import aids
from matches.domain.events import STAND_IN
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.reads import entitlements
from matches.reads.contexts import contexts, contexts_of_act
from matches.reads.documents.match import (
    AcceptedDocument,
    AppealDocument,
    AppealList,
    LegalDocument,
    MatchDocument,
    OfferList,
    SeatDocument,
    ViewDocument,
)
from matches.reads.documents.news import EventPage, EventsDocument, HelloDocument
from matches.reads.offers import offers_documents
from matches.reads.serializers import clocks_document as clocks_document
from matches.reads.serializers import due_document as due_document
from matches.reads.serializers import nonces_document as nonces_document
from matches.reads.serializers import outcome_document as outcome_document
from matches.reads.serializers import seat_names as seat_names
from matches.reads.serializers import sentence as sentence
from matches.reads.serializers import serialized_event, written_event
from matches.reads.visible import as_of, names_texts, shown_events, shown_state, witness_of_mover
from matches.reads.visible import looking_back as looking_back
from matches.reads.visible import remembers as remembers
from matches.reads.visible import state_for_the_record as state_for_the_record
from matches.reads.visible import visible_point as visible_point
from matches.reads.visible import visible_state as visible_state
from matches.reads.visible import visible_version as visible_version
from matches.storage import repository, texts

MOST_LEGAL = 500
"""A list has at most so many legal commands."""
MOST_EVENTS = 500
"""A frame has at most so many events."""


class NotAided(Exception):
    """The match is played without the requested aid."""


class News(NamedTuple):
    """News for each witness, the players of the seats, and the newest point that was read.

    `hellos` are for witnesses without a point. `reached` is the point of each witness after its document. `has_delay`
    is True if the spectators have a delay. The log no longer holds the points of the `lost` witnesses: nothing else is
    returned until they have no point.
    """

    documents: dict[Witness, EventsDocument]
    hellos: dict[Witness, HelloDocument]
    players: tuple[str | None, ...]
    newest: Point
    reached: dict[Witness, Point]
    has_delay: bool
    lost: frozenset[Witness] = frozenset()


def view(match_id: UUID, witness: Witness, upto: int | None = None) -> ViewDocument:
    """Return the match at a version (default: its newest) as this witness knew it."""
    return _view(visible_state(match_id, witness, upto), match_id, looking_back(match_id, witness, upto))


def view_of(match_state: MatchState, match_id: UUID, witness: Witness) -> ViewDocument:
    """Return the match as this witness knows it; `match_state` must be the newest, without texts, and spectators
    without delay. No I/O."""
    return _view(aids.shown(match_state, match_state.lifecycle, witness), match_id, witness)


def _view(match_state: MatchState, match_id: UUID, witness: Witness) -> ViewDocument:
    return ViewDocument(
        id=match_id,
        game=match_state.game.slug,
        version=match_state.version,
        witness=entitlements.witness_name(witness),
        due=due_document(match_state.due),
        outcome=outcome_document(match_state.lifecycle),
        view=to_json(match_state.state),
    )


def match(row: Match, witness: Witness, seats: list[SeatDocument], upto: int | None = None) -> MatchDocument:
    """Return the match at a version (default: its newest) as this witness knows it."""
    if looking_back(row.id, witness, upto) != witness:
        upto = None  # The match has moved on since the request of its seat, which can't look back.
    match_state = visible_state(row.id, witness, upto)
    lifecycle = match_state.lifecycle
    return MatchDocument(
        id=row.id,
        code=row.code,
        game=row.game,
        title=match_state.title,
        status=lifecycle.status,
        version=match_state.version,
        hash=match_state.hash.hex(),
        witness=entitlements.witness_name(witness),
        seats=_seats_in(seats, lifecycle),
        priority=lifecycle.opened.priority,
        options=lifecycle.opened.options,
        aids=lifecycle.opened.aids,
        due=due_document(match_state.due),
        clocks=clocks_document(match_state),
        offers=offers_documents(match_state, row.id),
        outcome=outcome_document(lifecycle),
        view=to_json(match_state.state),
        seed_commitment=lifecycle.seed_commitment,
        seed=lifecycle.seed,
        nonces=nonces_document(lifecycle),
        opened_by=UUID(lifecycle.opened.opened_by),
        opened_at=row.opened_at,
        opens_at=row.opens_at,
        setup_closes=lifecycle.opened.setup_closes,
    )


def headline(row: Match, witness: Witness, names: Sequence[str]) -> str:
    """Return the state of a match in one line, as this witness knows it: as of its row's version or a later one.

    Empty before its start, and if its record is broken.
    """
    late = witness is SPECTATOR and row.spectator_delay
    try:
        match_state = visible_state(row.id, witness) if late else repository.at_least(row.id, witness, row.version)
    except repository.BrokenRecord:
        return ""
    if not match_state.lifecycle.started:
        return ""
    shown = shown_state(match_state, row.id, witness)
    return shown.game.board.headline(shown.state, names=names)


def _seats_in(seats: list[SeatDocument], lifecycle: Lifecycle) -> list[SeatDocument]:
    """Return the seats with their stand-ins, and with people who have yet to accept, by this lifecycle."""
    standing_in = {seat: mover.removeprefix(STAND_IN) for seat, mover in lifecycle.stand_ins}
    return [
        replace(
            it,
            stand_in=standing_in.get(it.seat, UNSET),
            accepted=False if it.seat in lifecycle.awaited else UNSET,
        )
        for it in seats
    ]


def events(match_id: UUID, witness: Witness, after: int, limit: int, upto: int | None = None) -> EventPage:
    """Return the events after a version and up to another (default: the newest) as this witness saw them; `next` is the
    `after` of the next page, or None."""
    match_state = visible_state(match_id, witness, upto)
    rows = store.read(match_id, after=after, upto=match_state.version, limit=limit)
    return _page(match_state, rows, _serialized(match_state, match_id, witness, rows))


def events_of(match_state: MatchState, witness: Witness, rows: Sequence[Recorded]) -> EventPage:
    """Return these events, which name no texts, as this witness saw them; `match_state` must be the newest, and
    spectators without delay. No I/O."""
    return _page(match_state, rows, _written_as_of(match_state, witness, rows))


def _page(match_state: MatchState, rows: Sequence[Recorded], results: list[Any]) -> EventPage:
    more = bool(rows) and rows[-1].version < match_state.version
    return EventPage(
        results=results,
        next=rows[-1].version if more else None,
        version=match_state.version,
        finished=match_state.lifecycle.over,
    )


def hello(match_id: UUID, witness: Witness, now: datetime) -> HelloDocument:
    """Return the whole match at its newest version; `now` is the database's clock."""
    return greeting(visible_state(match_id, witness), match_id, witness, now)


def greeting(match_state: MatchState, match_id: UUID, witness: Witness, now: datetime) -> HelloDocument:
    """Return the whole match as this witness sees it."""
    lifecycle = match_state.lifecycle
    return HelloDocument(
        id=match_id,
        game=lifecycle.opened.game,
        witness=entitlements.witness_name(witness),
        seat=witness if isinstance(witness, int) else None,
        version=match_state.version,
        status=lifecycle.status,
        due=due_document(match_state.due),
        clocks=clocks_document(match_state),
        offers=offers_documents(match_state, match_id),
        outcome=outcome_document(lifecycle),
        view=to_json(match_state.state),
        server_now=seen_from(match_state, witness, now),
    )


def holds(match_id: UUID, version: int, hash: str) -> bool:
    """True if the event at this version has this hash, given in hex, whole or only its first digits."""
    rows = store.read(match_id, after=version - 1, upto=version)
    return bool(rows) and rows[0].hash.hex().startswith(hash)


def missed(match_id: UUID, witness: Witness, after: int, upto: int, now: datetime) -> EventsDocument | None:
    """Return this witness's events after a version and up to another, oldest first; None if there are none."""
    match_state = visible_state(match_id, witness)
    if match_state.version > upto:
        match_state = visible_state(match_id, witness, upto)
    rows = store.read(match_id, after=after, upto=match_state.version, limit=MOST_EVENTS)
    return _news_of(match_state, match_id, witness, rows, now) if rows else None


def news(match_id: UUID, since: Mapping[Witness, Point], now: datetime) -> News:
    """Return the news for each of these witnesses since its point, from one read of the log; a witness at NOWHERE gets
    a hello.

    The read begins with the events at those points, so that a lost history is noticed.
    """
    rows = store.read(match_id, after=min(_begins(match_id, *it) for it in since.items()) - 1)
    held = {(row.version, row.hash) for row in rows}
    if lost := frozenset(witness for witness, point in since.items() if point not in held | {NOWHERE}):
        return News({}, {}, (), NOWHERE, {}, has_delay=False, lost=lost)
    documents, hellos, reached, newest = {}, {}, dict(since), []
    for witness, point in since.items():
        match_state = current = repository.follow(match_id, witness, rows)
        newest.append(Point(match_state.version, match_state.hash))
        if rows and match_state.version > rows[-1].version:
            rows += store.read(match_id, after=rows[-1].version, upto=match_state.version)
        if witness is SPECTATOR and current.lifecycle.opened.spectator_delay:
            match_state = visible_state(match_id, SPECTATOR)
        match_state = shown_state(match_state, match_id, witness)
        if point == NOWHERE:
            hellos[witness] = greeting(match_state, match_id, witness, now)
            reached[witness] = Point(match_state.version, match_state.hash)
        elif new := [row for row in rows if point.version < row.version <= match_state.version]:
            documents[witness] = _news_of(match_state, match_id, witness, new, now)
            reached[witness] = Point(new[-1].version, new[-1].hash)
    # Somebody may have moved between the witnesses' reads, so only the earliest point holds for all.
    lifecycle = current.lifecycle
    return News(documents, hellos, lifecycle.players, min(newest), reached, lifecycle.opened.spectator_delay > 0)


def _begins(match_id: UUID, witness: Witness, point: Point) -> int:
    """Return the version from which the log is read for a witness at a point; for NOWHERE, the cached version, which is
    compared with the log."""
    if point != NOWHERE:
        return point.version
    return (repository.cached_state(match_id, witness) or repository.load(match_id, witness)).version


def news_at_once(
    match_id: UUID, witness: Witness, before: Point, rows: Sequence[Recorded], now: datetime
) -> EventsDocument | None:
    """Return the news for a witness at a point, if these rows are stored right after it. No I/O.

    None if it must be read: the cache is at another point, spectators have a delay, or texts are named.
    """
    match_state = repository.advance(match_id, witness, before, rows)
    if match_state is None or names_texts(match_state, rows):
        return None
    if witness is SPECTATOR and match_state.lifecycle.opened.spectator_delay:
        return None
    shown = aids.shown(match_state, match_state.lifecycle, witness)
    return _document_of(shown, match_id, witness, rows, _written_as_of(match_state, witness, rows), now)


def _written_as_of(newest: MatchState, witness: Witness, rows: Sequence[Recorded]) -> list[Any]:
    return [
        written_event(newest.game.slug, row, as_of(newest, witness, row), context)
        for row, context in zip(rows, contexts_of_act(newest, rows), strict=True)
    ]


def _serialized(
    match_state: MatchState, match_id: UUID, witness: Witness, rows: Sequence[Recorded]
) -> list[dict[str, Any]]:
    return serialized_events(match_state, match_id, shown_events(match_state, match_id, witness, rows), rows)


def serialized_events(
    match_state: MatchState, match_id: UUID, events: Sequence[Event], rows: Sequence[Recorded]
) -> list[dict[str, Any]]:
    """Return consecutive events as a witness sees them, with the texts that they name."""
    game = match_state.game
    named = texts.named_by(game, match_id, events)
    where = contexts(match_state, match_id, events, rows[-1].version) if rows else ()
    return [
        serialized_event(game, event, row, context, named)
        for event, row, context in zip(events, rows, where, strict=True)
    ]


def _news_of(
    match_state: MatchState, match_id: UUID, witness: Witness, rows: Sequence[Recorded], now: datetime
) -> EventsDocument:
    return _document_of(match_state, match_id, witness, rows, _serialized(match_state, match_id, witness, rows), now)


def _document_of(
    match_state: MatchState, match_id: UUID, witness: Witness, rows: Sequence[Recorded], events: list[Any],
    now: datetime,
) -> EventsDocument:  # fmt: skip
    # Large parts are encoded at once: nothing reads them any more.
    view: Any = msgspec.Raw(json_text(match_state.state)) if rows[-1].version == match_state.version else UNSET
    return EventsDocument(
        from_=rows[0].version,
        to=rows[-1].version,
        events=events,
        status=match_state.lifecycle.status,
        due=due_document(match_state.due),
        clocks=clocks_document(match_state),
        offers=offers_documents(match_state, match_id),
        outcome=outcome_document(match_state.lifecycle),
        view=view,
        server_now=seen_from(match_state, witness, now),
    )


def seen_from(match_state: MatchState, witness: Witness, now: datetime) -> datetime:
    """Return the instant of this witness's view: `now`, less a spectator's delay."""
    late = match_state.lifecycle.opened.spectator_delay if witness is SPECTATOR else 0
    return now - timedelta(seconds=late)


def notation(slug: str, command: Command) -> str:
    """Return a command in its game's notation."""
    return catalogue[slug].notation.form(command)


def legal(match_id: UUID, mover: Witness, most: int = MOST_LEGAL, upto: int | None = None) -> LegalDocument:
    """Return the legal commands of a seat at a version (default: its newest), computed from what it knew; those of
    HOST from what spectators know without delay."""
    return legal_in(repository.load(match_id, witness_of_mover(mover), upto=upto), mover, most)


def legal_in(match_state: MatchState, mover: Witness, most: int = MOST_LEGAL) -> LegalDocument:
    """Return the legal commands of a seat in the match as that seat sees it, or of HOST as a spectator sees it."""
    allowed = match_state.due.commands_of(mover)
    commands = list(islice(match_state.game.legal(match_state.state, mover), most + 1)) if allowed else []
    listed = commands[:most]
    complete = len(commands) <= most and match_state.game.unlisted.isdisjoint(allowed)
    shown = aids.shown(match_state, match_state.lifecycle, witness_of_mover(mover))
    return LegalDocument(
        version=match_state.version,
        seat=mover if isinstance(mover, int) else None,
        legal=[to_json(command) for command in listed],
        text=[match_state.game.notation.form(command) for command in listed],
        complete=complete,
        template=None if complete else to_json(match_state.game.template(shown.state, mover, allowed)),
    )


def legal_with_sample(match_id: UUID, mover: Witness, rng: Random) -> LegalDocument:
    """Return what `legal` does, with a command drawn from the same knowledge if the match waits; raise NotAided."""
    match_state = repository.load(match_id, witness_of_mover(mover))
    if not aids.sampled(match_state.lifecycle):
        raise NotAided(str(match_id))
    due = match_state.due.prompt_of(mover)
    sample = to_json(match_state.game.sample(match_state.state, mover, rng)) if due else None
    return replace(legal_in(match_state, mover), sample=sample)


def accepted(rows: Sequence[Recorded], after: MatchState, witness: Witness) -> bytes:
    """Return the response to an accepted command that led to this state for this witness, in the bytes that a retry
    gets again. Commitments stand for texts; `answers.visible_answer` puts these in."""
    where = contexts_of_act(after, rows)
    events = [written_event(after.game.slug, row, witness, it) for row, it in zip(rows, where, strict=True)]
    return msgspec.json.encode(AcceptedDocument(rows[-1].version, events))


def appeals(match_id: UUID, witness: Witness = HOST) -> AppealList:
    """Return the match's appeals with their answers; they are public, with the spectators' delay."""
    visible_appeals = visible_state(match_id, witness).lifecycle.appeals
    return AppealList([msgspec.convert(to_json(appeal), AppealDocument) for appeal in visible_appeals], None)


def offers(match_id: UUID, witness: Witness) -> OfferList:
    """Return the match's open offers; they are public, with the spectators' delay."""
    match_state = visible_state(match_id, witness)
    ends = match_state.lifecycle.offers.pause_ends
    return OfferList(offers_documents(match_state, match_id), chain.instant(ends) if ends else None, None)
