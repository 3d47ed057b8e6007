"""Serializers of parts of a match's documents, for the feed alone. Pure."""

from functools import lru_cache
from typing import Any

import msgspec

from events import chain
from events.records import Recorded
from games import catalogue
from games.kernel import Due, Event, Game, secrecy_of, to_json
from matches.domain import clocks, nonces
from matches.domain.clocks import Clocks, instant
from matches.domain.events import EVENTS as LIFECYCLE_EVENTS
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState
from matches.reads.documents import (
    ClocksDocument,
    DueDocument,
    NonceDocument,
    NoncesDocument,
    OutcomeDocument,
    PromptDocument,
    RunningClock,
)
from matches.reads.sentences import lifecycle_sentence


@lru_cache(maxsize=1024)
def due_document(due: Due) -> DueDocument:
    return DueDocument(
        prompts=[PromptDocument(p.seat, list(p.commands), p.turn, p.clock) for p in due.prompts],
        dealer=due.dealer,
        amendable=[PromptDocument(p.seat, list(p.commands), p.turn, p.clock) for p in due.amendable],
    )


def clocks_document(match_state: MatchState) -> ClocksDocument | None:
    """Return the match's clocks at its newest version; None without clocks."""
    opened = match_state.lifecycle.opened
    return _clocks_document(match_state.clocks, opened.game, opened.seats) if match_state.clocks.times else None


@lru_cache(maxsize=1024)
def _clocks_document(state: Clocks, slug: str, seats: int) -> ClocksDocument:
    specs = catalogue[slug].clocks
    falls = {(d.seat, d.turn): chain.instant(d.falls_at) for d in clocks.deadlines(state)}
    return ClocksDocument(
        times=to_json(state.times),
        at_flag={name: specs[name].at_flag for name in state.times},
        reserves={name: [clocks.reserve_left(state, seat, name) for seat in range(seats)] for name in state.times},
        running=[
            RunningClock(
                run.seat, run.clock, run.turn, falls.get((run.seat, run.turn)),
                clocks.reserve_left(state, run.seat, run.clock),
            )
            for run in state.runs
        ],
    )  # fmt: skip


def nonces_document(story: Lifecycle) -> NoncesDocument:
    given = enumerate(zip(story.commitments, story.nonces, strict=True))
    return NoncesDocument(
        step=nonces.step(story),
        until=chain.instant(story.called.until) if story.called and nonces.is_called(story) else None,
        seats=[NonceDocument(seat, promise, nonce, seat in story.left_out) for seat, (promise, nonce) in given],
        fairness=nonces.fairness_sentence(story),
    )


def outcome_document(story: Lifecycle) -> OutcomeDocument | None:
    """Return the outcome; None before the end."""
    if story.outcome is None:
        return None
    approval = {"approved": story.approved} if story.opened.approval else {}
    counting = {} if story.may_count else {"counts": False}
    return msgspec.convert(to_json(story.outcome) | approval | counting, OutcomeDocument)


def serialized_event(game: Game, event: Event, row: Recorded) -> dict[str, Any]:
    """Return an event, already redacted, with its place in the chain."""
    digest = chain.digest(row.salt, row.secret)
    fields = to_json(event)
    place = {
        "version": row.version,
        "at": instant(row.at),
        "actor": row.actor,
        "text": sentence(game, event),
        "hash": row.hash.hex(),
        "schema": row.schema,
        "audience": row.audience,
        "digest": digest.hex() if digest else None,
        "secret": list(secrecy_of(type(event)).wire_names),
    }
    own = {name: fields[name] for name in fields.keys() & place.keys()}
    return {**fields, **place, **({"own": own} if own else {})}


def sentence(game: Game, event: Event) -> str:
    """Return the sentence of an event, already redacted."""
    if isinstance(event, LIFECYCLE_EVENTS):
        return lifecycle_sentence(event)
    return game.notation.sentence(event, seat_names(game))


def seat_names(game: Game) -> list[str]:
    """Return the seats' names in sentences."""
    return [f"Seat {seat}" for seat in range(game.seats.max)]
