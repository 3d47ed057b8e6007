DROP FUNCTION events_append;

-- A command's events, the head and the projections that are now behind, all or nothing; gives what the clock showed.
-- An instant that a process has carried here from an earlier answer must be within 10 ms of what the clock shows before
-- the wait for the lock. Flags fall no earlier than 10 ms after their time, so none overtakes a command that came before.
CREATE FUNCTION events_append(
    to_stream uuid, expected integer, by_actor text, arrived_at timestamptz, closing boolean,
    types text[], schemas integer[], publics bytea[], secrets bytea[], audiences text[], salts bytea[], hashes bytea[],
    projections text[], carried boolean
) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
    shown timestamptz := clock_timestamp();
    reached integer := expected + cardinality(types);
BEGIN
    IF carried AND arrived_at NOT BETWEEN shown - interval '10 milliseconds' AND shown THEN
        RAISE serialization_failure
            USING MESSAGE = format('The clock shows %s, and the command brought %s along.', shown, arrived_at),
                  HINT = 'No fault: the command is tried again at the door.';
    END IF;
    IF expected = 0 THEN
        INSERT INTO events_head (stream, version, hash, closed)
            VALUES (to_stream, reached, hashes[cardinality(hashes)], closing);
    ELSE
        UPDATE events_head SET version = reached, hash = hashes[cardinality(hashes)], closed = closing
            WHERE stream = to_stream AND version = expected AND NOT closed;
        IF NOT FOUND THEN
            RAISE unique_violation
                USING MESSAGE = format('Stream %s is no longer at version %s.', to_stream, expected),
                      HINT = 'No fault: the command is tried again at the door.';
        END IF;
    END IF;
    INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
        SELECT to_stream, expected + e.n, e.type, e.schema, e.public, e.secret, e.audience, e.salt,
               by_actor, arrived_at, e.hash
        FROM unnest(types, schemas, publics, secrets, audiences, salts, hashes)
             WITH ORDINALITY AS e (type, schema, public, secret, audience, salt, hash, n);
    IF cardinality(projections) > 0 THEN
        INSERT INTO events_dirty (stream, projection, version, since)
            SELECT to_stream, name, reached, arrived_at FROM unnest(projections) AS name
            ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version;
    END IF;
    RETURN shown;
END $$;
