"""All streams in one order: what is appended from here on."""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0007_places.sql")
WITHOUT = """
DROP TRIGGER events_event_unplaced ON events_event;
DROP FUNCTION events_leave_unplaced;
DROP TABLE events_place, events_held, events_unplaced;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0006_log_in_time")]
    operations = [migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=WITHOUT)]
