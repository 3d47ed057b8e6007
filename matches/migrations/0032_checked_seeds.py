"""A sealed seed is stored only by the transaction that opens its stream.

The database can't unseal a seed, so it can't compare it with the commitment. It makes sure that the seed is stored together
with the event that holds the commitment: nobody can add a seed to a stream that was opened before, or to one that is yet to
be opened. Whoever unseals a seed compares it with the commitment (matches/storage/seeds.py).
"""

from django.db import migrations

CHECKED = """
CREATE FUNCTION matches_check_seed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- A second seed is refused by the primary key.
    IF NOT EXISTS (SELECT FROM matches_seed WHERE match_id = NEW.match_id) AND NOT EXISTS (
        SELECT FROM events_event
        WHERE stream = NEW.match_id AND version = 1 AND type IN ('match_opened', 'season_opened')
            AND xmin = pg_current_xact_id()::xid
    ) THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = format('This transaction does not open the stream %s, so it stores no seed.', NEW.match_id);
    END IF;
    RETURN NEW;
END $$;
DO $$
DECLARE
    is_distributed boolean := false;
BEGIN
    -- The nodes of a distributed database copy rows when a shard is moved, in other transactions.
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        is_distributed := EXISTS (
            SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = 'public.matches_seed'::regclass
        );
    END IF;
    IF NOT is_distributed THEN
        CREATE TRIGGER matches_seed_checked BEFORE INSERT ON matches_seed
            FOR EACH ROW EXECUTE FUNCTION matches_check_seed();
        ALTER TABLE matches_seed ENABLE ALWAYS TRIGGER matches_seed_checked;
    END IF;
END $$;
"""
UNCHECKED = """
DROP TRIGGER IF EXISTS matches_seed_checked ON matches_seed;
DROP FUNCTION matches_check_seed;
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0031_webhook_failures"), ("events", "0001_initial")]

    operations = [migrations.RunSQL(CHECKED, reverse_sql=UNCHECKED)]
