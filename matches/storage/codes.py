"""Codes of matches in a distributed database: a table on the coordinator, because a node knows only its own matches."""

from uuid import UUID

from events import distribution
from events.pipeline import Statement, roundtrip
from events.store import raw_connection

_INSERT = "INSERT INTO matches_code (code, match_id) VALUES ($1, $2)"
_FIND = "SELECT match_id FROM matches_code WHERE code = $1"


def noting(code: str, match_id: UUID) -> list[Statement]:
    """Return the statements that reserve a new match's code; none in a database of one server: it has a constraint."""
    return [(_INSERT, (code, match_id))] if distribution.is_distributed() else []


def match_id_of(code: str) -> UUID | None:
    """Return the match with this code from the table; None if there is none, and always in a database of one server."""
    if not distribution.is_distributed():
        return None
    (rows,) = roundtrip(raw_connection(), [(_FIND, (code,))])
    return rows[0][0] if rows else None
