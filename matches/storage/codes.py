"""Codes of matches in a distributed database: a table of the coordinator's, as a node knows its own matches alone."""

from uuid import UUID

from events import distribution
from events.pipeline import Statement, roundtrip
from events.store import raw_connection

_NOTE = "INSERT INTO matches_code (code, match_id) VALUES ($1, $2)"
_FIND = "SELECT match_id FROM matches_code WHERE code = $1"


def noting(code: str, match_id: UUID) -> list[Statement]:
    """What a match's opening adds so that its code is its own; nothing where a constraint does that."""
    return [(_NOTE, (code, match_id))] if distribution.is_distributed() else []


def find(code: str) -> UUID | None:
    """The match of a code, where that stands in the table."""
    if not distribution.is_distributed():
        return None
    (rows,) = roundtrip(raw_connection(), [(_FIND, (code,))])
    return rows[0][0] if rows else None
