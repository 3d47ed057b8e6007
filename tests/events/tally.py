"""A projection that writes down every event it is given, so that a missed or doubled one shows."""

from collections.abc import Callable, Sequence
from uuid import UUID

from django.conf import settings
from django.db import connection

from events.records import Recorded
from tests.events.staging import owner

_TABLE = """
CREATE TABLE IF NOT EXISTS tally (name text, generation integer, stream uuid, version integer);
GRANT SELECT, INSERT, DELETE ON tally TO {role}
"""


class Tally:
    """One row an event of type `counted`; `before` is called with the stream before anything is written."""

    types = frozenset({"counted"})

    def __init__(self, name: str, before: Callable[[UUID], object] = lambda _: None) -> None:
        self.name = name
        self.before = before

    @staticmethod
    def set_up() -> None:
        """Make the table that tallies write to."""
        with owner() as hand:
            hand.execute(_TABLE.format(role=settings.DATABASE_LOGINS.role))

    def apply(self, generation: int, stream: UUID, events: Sequence[Recorded]) -> None:
        """Write the events down."""
        self.before(stream)
        rows = [(self.name, generation, stream, row.version) for row in events if row.type in self.types]
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO tally VALUES (%s, %s, %s, %s)", rows)

    def clear(self, generation: int) -> None:
        """Delete a generation."""
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM tally WHERE name = %s AND generation = %s", (self.name, generation))

    def versions(self, generation: int, stream: UUID) -> list[int]:
        """Return the recorded versions of a stream, in order."""
        query = "SELECT version FROM tally WHERE name = %s AND generation = %s AND stream = %s ORDER BY version"
        with connection.cursor() as cursor:
            cursor.execute(query, (self.name, generation, stream))
            return [version for (version,) in cursor.fetchall()]

    def generations(self) -> list[int]:
        """The generations that have rows."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT generation FROM tally WHERE name = %s ORDER BY 1", (self.name,))
            return [generation for (generation,) in cursor.fetchall()]
