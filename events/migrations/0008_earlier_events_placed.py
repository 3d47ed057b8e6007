"""All streams in one order: what was appended before, act by act as their instants have it.

It reads the log and holds nobody up. Before the ids of all that is appended meanwhile there is room below zero.
"""

from django.db import migrations

PLACED = """
INSERT INTO events_unplaced (id, stream, first_version, last_version)
    SELECT row_number() OVER (ORDER BY instant, stream) - count(*) OVER () - 1, stream, first_version, last_version
    FROM (
        SELECT stream, instant, min(version) AS first_version, max(version) AS last_version
        FROM (
            -- Instants may go back within a stream; versions don't.
            SELECT e.stream, e.version, max(e.at) OVER (PARTITION BY e.stream ORDER BY e.version) AS instant
            FROM events_event e LEFT JOIN (
                SELECT stream, min(first_version) AS version FROM (
                    SELECT stream, first_version FROM events_unplaced
                    UNION ALL SELECT stream, first_version FROM events_place
                ) AS known GROUP BY stream
            ) AS known USING (stream)
            WHERE known.version IS NULL OR e.version < known.version
        ) AS earlier
        GROUP BY stream, instant
    ) AS acts
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0007_places")]
    operations = [migrations.RunSQL(PLACED, reverse_sql=migrations.RunSQL.noop)]
