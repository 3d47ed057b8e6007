"""Dirty streams take turns: one that fails goes to the end of the line, and still counts from when it became dirty."""

from django.db import migrations

TURNS = """
ALTER TABLE events_dirty ADD COLUMN turn timestamptz NOT NULL DEFAULT clock_timestamp();
UPDATE events_dirty SET turn = since;
DROP INDEX events_dirty_oldest;
CREATE INDEX events_dirty_next ON events_dirty (projection, turn);
"""
BEFORE = """
DROP INDEX events_dirty_next;
ALTER TABLE events_dirty DROP COLUMN turn;
CREATE INDEX events_dirty_oldest ON events_dirty (projection, since);
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0003_carried_clock")]
    operations = [migrations.RunSQL(TURNS, reverse_sql=BEFORE)]
