"""Proofs of a season: the head of its chain, the checkpoints that cover it, and the downloads of its record."""

from typing import cast
from uuid import UUID

from events import access, store
from events.checkpoints import signing
from matches.audit import export
from matches.reads.documents.record import AccessDocument, AccessKind, CoverDocument, ProofDocument
from matches.seasons.reads.documents import SeasonAudit
from matches.seasons.repository import NoSuchSeason

_TAKEN = {
    "exported": "The record was exported.",
    "archived": "The season and its matches were taken as an archive.",
    "webhook_set": "From then on the season's news went to another webhook.",
    "webhook_removed": "From then on the season's news went to no webhook.",
}


def standing(season_id: UUID) -> SeasonAudit:
    """Return the season's chain and the checkpoints that cover it; raise NoSuchSeason."""
    head = store.head(season_id)
    if head is None:
        raise NoSuchSeason(str(season_id))
    return SeasonAudit(
        version=head.version,
        hash=head.hash.hex(),
        verifier_key=signing.signer().verifier_key,
        checkpoints=[
            CoverDocument(leaf.version, leaf.hash.hex(), leaf.position, size, at)
            for leaf, size, at in signing.covering(season_id)
        ],
        access=[
            AccessDocument(it.at, it.actor, cast(AccessKind, it.kind), None, _TAKEN[it.kind])
            for it in access.of(season_id)
        ],
    )


def proof(season_id: UUID, upto: int | None, size: int | None) -> ProofDocument | None:
    """Return the proof that a signed checkpoint holds the season's newest covered hash; None if none does."""
    return export.serialized_proof(signing.prove(season_id, upto=upto, size=size))
