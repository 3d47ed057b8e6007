"""A database set back, by a restore from a backup or a failover to a standby that lacked the tail of a match."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from psycopg import sql

from matches.storage import repository
from tests.events.staging import owner, tamper

TABLES = {
    "events_event": "stream", "events_head": "stream", "events_key": "stream", "events_snapshot": "stream",
    "events_dirty": "stream", "events_checkpoint": "stream", "matches_match": "id", "matches_seat": "match_id",
    "matches_deadline": "match_id", "matches_seed": "match_id", "matches_sealedpart": "stream",
    "matches_text": "stream", "seasons_season": "id", "seasons_member": "season_id",
}  # fmt: skip
"""Tables with rows of a match or a season, and the column that holds its id."""

Backup = dict[str, tuple[list[str], list[tuple[Any, ...]]]]


def backup(stream: UUID) -> Backup:
    """Return all stored rows of the match or season."""
    saved: Backup = {}
    with owner() as connection, connection.transaction():
        for name, column in TABLES.items():
            rows = connection.execute(_of("SELECT * FROM {} WHERE {} = %s", name, column), [stream])
            saved[name] = [it.name for it in rows.description or ()], rows.fetchall()
    return saved


def restore(stream: UUID, saved: Backup | None) -> None:
    """Set the database back to that, in one transaction; without a backup there was no such match or season."""

    def act(connection: Any) -> None:
        # What other tables say of it stays as it is.
        connection.execute("SET LOCAL session_replication_role = replica")
        for name, column in TABLES.items():
            connection.execute(_of("DELETE FROM {} WHERE {} = %s", name, column), [stream])
            columns, rows = saved[name] if saved else ([], [])
            for row in rows:
                connection.execute(_insert(name, columns), row)

    tamper(act)


@contextmanager
def another_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Meanwhile a process acts that knows nothing yet; what this one knows stays as it is."""
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(repository, "_cache", repository.FoldCache(2**24))
        yield


def _of(text: str, *names: str) -> sql.Composed:
    return sql.SQL(text).format(*map(sql.Identifier, names))


def _insert(name: str, columns: Iterable[str]) -> sql.Composed:
    listed = [sql.Identifier(column) for column in columns]
    return sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(name), sql.SQL(", ").join(listed), sql.SQL(", ").join([sql.Placeholder()] * len(listed))
    )
