-- Places in the order of all streams are numbered without a gap from here on, so that a missing one shows that a stream was
-- deleted. The identity of the column leaves gaps: a sequence doesn't roll back. So a trigger numbers each new row, whichever
-- release inserts it. What the archive takes along is counted. The triggers don't fire on a logical replica, apart from those
-- that refuse.
CREATE TABLE events_placed (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    base    bigint NOT NULL,
    last    bigint NOT NULL,
    removed bigint NOT NULL DEFAULT 0
);
INSERT INTO events_placed (base, last) SELECT last, last FROM (
    SELECT coalesce(max(position), 0) AS last FROM events_place
) AS before;

CREATE FUNCTION events_number_place() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.position := 1 + greatest(
        (SELECT coalesce(max(position), 0) FROM events_place), (SELECT last FROM events_placed)
    );
    RETURN NEW;
END $$;
CREATE FUNCTION events_count_placed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE events_placed SET last = greatest(last, (SELECT coalesce(max(position), 0) FROM added));
    RETURN NULL;
END $$;
CREATE FUNCTION events_count_removed_places() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM gone g WHERE NOT EXISTS (
            SELECT FROM events_archived a WHERE a.stream = g.stream AND a.last_version >= g.last_version
        )
    ) THEN
        RAISE EXCEPTION 'The event log is append-only: DELETE on % is refused.', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege', DETAIL = 'What it places is not in the archive.';
    END IF;
    UPDATE events_placed SET removed = removed + (SELECT count(*) FROM gone WHERE position > base);
    RETURN NULL;
END $$;
DO $$
DECLARE
    is_distributed boolean := false;
BEGIN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        is_distributed := EXISTS (
            SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = 'public.events_head'::regclass
        );
    END IF;
    -- The archive is noted on the nodes, so a distributed database can't tell what it took along.
    IF NOT is_distributed THEN
        CREATE TRIGGER events_place_numbered BEFORE INSERT ON events_place
            FOR EACH ROW EXECUTE FUNCTION events_number_place();
        CREATE TRIGGER events_place_counted AFTER INSERT ON events_place REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION events_count_placed();
        CREATE TRIGGER events_place_only_archived AFTER DELETE ON events_place REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION events_count_removed_places();
        ALTER TABLE events_place ENABLE ALWAYS TRIGGER events_place_only_archived;
    END IF;
END $$;
CREATE TRIGGER events_place_append_only BEFORE UPDATE ON events_place
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER events_place_no_truncate BEFORE TRUNCATE ON events_place
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
ALTER TABLE events_place ENABLE ALWAYS TRIGGER events_place_append_only;
ALTER TABLE events_place ENABLE ALWAYS TRIGGER events_place_no_truncate;
