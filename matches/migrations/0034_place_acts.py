"""A function of the owner gives places in the order of all streams, so that the service's role may only read that order.

It takes what waits and nothing else: the caller chooses neither stream nor versions, and no act leaves the queue without
its place. It reads `matches_match`, whose spectators may be told late.
"""

from django.db import migrations

# The lock is that of matches/storage/order.py. Ids ascend within a stream, as its head is locked when they are given. A
# rematch is hidden as long, from its row on. Where a later version is due every earlier one is: a command's instant is that
# of its arrival, before it waits. The service's role writes `opened_at`: an instant at the end of time would overflow, and no
# act would be placed any more.
PLACE_ACTS = """
CREATE FUNCTION matches_place_acts(most integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(x'63726f7570706c63'::bigint) THEN
        RETURN false;
    END IF;
    WITH taken AS (
        DELETE FROM events_unplaced WHERE id IN (SELECT id FROM events_unplaced ORDER BY id LIMIT most)
        RETURNING id, stream, first_version, last_version
    ), placed AS (
        INSERT INTO events_place (stream, first_version, last_version, late)
        SELECT stream, first_version, last_version, false FROM taken ORDER BY id
    )
    INSERT INTO events_held (id, stream, first_version, last_version, due_at)
    SELECT taken.id, taken.stream, first_version, last_version,
        greatest(least(m.opened_at, clock_timestamp()), e.at) + m.spectator_delay * interval '1 second'
    FROM taken JOIN matches_match m ON m.id = taken.stream AND m.spectator_delay > 0
    JOIN events_event e ON e.stream = taken.stream AND e.version = taken.last_version;
    WITH due AS (
        SELECT stream, max(id) AS upto FROM events_held WHERE due_at <= clock_timestamp() GROUP BY stream
    ), taken AS (
        DELETE FROM events_held h USING due WHERE h.stream = due.stream AND h.id <= due.upto
        RETURNING h.id, h.stream, h.first_version, h.last_version
    )
    INSERT INTO events_place (stream, first_version, last_version, late)
    SELECT stream, first_version, last_version, true FROM taken ORDER BY id;
    RETURN true;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0033_web_processes"), ("events", "0017_counted_places")]

    operations = [migrations.RunSQL(PLACE_ACTS, reverse_sql="DROP FUNCTION matches_place_acts")]
