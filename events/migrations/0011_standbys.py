"""How many synchronous standbys follow, for a service that has promised that one does."""

from django.db import migrations

# Only a role with pg_read_all_stats sees what a standby does, and that of all sessions' queries too: the service is
# told a number instead. NULL where the owner itself isn't shown it.
STANDBYS = """
CREATE FUNCTION events_standbys() RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN count(*) = count(sync_state)
           THEN count(*) FILTER (WHERE sync_state IN ('sync', 'quorum') AND state = 'streaming') END::integer
    FROM pg_stat_replication
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0010_append_many")]
    operations = [migrations.RunSQL(STANDBYS, reverse_sql="DROP FUNCTION events_standbys")]
