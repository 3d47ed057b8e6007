"""The count of places is changed by the triggers of `events_place` alone, so that no plain statement hides a gap.

Their owner can disable the trigger, as each other one. It fires for statements, which a logical replica doesn't run.
"""

from django.db import migrations

GUARDED = """
CREATE FUNCTION events_refuse_recount() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- This trigger is the first level; within one of events_place it is the second.
    IF TG_OP <> 'UPDATE' OR pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'The event log is append-only: % on % is refused.', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege', DETAIL = 'The triggers of events_place count its rows.';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER events_placed_counted_alone BEFORE UPDATE OR DELETE OR TRUNCATE ON events_placed
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_recount();
ALTER TABLE events_placed ENABLE ALWAYS TRIGGER events_placed_counted_alone;
"""
UNGUARDED = """
DROP TRIGGER events_placed_counted_alone ON events_placed;
DROP FUNCTION events_refuse_recount;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0017_counted_places")]
    operations = [migrations.RunSQL(GUARDED, reverse_sql=UNGUARDED)]
