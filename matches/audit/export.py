"""The export of a match's record, and its check."""

import shutil
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, Any, Literal
from uuid import UUID

import msgspec
import structlog

from events import access, chain, replica, store
from events.checkpoints import signing
from events.checkpoints.signing import Proof
from events.records import Point, Recorded
from games import catalogue
from games.kernel import HOST, Event, Illegal, Witness, texts_in, to_json
from matches.audit import croupier_verify, history
from matches.audit import replay as audit_rules
from matches.audit.croupier_verify import Bad
from matches.domain import match_state, nonces, openings
from matches.domain.clocks import instant
from matches.domain.events import MatchOpened, MatchRewound
from matches.domain.match_state import MatchState
from matches.reads import feed
from matches.reads.documents.record import AccessDocument, AuditDocument, CoverDocument, ProofDocument
from matches.storage import seeds, texts

log = structlog.get_logger(__name__)

FORMAT = "croupier-export-v1"
_KINDS: dict[str, Literal["truth_viewed"]] = {"truth_viewed": "truth_viewed"}
_TAKEN = {"exported": "The record was exported.", "archived": "The record was put into an archive."}
MOST_JUDGED = 20_000
"""Draws of a finished match with up to so many events are computed for its export."""
_KEPT = 200
_drawn: OrderedDict[tuple[UUID, bytes], Sequence[dict[str, Any]]] = OrderedDict()
_keeping = Lock()


def export(match_id: UUID, witness: Witness = HOST, *, aside: bool = False) -> Iterator[bytes]:
    """Yield the match's record as lines of JSON: a header, then every event with its chain.

    Secrets and salts are included once they are open: the match is over and its end counts (for a spectator, once
    spectators can see the end), and its season has ended if they open with that. Before, only their digests are. Open
    secrets are followed by the draws of each act. The newest signed checkpoint that covers the record is last. With
    `aside` the events are read from a replica, if one has all of them.
    """
    truth = feed.state_for_the_record(match_id, witness)
    opens = truth.lifecycle.is_open
    draws = _draws(match_id, truth, aside) if opens else ()
    proof = signing.prove(match_id, upto=truth.version)
    yield as_line(_header(match_id, truth, len(draws), proof is not None))
    yield from _events(match_id, truth, opens, aside)
    yield from map(as_line, draws)
    if proof is not None:
        yield as_line(serialized_checkpoint(proof))


def export_and_note(match_id: UUID, by: str) -> Iterator[bytes]:
    """Yield the match's record as the host may see it. The access log notes that `by` takes it, before the first line
    leaves: a record that can't be read leaves no entry, and one that is interrupted does."""
    lines = export(match_id, aside=True)
    header = next(lines)
    access.note(match_id, by, "exported")
    yield header
    yield from lines


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that becomes `path` once it is complete. If the writing fails, `path` stays as it was.

    Pipes and devices are written directly.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    whole = path.resolve()
    unfinished = whole.with_name(f".{whole.name}.part")
    try:
        with unfinished.open("wb") as file:
            if whole.exists():
                shutil.copymode(whole, unfinished)
            yield file
        unfinished.replace(whole)
    finally:
        unfinished.unlink(missing_ok=True)


def _header(match_id: UUID, truth: MatchState, draws: int, checkpoint: bool) -> dict[str, Any]:
    opened = truth.lifecycle.opened
    header = {
        "format": FORMAT,
        "match": str(match_id),
        "game": opened.game,
        "version": truth.version,
        "hash": truth.hash.hex(),
        "finished": truth.lifecycle.over,
        "seed_commitment": opened.seed_commitment,
        "chance": opened.chance,
        "draws": draws,
        "checkpoint": checkpoint,
    }
    if truth.lifecycle.is_open and openings.has_sealed_parts(opened):
        header["parts"] = {name: msgspec.json.decode(part) for name, part in sorted(seeds.parts_of(match_id).items())}
    if catalogue[opened.game].keeps_texts and (named := _texts(match_id, truth, header.get("parts", {}))):
        header["texts"] = named
    return header


def _texts(match_id: UUID, truth: MatchState, parts: dict[str, Any]) -> dict[str, Any]:
    """Return the texts that the record's events and sealed parts name, by commitment; None for one that isn't stored
    any more."""
    events = (recorded(row, truth.lifecycle.is_open) for row in store.read(match_id, upto=truth.version))
    values = [*parts.values(), *([event["public"], event["secret"]] for event in events)]
    named = {commitment for _, commitment in texts_in(values)}
    stored = texts.parts_of(match_id, named)
    return {it: msgspec.json.decode(stored[it]) if it in stored else None for it in sorted(named)}


def _events(match_id: UUID, truth: MatchState, opens: bool, aside: bool) -> Iterator[bytes]:
    upto = Point(truth.version, truth.hash)
    for rows in replica.pages(match_id, upto) if aside else store.read_in_pages(match_id):
        yield from (as_line(recorded(row, opens)) for row in rows if row.version <= upto.version)


def _draws(match_id: UUID, truth: MatchState, aside: bool) -> Sequence[dict[str, Any]]:
    """Return the draws of each act by the rules; empty if the record is too long or today's rules read
    it differently."""
    if truth.version > MOST_JUDGED:
        return ()
    key = (match_id, truth.hash)
    kept_draws = _drawn.get(key)
    if kept_draws is not None:
        return kept_draws
    lines = [as_line(_header(match_id, truth, 0, False)), *_events(match_id, truth, True, aside)]
    draws: Sequence[dict[str, Any]] = ()
    try:
        draws = audit_rules.judged(lines, programs_too=False).draws
    except Bad as bad:
        log.warning("not_judged", match=str(match_id), reason=str(bad))
    # Several exports may run at once.
    with _keeping:
        _drawn[key] = draws
        while len(_drawn) > _KEPT:
            _drawn.popitem(last=False)
    return draws


