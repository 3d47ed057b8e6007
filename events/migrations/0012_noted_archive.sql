-- A segment of the archive is noted by this function alone: it follows on the last one noted, ends at an event that the log
-- has with this hash, and is dated by the database's clock. False where another one has been noted there meanwhile.
CREATE FUNCTION events_note_archived(
    of_stream uuid, from_version integer, upto_version integer, last_hash bytea, file_digest bytea, file_bytes integer,
    file_name text
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM events_head WHERE stream = of_stream FOR UPDATE;
    IF from_version <> 1 + coalesce((SELECT max(last_version) FROM events_archived WHERE stream = of_stream), 0) THEN
        RETURN false;
    END IF;
    IF (SELECT hash = last_hash FROM events_event WHERE stream = of_stream AND version = upto_version) IS NOT TRUE THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = format('The log has no such version %s of stream %s.', upto_version, of_stream);
    END IF;
    INSERT INTO events_archived (stream, first_version, last_version, hash, digest, bytes, name)
        VALUES (of_stream, from_version, upto_version, last_hash, file_digest, file_bytes, file_name);
    RETURN true;
END $$;
