"""Serializers of parts of a match's documents, for the feed alone. Pure."""

from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from events import chain
from events.records import Recorded
from games import catalogue
from games.kernel import HOST, SPECTATOR, Due, Event, Game, Prompt, Witness, secrecy_of, texts_in, to_json, with_texts
from matches.domain import clocks, nonces
from matches.domain.clocks import Clocks, instant
from matches.domain.events import EVENTS as LIFECYCLE_EVENTS
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState
from matches.reads.documents.match import (
    ClocksDocument,
    DueDocument,
    HostClock,
    HostPromptDocument,
    NonceDocument,
    NoncesDocument,
    OutcomeDocument,
    PromptDocument,
    RunningClock,
)
from matches.reads.sentences import lifecycle_sentence
from matches.storage import codec


@lru_cache(maxsize=1024)
def due_document(due: Due) -> DueDocument:
    return DueDocument(
        prompts=_prompt_documents(due.prompts),
        dealer=due.dealer,
        amendable=_prompt_documents(due.amendable),
        host=_host_prompt(due),
    )


def _host_prompt(due: Due) -> HostPromptDocument | UnsetType:
    optional = [name for prompt in due.amendable if prompt.seat is HOST for name in prompt.commands]
    prompt = due.prompt_of(HOST)
    if prompt is None:
        return HostPromptDocument([], optional, None, None) if optional else UNSET
    return HostPromptDocument(list(prompt.commands), optional, prompt.turn, prompt.clock)


def _prompt_documents(prompts: Iterable[Prompt]) -> list[PromptDocument]:
    return [PromptDocument(p.seat, list(p.commands), p.turn, p.clock) for p in prompts if isinstance(p.seat, int)]


def clocks_document(match_state: MatchState) -> ClocksDocument | None:
    """Return the match's clocks at its newest version; None without clocks."""
    opened = match_state.lifecycle.opened
    if not match_state.clocks.times:
        return None
    document = _clocks_document(match_state.clocks, opened.seats)
    at_flag = {name: match_state.clock_specs[name].at_flag for name in match_state.clocks.times}
    return msgspec.structs.replace(document, at_flag=at_flag)


@lru_cache(maxsize=1024)
def _clocks_document(state: Clocks, seats: int) -> ClocksDocument:
    falls = {(d.seat, d.turn): chain.instant(d.falls_at) for d in clocks.deadlines(state)}
    return ClocksDocument(
        times=to_json(state.times),
        at_flag={},
        reserves={name: [clocks.reserve_left(state, seat, name) for seat in range(seats)] for name in state.times},
        running=[
            RunningClock(
                run.seat, run.clock, run.turn, falls.get((run.seat, run.turn)),
                clocks.reserve_left(state, run.seat, run.clock),
            )
            for run in state.runs if run.seat != clocks.HOST_NUMBER
        ],
        host=next(
            (
                HostClock(run.clock, run.turn, falls.get((run.seat, run.turn)))
                for run in state.runs if run.seat == clocks.HOST_NUMBER
            ),
            UNSET,
        ),
    )  # fmt: skip


def nonces_document(lifecycle: Lifecycle) -> NoncesDocument:
    given = enumerate(zip(lifecycle.commitments, lifecycle.nonces, strict=True))
    return NoncesDocument(
        step=nonces.step(lifecycle),
        until=chain.instant(lifecycle.called.until) if lifecycle.called and nonces.is_called(lifecycle) else None,
        seats=[NonceDocument(seat, promise, nonce, seat in lifecycle.left_out) for seat, (promise, nonce) in given],
        fairness=nonces.fairness_sentence(lifecycle),
    )


def outcome_document(lifecycle: Lifecycle) -> OutcomeDocument | None:
    """Return the outcome; None before the end."""
    if lifecycle.outcome is None:
        return None
    approval = {"approved": lifecycle.approved} if lifecycle.opened.approval else {}
    counting = {} if lifecycle.may_count else {"counts": False}
    return msgspec.convert(to_json(lifecycle.outcome) | approval | counting, OutcomeDocument)


def written_event(slug: str, row: Recorded, witness: Witness, context: Hashable) -> Any:
    """Return an event in JSON as this witness sees it; as a spectator does if it isn't the audience of a secret."""
    return _encoded(slug, row, witness if codec.sees_secret(row, witness) else SPECTATOR, context)


@lru_cache(maxsize=1024)
def _encoded(slug: str, row: Recorded, witness: Witness, context: Hashable) -> Any:
    """Return an event in JSON, encoded once for the response and for all frames."""
    game = catalogue[slug]
    return msgspec.Raw(msgspec.json.encode(serialized_event(game, codec.unpack(game, row, witness), row, context)))


def serialized_event(
    game: Game, event: Event, row: Recorded, context: Hashable, texts: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return an event, already redacted, with its place in the chain.

    The texts that it names are taken from `texts`; `texts` of the result has their commitments by place. Without
    `texts`, commitments stand for them.
    """
    digest, named = chain.digest(row.salt, row.secret), {}
    if game.keeps_texts and texts is not None:
        named = dict(texts_in(event))
        event = with_texts(event, texts)
    fields = to_json(event)
    place = {
        "version": row.version,
        "at": instant(row.at),
        "actor": row.actor,
        "text": sentence(game, event, context),
        "hash": row.hash.hex(),
        "schema": row.schema,
        "audience": row.audience,
        "digest": digest.hex() if digest else None,
        "secret": list(secrecy_of(type(event)).wire_names),
        **({"texts": named} if named else {}),
    }
    own = {name: fields[name] for name in fields.keys() & place.keys()}
    return {**fields, **place, **({"own": own} if own else {})}


def sentence(game: Game, event: Event, context: Hashable) -> str:
    """Return the sentence of an event, already redacted."""
    if isinstance(event, LIFECYCLE_EVENTS):
        return lifecycle_sentence(event)
    return game.sentence(event, seat_names(game), context)


def seat_names(game: Game) -> list[str]:
    """Return the seats' names in sentences."""
    return [f"Seat {seat}" for seat in range(game.seats.max)]
