"""Proof for those who don't trust the house: the record of a match, self-contained, and its check."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec

from events import chain, store
from events.records import Recorded
from games.kernel import Illegal, from_json, to_json
from matches import codec, croupier_verify, feed, folded, table
from matches.croupier_verify import Bad
from matches.documents import AuditDocument
from matches.folded import Folded
from matches.happenings import MatchOpened, MatchRewound
from matches.table import NoSuchMatch

FORMAT = "croupier-export-v1"


def export(match_id: UUID) -> Iterator[bytes]:
    """The match's record as lines of JSON: a header, then every event with its chain.

    Secrets and salts are in it once the match is over; before, their digests stand for them.
    """
    truth = table.load(match_id)
    opens = truth.lifecycle.over
    opened = truth.lifecycle.opened
    yield _line(
        {
            "format": FORMAT,
            "match": str(match_id),
            "game": opened.game,
            "version": truth.version,
            "hash": truth.hash.hex(),
            "finished": opens,
            "seed_commitment": opened.seed_commitment,
            "chance": opened.chance,
        }
    )
    for rows in store.read_in_pages(match_id):
        yield from (_line(_event(row, opens)) for row in rows if row.version <= truth.version)


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
        truth_viewed_by=[UUID(account) for account in story.looked],
    )


def replay(lines: Sequence[str]) -> None:
    """Play a verified export again by the rules; raises Bad where the rules give another state or outcome.

    A running match's export has blank secrets, so its outcome can't be checked; its events are still folded.
    """
    played: dict[int, Folded] = {}
    for version, event in enumerate(map(msgspec.json.decode, lines[1:]), start=1):
        try:
            played[version] = _replayed(played, version, event)
        except (Illegal, msgspec.ValidationError, KeyError, IndexError, ValueError) as error:
            raise Bad(version, f"the rules can't read it: {error}") from None
    if played and msgspec.json.decode(lines[0])["finished"]:
        _refuse_other_ending(played[len(played)])


def _replayed(played: dict[int, Folded], version: int, event: dict[str, Any]) -> Folded:
    """The match after one more exported event, by the rules."""
    told = {**event["public"], **(event["secret"] or {})}
    how = {"version": version, "hash": bytes.fromhex(event["hash"]), "at": croupier_verify.microseconds(event["at"])}
    if version == 1:
        return folded.opened(from_json(told, MatchOpened), **how)
    before = played[version - 1]
    happened = from_json(told, codec.kind_of(before.game, event["type"]))
    earlier = played.get(happened.to_version) if isinstance(happened, MatchRewound) else None
    return folded.evolve(before, happened, **how, earlier=earlier)


def _refuse_other_ending(last: Folded) -> None:
    """Raise Bad where the rules give another outcome than the recorded one; what a host decided stands as it is."""
    story = last.lifecycle
    if story.voided or (story.outcome and story.outcome.reason == "adjudicated"):
        return
    by_the_rules = last.game.outcome(last.state)
    if by_the_rules is None or to_json(by_the_rules) != to_json(story.outcome):
        raise Bad(last.version, "the rules give another outcome than the recorded one")


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
