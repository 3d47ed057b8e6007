"""What a batch of commands asks and changes beside the log: whether who sent each may play, the match's row, its flag.

It is the same as `matches.services.appending` writes for one act, in the transaction of the whole batch.
"""

from datetime import datetime
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from events.arrays import BLOBS, BOOLEANS, INSTANTS, INTEGERS, TEXTS, UUIDS
from events.batches import BatchStatement, Part


class Sender(NamedTuple):
    """Who has sent a command, and by what: a token by its id, or a session by its key and the password it was made
    under. `season` is that of the match, where it has one."""

    account: UUID
    token: UUID | None
    session: str | None
    password: bytes | None
    season: UUID | None


# What `http.authentication` and `reads.permissions` ask of a request that takes the other way; who sits at a match is
# told of it whatever its spectators' delay.
IS_SIGNED_IN = """EXISTS (
        SELECT FROM matches_accesstoken t
        WHERE t.id = c.token AND t.account_id = c.account AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp()
    )"""
"""Whether the token of a row `c` is good and its account's."""
SEES_SEASON = """(c.season IS NULL OR a.is_organiser OR EXISTS (
        SELECT FROM seasons_season s WHERE s.id = c.season AND (s.public OR EXISTS (
            SELECT FROM seasons_member m WHERE m.season_id = s.id AND m.account_id = c.account
        ))
    ))"""
"""Whether the account `a` of a row `c` may know of its match's season."""
_SENDERS = Part(
    f"""
SELECT c.n FROM {{rows}} AS c (n, account, token, session, password, season)
JOIN matches_account a ON a.id = c.account AND a.is_active
WHERE CASE WHEN c.token IS NOT NULL THEN {IS_SIGNED_IN}
    ELSE sha256(convert_to(a.password, 'UTF8')) = c.password AND EXISTS (
        SELECT FROM django_session s WHERE s.session_key = c.session AND s.expire_date > clock_timestamp()
    ) END
    AND {SEES_SEASON}
""",  # noqa: S608  made of this module's own words
    (UUIDS, UUIDS, TEXTS, BLOBS, UUIDS),
)
_MATCHES = Part(
    """
UPDATE matches_match m SET version = c.version, status = c.status, needs = c.needs::uuid[], wake = c.wake,
    changed_at = c.at, finished_at = CASE WHEN c.finished_at IS NOT NULL THEN coalesce(m.finished_at, c.finished_at) END
FROM {rows} AS c (n, id, version, status, needs, wake, at, finished_at) JOIN moved USING (n) WHERE m.id = c.id
""",
    (UUIDS, INTEGERS, TEXTS, TEXTS, BOOLEANS, INSTANTS, INSTANTS),
)
_FLAGS = Part(
    """
INSERT INTO matches_deadline (match_id, falls_at)
SELECT c.id, c.falls_at FROM {rows} AS c (n, id, falls_at) JOIN moved USING (n)
ON CONFLICT (match_id) DO UPDATE SET falls_at = excluded.falls_at
""",
    (UUIDS, INSTANTS),
)
_ACCEPTANCE = Part(
    """
UPDATE matches_seat s SET awaited = s.number = ANY (c.awaited::int[])
FROM {rows} AS c (n, id, awaited) JOIN moved USING (n) WHERE s.match_id = c.id
""",
    (UUIDS, TEXTS),
)
STATEMENT = BatchStatement(_SENDERS, (_MATCHES, _FLAGS, _ACCEPTANCE))


class MatchRow(NamedTuple):
    """What a match's row is brought to; `needs` is an array in Postgres' own words."""

    match_id: UUID
    version: int
    status: str
    needs: str
    wake: bool
    at: datetime
    finished_at: datetime | None


class NextFlag(NamedTuple):
    """When the next flag of a match falls, or none."""

    match_id: UUID
    falls_at: datetime | None


class Acceptance(NamedTuple):
    """The seats of a match that have yet to accept, as an array in Postgres' own words."""

    match_id: UUID
    awaited: str


def proof_of(password: str) -> bytes:
    """What is sent of an account's stored password, to compare it: no log need hold the password's own hash."""
    return sha256(password.encode()).digest()
