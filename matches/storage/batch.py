"""Checks and changes beside the log with each command of a match: may its sender play, the match's row, its next flag.

The writer sends them for a whole batch, `matches.services.appending` sends the changes for one act.
"""

from datetime import datetime
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from events.arrays import BLOBS, BOOLEANS, INSTANTS, INTEGERS, TEXTS, UUIDS
from events.batches import Addition, BatchStatement, Gate


class Sender(NamedTuple):
    """The account that has sent a command, with its token's id, or its session's key and the fingerprint of the
    password at sign-in. `season` is that of the match, if any."""

    account: UUID
    token: UUID | None
    session: str | None
    password: bytes | None
    season: UUID | None


# The same conditions as in `http.authentication`, `realtime.access` and `reads.permissions:visibility_filter`, which
# check requests that don't use the writer. Change them together; tests/matches/test_fast_way.py compares them. Seats
# see a match whatever its spectators' delay.
IS_SIGNED_IN = """EXISTS (
        SELECT FROM matches_accesstoken t
        WHERE t.id = c.token AND t.account_id = c.account AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp()
    )"""
"""SQL: true if the token of a row `c` is valid and belongs to its account."""
SEES_SEASON = """(c.season IS NULL OR a.is_organiser OR EXISTS (
        SELECT FROM seasons_season s WHERE s.id = c.season AND (s.public OR EXISTS (
            SELECT FROM seasons_member m WHERE m.season_id = s.id AND m.account_id = c.account
        ))
    ))"""
"""SQL: true if the account `a` of a row `c` may see its match's season."""
_SENDERS = Gate(
    f"""
SELECT c.n FROM {{rows}} AS c (n, account, token, session, password, season)
JOIN matches_account a ON a.id = c.account AND a.is_active
WHERE CASE WHEN c.token IS NOT NULL THEN {IS_SIGNED_IN}
    ELSE sha256(convert_to(a.password, 'UTF8')) = c.password AND EXISTS (
        SELECT FROM django_session s WHERE s.session_key = c.session AND s.expire_date > clock_timestamp()
    ) END
    AND {SEES_SEASON}
""",  # noqa: S608  composed of this module's constants
    (UUIDS, UUIDS, TEXTS, BLOBS, UUIDS),
)
_MATCHES = Addition(
    """
UPDATE matches_match m SET version = {version}, status = {status}, needs = {needs}::uuid[], wake = {wake},
    changed_at = {at},
    finished_at = CASE WHEN {finished_at}::timestamptz IS NOT NULL THEN coalesce(m.finished_at, {finished_at}) END
{rows} WHERE m.id = {id}
""",
    id=UUIDS, version=INTEGERS, status=TEXTS, needs=TEXTS, wake=BOOLEANS, at=INSTANTS, finished_at=INSTANTS,
)  # fmt: skip
_FLAGS = Addition(
    """
INSERT INTO matches_deadline (match_id, falls_at) {values}
ON CONFLICT (match_id) DO UPDATE SET falls_at = excluded.falls_at
""",
    id=UUIDS, falls_at=INSTANTS,
)  # fmt: skip
_ACCEPTANCE = Addition(
    "UPDATE matches_seat s SET awaited = s.number = ANY ({awaited}::int[]) {rows} WHERE s.match_id = {id}",
    id=UUIDS, awaited=TEXTS,
)  # fmt: skip
STATEMENT = BatchStatement(_SENDERS, (_MATCHES, _FLAGS, _ACCEPTANCE))


class MatchRow(NamedTuple):
    """The new values of a match's row; `needs` is an array in Postgres' text format."""

    match_id: UUID
    version: int
    status: str
    needs: str
    wake: bool
    at: datetime
    finished_at: datetime | None


class NextFlag(NamedTuple):
    """The instant of a match's next flag, or None."""

    match_id: UUID
    falls_at: datetime | None


class Acceptance(NamedTuple):
    """The seats of a match that haven't accepted yet, as an array in Postgres' text format."""

    match_id: UUID
    awaited: str


Beside = tuple[MatchRow, NextFlag | None, Acceptance | None]
"""The rows of an act for the additions of STATEMENT."""


def password_fingerprint(password: str) -> bytes:
    """Return a hash of an account's stored password, for comparison, so that the stored value appears in no log."""
    return sha256(password.encode()).digest()
