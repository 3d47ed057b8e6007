"""Proof for those who don't trust the house: the record of a match, self-contained, and its check."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec

from events import chain, store
from events.records import Recorded
from games import catalogue
from games.kernel import Illegal, Table, from_json
from matches import codec, feed, lifecycle, table
from matches.croupier_verify import Bad
from matches.documents import AuditDocument
from matches.lifecycle import MatchOpened
from matches.table import NoSuchMatch

FORMAT = "croupier-export-v1"


def export(match_id: UUID) -> Iterator[bytes]:
    """The match's record as lines of JSON: a header, then every event with its chain.

    Secrets and salts are in it once the match has finished; before, their digests stand for them.
    """
    folded = table.load(match_id)
    opens = folded.outcome is not None
    opened = folded.lifecycle.opened
    yield _line(
        {
            "format": FORMAT,
            "match": str(match_id),
            "game": opened.game,
            "version": folded.version,
            "hash": folded.hash.hex(),
            "finished": opens,
            "seed_commitment": opened.seed_commitment,
            "chance": opened.chance,
        }
    )
    for rows in store.read_in_pages(match_id):
        yield from (_line(_event(row, opens)) for row in rows if row.version <= folded.version)


def standing(match_id: UUID) -> AuditDocument:
    """The head of a match's chain, and what it has promised; raises NoSuchMatch."""
    head = store.head(match_id)
    if head is None:
        raise NoSuchMatch(str(match_id))
    story = table.load(match_id).lifecycle
    return AuditDocument(
        version=head.version,
        hash=head.hash.hex(),
        events=head.version,
        seed_commitment=story.opened.seed_commitment,
        chance=story.opened.chance,
        nonces=list(story.nonces),
        seed=story.seed,
    )


def replay(lines: Sequence[str]) -> None:
    """Play a verified export again by the rules; raises Bad where the rules give another state or outcome.

    A running match's export has blank secrets, so its outcome can't be checked; its events are still folded.
    """
    story, played = None, None
    for event in map(msgspec.json.decode, lines[1:]):
        told = {**event["public"], **(event["secret"] or {})}
        try:
            if story is None:
                story = lifecycle.opening(from_json(told, MatchOpened))
                played = _empty_table(story.opened)
            elif event["type"] in codec.LIFECYCLE:
                story = lifecycle.evolve(story, from_json(told, codec.LIFECYCLE[event["type"]]))
            else:
                played.record(told)
        except (Illegal, msgspec.ValidationError, KeyError) as error:
            raise Bad(event["version"], f"the rules can't read it: {error}") from None
    if story is not None and story.outcome != played.outcome and lines and msgspec.json.decode(lines[0])["finished"]:
        raise Bad(len(lines) - 1, "the rules give another outcome than the recorded one")


def _empty_table(opened: MatchOpened) -> Table:
    return Table(catalogue[opened.game], opened.options, opened.seats, opened.priority)


def _event(row: Recorded, opens: bool) -> dict[str, Any]:
    digest = chain.digest(row.salt, row.secret)
    return {
        "version": row.version,
        "type": row.type,
        "schema": row.schema,
        "actor": row.actor,
        "at": feed.instant(row.at),
        "public": msgspec.json.decode(row.public),
        "digest": digest.hex() or None,
        "secret": msgspec.json.decode(row.secret) if opens and row.secret is not None else None,
        "salt": row.salt.hex() if opens and row.salt is not None else None,
        "audience": row.audience,
        "hash": row.hash.hex(),
    }


def _line(document: dict[str, Any]) -> bytes:
    return msgspec.json.encode(document) + b"\n"
