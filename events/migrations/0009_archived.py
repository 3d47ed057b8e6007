"""Streams in the archive, and the log's leave to remove what is there."""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0009_archived.sql")

BACK = """
DROP TRIGGER events_event_only_archived ON events_event;
DROP TRIGGER events_event_append_only ON events_event;
CREATE TRIGGER events_event_append_only BEFORE UPDATE OR DELETE ON events_event
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
ALTER TABLE events_event ENABLE ALWAYS TRIGGER events_event_append_only;
DROP FUNCTION events_refuse_unarchived;
DROP TABLE events_archived;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0008_earlier_events_placed")]
    operations = [migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=BACK)]
