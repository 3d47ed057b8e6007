"""Sealed parts of options, stored only by a transaction that appends to their stream.

The database can't unseal a part, so it can't compare it with its commitment: whoever unseals it does (matches/storage/seeds.py).
A part whose commitment no event holds is never read.
"""

from django.db import migrations, models

CHECKED = """
CREATE FUNCTION matches_check_part() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM (SELECT xmin FROM events_event WHERE stream = NEW.stream ORDER BY version DESC LIMIT 1) AS last
        WHERE last.xmin = pg_current_xact_id()::xid
    ) THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = format('This transaction appends nothing to the stream %s, so it stores no part.', NEW.stream);
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
        CREATE TRIGGER matches_sealedpart_checked BEFORE INSERT ON matches_sealedpart
            FOR EACH ROW EXECUTE FUNCTION matches_check_part();
        ALTER TABLE matches_sealedpart ENABLE ALWAYS TRIGGER matches_sealedpart_checked;
    END IF;
END $$;
"""
UNCHECKED = """
DROP TRIGGER IF EXISTS matches_sealedpart_checked ON matches_sealedpart;
DROP FUNCTION matches_check_part;
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0034_place_acts"), ("events", "0001_initial")]

    operations = [
        migrations.CreateModel(
            "SealedPart",
            [
                ("pk", models.CompositePrimaryKey("stream", "commitment", primary_key=True, serialize=False)),
                ("stream", models.UUIDField(editable=False)),
                ("commitment", models.BinaryField(max_length=32)),
                ("sealed", models.BinaryField()),
            ],
        ),
        migrations.RunSQL(CHECKED, reverse_sql=UNCHECKED),
    ]