def serialized_checkpoint(proof: Proof) -> dict[str, Any]:
    """Return the last line of a record: the checkpoint that covers it, and its path to the root."""
    return {
        "checkpoint": proof.note,
        "version": proof.leaf.version,
        "hash": proof.leaf.hash.hex(),
        "position": proof.leaf.position,
        "path": [hash.hex() for hash in proof.path],
    }


def standing(match_id: UUID, witness: Witness = HOST) -> AuditDocument:
    """Return the head of a match's chain and its commitments; raise NoSuchMatch."""
    visible = feed.visible_state(match_id, witness)
    lifecycle = visible.lifecycle
    return AuditDocument(
        version=visible.version,
        hash=visible.hash.hex(),
        events=visible.version,
        seed_commitment=lifecycle.seed_commitment,
        chance=lifecycle.opened.chance,
        nonces=list(lifecycle.nonces),
        nonce_commitments=list(lifecycle.commitments),
        left_out=list(lifecycle.left_out),
        fairness=nonces.fairness_sentence(lifecycle),
        seed=lifecycle.seed,
        truth_viewed_by=[UUID(account) for account in lifecycle.looked],
        verifier_key=signing.signer().verifier_key,
        checkpoints=[
            CoverDocument(leaf.version, leaf.hash.hex(), leaf.position, size, at)
            for leaf, size, at in signing.covering(match_id)
            if leaf.version <= visible.version
        ],
        access=_access(match_id, visible.version),
    )


def proof(match_id: UUID, witness: Witness, upto: int | None, size: int | None) -> ProofDocument | None:
    """Return a proof that a signed checkpoint covers the match's hash, at the newest covered version;
    None without one."""
    newest = feed.visible_state(match_id, witness).version
    return serialized_proof(signing.prove(match_id, upto=min(newest, upto or newest), size=size))


def serialized_proof(checkpoint_proof: Proof | None) -> ProofDocument | None:
    if checkpoint_proof is None:
        return None
    return ProofDocument(
        version=checkpoint_proof.leaf.version,
        hash=checkpoint_proof.leaf.hash.hex(),
        position=checkpoint_proof.leaf.position,
        size=checkpoint_proof.size,
        root=checkpoint_proof.root.hex(),
        path=[hash.hex() for hash in checkpoint_proof.path],
        note=checkpoint_proof.note,
    )


def _access(match_id: UUID, upto: int) -> list[AccessDocument]:
    """Return who viewed the truth, took the record or changed something, newest first."""
    acts = [
        AccessDocument(row.at, row.actor, _KINDS.get(row.type, "changed"), row.version, text)
        for row, text in history.host_acts(match_id, upto)
    ]
    taken = [AccessDocument(it.at, it.actor, it.kind, None, _TAKEN[it.kind]) for it in access.of(match_id)]
    return sorted([*acts, *taken], key=lambda it: it.at, reverse=True)


def replay(lines: Sequence[str]) -> None:
    """Play a verified export again by the rules; raise Bad if the rules give another state or outcome.

    An export without open secrets is only folded: its outcome can't be checked.
    """
    played: dict[int, MatchState] = {}
    header = msgspec.json.decode(lines[0])
    game = audit_rules.rules_of(header)
    for version, row in enumerate(map(msgspec.json.decode, lines[1 : header["version"] + 1]), start=1):
        event = audit_rules.exported_event(game, row)
        try:
            played[version] = _replayed(played, version, row, event)
        except (Illegal, msgspec.ValidationError, KeyError, IndexError, ValueError) as error:
            raise Bad(version, f"the rules can't follow it: {error}") from None
    if played and played[len(played)].lifecycle.is_open:
        _refuse_other_ending(played[len(played)])


def _replayed(played: dict[int, MatchState], version: int, row: dict[str, Any], event: Event) -> MatchState:
    """Return the match after one more exported event, by the rules."""
    how = {"version": version, "hash": bytes.fromhex(row["hash"]), "at": croupier_verify.microseconds(row["at"])}
    if isinstance(event, MatchOpened):
        return match_state.opened(event, **how)
    earlier = played.get(event.to_version) if isinstance(event, MatchRewound) else None
    return match_state.evolve(played[version - 1], event, **how, actor=row["actor"], earlier=earlier)


def _refuse_other_ending(last: MatchState) -> None:
    """Raise Bad if the rules give another outcome than the recorded one; a host's decision is not checked."""
    lifecycle = last.lifecycle
    if lifecycle.voided or (lifecycle.outcome and lifecycle.outcome.reason == "adjudicated"):
        return
    by_the_rules = last.game.outcome(last.state)
    if by_the_rules is None or to_json(by_the_rules) != to_json(lifecycle.outcome):
        raise Bad(last.version, "the rules give another outcome than the recorded one")


def recorded(row: Recorded, opens: bool) -> dict[str, Any]:
    """Return an event's line in a record; its secret is included if `opens`."""
    digest = chain.digest(row.salt, row.secret)
    return {
        "version": row.version,
        "type": row.type,
        "schema": row.schema,
        "actor": row.actor,
        "at": instant(row.at),
        "public": msgspec.json.decode(row.public),
        "digest": digest.hex() or None,
        "secret": msgspec.json.decode(row.secret) if opens and row.secret is not None else None,
        "salt": row.salt.hex() if opens and row.salt is not None else None,
        "audience": row.audience,
        "hash": row.hash.hex(),
    }


def as_line(document: dict[str, Any]) -> bytes:
    return msgspec.json.encode(document) + b"\n"
