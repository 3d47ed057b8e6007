"""Checking a match's record as an outsider would: by the standalone verifier, on its export."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from uuid import UUID

from django.utils import timezone

from games.kernel import Witness
from matches.audit import croupier_verify, export
from matches.audit.croupier_verify import Bad

KEPT = 256


@dataclass(frozen=True)
class Chain:
    """The result of a check: `fault` is empty if the record holds, else it names the event and the reason."""

    fault: str
    checked_at: str


def chain_of(match_id: UUID, witness: Witness, head: str) -> Chain:
    """Check the record up to a head; a result is reused for the minute in which it was made."""
    minute = timezone.now().astimezone(UTC).replace(second=0, microsecond=0)
    return _checked(match_id, witness, head, minute)


@lru_cache(maxsize=KEPT)
def _checked(match_id: UUID, witness: Witness, head: str, minute: datetime) -> Chain:
    at = f"{minute:%Y-%m-%dT%H:%M:%S}Z"
    try:
        # A record whose draws are too many to export is not broken by that.
        lines = [line.decode() for line in export.export(match_id, witness)]
        croupier_verify.verify(lines, undrawn=True)  # type: ignore[no-untyped-call]
    except Bad as bad:
        return Chain(str(bad), at)
    return Chain("", at)
