"""Places in the order of all streams, numbered without a gap."""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0017_counted_places.sql")
UNCOUNTED = """
DROP TRIGGER IF EXISTS events_place_numbered ON events_place;
DROP TRIGGER IF EXISTS events_place_counted ON events_place;
DROP TRIGGER IF EXISTS events_place_only_archived ON events_place;
DROP TRIGGER events_place_append_only ON events_place;
DROP TRIGGER events_place_no_truncate ON events_place;
DROP FUNCTION events_number_place, events_count_placed, events_count_removed_places;
DROP TABLE events_placed;
SELECT setval(pg_get_serial_sequence('events_place', 'position'), 1 + (
    SELECT coalesce(max(position), 0) FROM events_place
));
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0016_waiting_commands")]
    operations = [migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=UNCOUNTED)]
