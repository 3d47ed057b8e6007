"""Reject a row of `events_access` without a stream head: the verifier would report it as a lost stream."""

from django.db import migrations

CHECKED = """
CREATE FUNCTION events_check_access() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM events_head WHERE stream = NEW.stream) THEN
        RAISE integrity_constraint_violation USING MESSAGE = format('There is no stream %s to access.', NEW.stream);
    END IF;
    RETURN NEW;
END $$;
DO $$
DECLARE
    is_distributed boolean := false;
BEGIN
    -- A node of a distributed database copies rows when a shard is moved, perhaps before their heads.
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        is_distributed := EXISTS (
            SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = 'public.events_access'::regclass
        );
    END IF;
    IF NOT is_distributed THEN
        CREATE TRIGGER events_access_checked BEFORE INSERT ON events_access
            FOR EACH ROW EXECUTE FUNCTION events_check_access();
        ALTER TABLE events_access ENABLE ALWAYS TRIGGER events_access_checked;
    END IF;
END $$;
"""
UNCHECKED = """
DROP TRIGGER IF EXISTS events_access_checked ON events_access;
DROP FUNCTION events_check_access;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0018_guarded_count")]
    operations = [migrations.RunSQL(CHECKED, reverse_sql=UNCHECKED)]
