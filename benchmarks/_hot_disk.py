"""Hot disk use of the database, split into running matches and what each archived match has left."""

from typing import NamedTuple

import psycopg

from benchmarks.report import Row, number

_GONE = """
CREATE TEMP TABLE gone AS SELECT a.stream FROM (SELECT DISTINCT stream FROM events_archived) a
WHERE NOT EXISTS (SELECT FROM events_event e WHERE e.stream = a.stream)
"""
_TABLES = """
SELECT c.relname, pg_total_relation_size(c.oid), (
    SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND NOT attisdropped
        AND (attname IN ('stream', 'match_id') OR (c.relname = 'matches_match' AND attname = 'id'))
)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY 1
"""
_OF_TILES = ("events_tile", "events_subtree")
"""Tables that hold data of several archived leaves together."""
_NOTES = "events_signed"
_NOT_ARCHIVED = "SELECT count(*) FROM matches_match m WHERE NOT EXISTS (SELECT FROM gone WHERE gone.stream = m.id)"


class Disk(NamedTuple):
    """Bytes in all, of checkpoints' notes, and by table (name, all bytes, bytes of archived matches); and the numbers
    of archived and other matches."""

    all: int
    empty: int
    notes: int
    tables: tuple[tuple[str, int, int], ...]
    archived: int
    hot: int

    @property
    def left(self) -> int:
        """Bytes that archived matches have left, rows and indexes."""
        return sum(left for _, _, left in self.tables)

    @property
    def played(self) -> int:
        """Bytes for the matches that are not archived, including free space for the next ones."""
        return self.all - self.empty - self.notes - self.left


def empty(owner_url: str) -> int:
    """Return the size of a database without matches."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(b"VACUUM (ANALYZE)")
        return _count(owner, "SELECT pg_database_size(current_database())")


def now(owner_url: str, before: int) -> Disk:
    """Return the current use; a table's bytes are attributed in proportion to its rows."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        # Read before the temporary table exists, which would be counted too.
        size = _count(owner, "SELECT pg_database_size(current_database())")
        owner.execute(_GONE)
        owner.execute(b"ANALYZE gone")
        sizes = owner.execute(_TABLES).fetchall()
        tables = tuple((name, total, int(total * _share(owner, name, column))) for name, total, column in sizes)
        notes = next(total for name, total, _ in sizes if name == _NOTES)
        archived, hot = _count(owner, "SELECT count(*) FROM gone"), _count(owner, _NOT_ARCHIVED)
    return Disk(size, before, notes, tables, archived, hot)


def _share(owner: psycopg.Connection, table: str, column: str | None) -> float:
    """Return the part of a table that belongs to archived matches."""
    if table in _OF_TILES:
        query = "SELECT count(*) FROM events_subtree s WHERE EXISTS (SELECT FROM events_tile t"
        query += (
            " WHERE s.level >= 8 AND s.place << (s.level - 8) <= t.place AND t.place < (s.place + 1) << (s.level - 8))"
        )
        part = _count(owner, query) if table == "events_subtree" else 1
    elif column is None:
        return 0.0
    else:
        part = _count(owner, f"SELECT count(*) FROM {table} WHERE {column} IN (SELECT stream FROM gone)")
    whole = _count(owner, f"SELECT count(*) FROM {table}") if table != "events_tile" else 1
    return part / whole if whole else 0.0


def sentence(disk: Disk) -> str:
    """Describe the use in a line."""
    return (
        f"{disk.all / 2**20:.1f} MiB in all, {disk.empty / 2**20:.1f} of them before anything was played and "
        f"{disk.notes / 2**20:.1f} notes of checkpoints; {disk.played / 2**20:.1f} MiB of {disk.hot:,} matches that "
        f"aren't archived, {number(disk.played / 1024 / disk.hot)} kB each; {disk.left / 2**20:.1f} MiB left by "
        f"{disk.archived:,} archived ones, {number(disk.left / max(1, disk.archived))} bytes each"
    )


def by_table(disk: Disk) -> list[str]:
    """Return a line for each table that keeps bytes of archived matches, the largest first."""
    kept = sorted(((left / max(1, disk.archived), name) for name, _, left in disk.tables if left), reverse=True)
    return [f"    {name:<24}{number(left):>10} bytes an archived match" for left, name in kept]


def rows(disks: list[Disk]) -> list[Row]:
    """Return rows by month."""
    return [
        row
        for month, disk in enumerate(disks, start=1)
        for row in (
            Row(f"month {month}: hot disk in all", "MiB", (disk.all / 2**20,)),
            Row(f"month {month}: of a match that isn't archived", "kB", (disk.played / 1024 / disk.hot,)),
            Row(f"month {month}: left by an archived match", "bytes", (disk.left / max(1, disk.archived),)),
        )
    ]


def _count(owner: psycopg.Connection, question: str) -> int:
    row = owner.execute(question.encode()).fetchone()
    return int(row[0]) if row else 0
