"""Delete rows that nobody needs any more, by a rule for each kind. None of them is part of a record."""

from typing import NamedTuple

import structlog
from django.db import connection

from events import distribution
from matches.storage import repository

log = structlog.get_logger(__name__)

_OF_NODES = ("events_key", "events_snapshot", "matches_deadline")
"""Tables on the nodes of a distributed database."""
_BATCH = 5000
"""Rows deleted per transaction, so that nobody waits long for their locks."""


class Rule(NamedTuple):
    """A rule to delete the rows of a table for which the SQL condition `past` is true."""

    name: str
    table: str
    past: str
    why: str


RULES = (
    Rule(
        "keys", "events_key",
        "at < clock_timestamp() - interval '48 hours'"
        " AND EXISTS (SELECT FROM matches_match m WHERE m.id = events_key.stream AND m.status IN ('finished', 'void'))",
        "answers for retries, two days old, of matches that are over",
    ),
    Rule(
        "deadlines", "matches_deadline",
        "falls_at IS NULL AND EXISTS (SELECT FROM matches_match m WHERE m.id = matches_deadline.match_id"
        " AND m.status IN ('finished', 'void') AND m.changed_at < clock_timestamp() - interval '48 hours')",
        "that no flag falls in matches that have been over for two days; one that is reopened gets a row again",
    ),
    Rule(
        "snapshots", "events_snapshot",
        "reducer LIKE 'match/%%' AND reducer NOT LIKE 'match/%%/' || %(shapes)s",
        "states of another shape than this release's",
    ),
    Rule(
        "notices", "matches_notice",
        "coalesce(sent_at, given_up_at) < clock_timestamp() - interval '90 days'",
        "notices of webhooks, sent or given up three months ago",
    ),
    Rule(
        "trials", "contests_contesttrial",
        "changed_at < clock_timestamp() - interval '30 days'"
        " OR status = 'running' AND begun_at < clock_timestamp() - interval '1 day'",
        "trials of contests, a month old, or begun a day ago and still not over",
    ),
    Rule("sessions", "django_session", "expire_date < clock_timestamp()", "sessions of browsers that have ended"),
    Rule(
        # Not named tokens, because logs hide fields of that name.
        "logins", "matches_accesstoken",
        "least(expires_at, revoked_at) < clock_timestamp() - interval '30 days'",
        "tokens of programs, expired or revoked a month ago; what was done with them stands in the access log",
    ),
)  # fmt: skip


class Prunable(NamedTuple):
    """The rows that a rule would delete, and their bytes without indexes."""

    rule: Rule
    rows: int
    bytes: int


def prunable() -> list[Prunable]:
    """Return what would be deleted now."""
    return [Prunable(rule, *_counted(rule)) for rule in RULES]


def prune() -> dict[str, int]:
    """Delete by every rule, and return the rows deleted by each. May run concurrently."""
    pruned = {rule.name: _prune(rule) for rule in RULES}
    if any(pruned.values()):
        log.info("pruned", **pruned)
    return pruned


def _prune(rule: Rule) -> int:
    rows = 0
    while deleted := _delete(rule):
        rows += deleted
    return rows


def _delete(rule: Rule) -> int:
    if rule.table in _OF_NODES and distribution.is_distributed():
        return _delete_on_nodes(rule)
    batch = f"SELECT ctid FROM {rule.table} WHERE {rule.past} LIMIT {_BATCH} FOR UPDATE SKIP LOCKED"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {rule.table} WHERE ctid = ANY (ARRAY ({batch}))", _values(rule))  # noqa: S608
        return int(cursor.rowcount)


def _delete_on_nodes(rule: Rule) -> int:
    """Delete all rows at once: a distributed table can't be deleted from by ctid."""
    past = rule.past.replace("clock_timestamp()", "now()")
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {rule.table} WHERE {past}", _values(rule))  # noqa: S608
        return int(cursor.rowcount)


def _counted(rule: Rule) -> tuple[int, int]:
    size = f"coalesce(sum(pg_column_size({rule.table})), 0)"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*), {size} FROM {rule.table} WHERE {rule.past}", _values(rule))  # noqa: S608
        rows, taken = cursor.fetchone()
    return int(rows), int(taken)


def _values(rule: Rule) -> dict[str, str] | None:
    return {"shapes": repository.shapes()} if "%(shapes)s" in rule.past else None
