"""Leaves of the checkpoints in the archive, and the log's leave to remove what is there."""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0013_tiles.sql")

BACK = """
DO $$
DECLARE
    kept text;
BEGIN
    FOREACH kept IN ARRAY ARRAY['events_leaf', 'events_subtree'] LOOP
        EXECUTE format('DROP TRIGGER %s_only_tiled ON %I', kept, kept);
        EXECUTE format('DROP TRIGGER %s_append_only ON %I', kept, kept);
        EXECUTE format('CREATE TRIGGER %s_append_only BEFORE UPDATE OR DELETE ON %I'
                       ' FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change()', kept, kept);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %s_append_only', kept, kept);
    END LOOP;
END $$;
DROP FUNCTION events_refuse_untiled;
DROP TABLE events_covered, events_tile;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0012_noted_archive")]
    operations = [migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=BACK)]
