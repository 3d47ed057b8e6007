-- An append is dated within its own transaction, or at most ten seconds before its start, as its command may have waited so
-- long in a web process (docs/decisions/0063), and not after the clock. An instant that was carried here has bounds of its
-- own, as before; a NULL does not count as carried.
CREATE OR REPLACE FUNCTION events_append(
    to_stream uuid, expected integer, by_actor text, arrived_at timestamptz, closing boolean,
    types text[], schemas integer[], publics bytea[], secrets bytea[], audiences text[], salts bytea[], hashes bytea[],
    projections text[], carried boolean
) RETURNS timestamptz LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    shown timestamptz := clock_timestamp();
    reached integer := expected + cardinality(types);
    -- One dimension that begins at 1: to subscripts any other array would be another one than to unnest.
    dims text := '[1:' || cardinality(types) || ']';
    before bytea := '';
    previous bytea := '';
    stamped bytea;
BEGIN
    IF carried AND arrived_at NOT BETWEEN shown - interval '10 milliseconds' AND shown THEN
        RAISE serialization_failure
            USING MESSAGE = format('The clock shows %s, and the command brought %s along.', shown, arrived_at),
                  HINT = 'No fault: the command is tried again at the door.';
    END IF;
    IF carried IS NOT TRUE AND (arrived_at BETWEEN transaction_timestamp() - interval '10 seconds' AND shown) IS NOT TRUE THEN
        RAISE unique_violation
            USING MESSAGE = format('The clock shows %s, and the command is dated %s.', shown, arrived_at),
                  HINT = 'No fault if the clock was set back: the command is tried again at the door.';
    END IF;
    IF expected <> 0 THEN
        SELECT hash INTO before FROM events_head WHERE stream = to_stream AND version = expected AND NOT closed;
        IF NOT FOUND THEN
            RAISE unique_violation
                USING MESSAGE = format('Stream %s is no longer at version %s.', to_stream, expected),
                      HINT = 'No fault: the command is tried again at the door.';
        END IF;
        previous := before;
    END IF;
    stamped := '\x00000008'::bytea || int8send((extract(epoch FROM arrived_at) * 1000000)::bigint);
    stamped := int4send(octet_length(by_actor)) || convert_to(by_actor, 'UTF8') || stamped;
    IF (array_dims(types) = dims AND array_dims(schemas) = dims AND array_dims(publics) = dims
        AND array_dims(secrets) = dims AND array_dims(audiences) = dims AND array_dims(salts) = dims
        AND array_dims(hashes) = dims) IS NOT TRUE
    THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = 'An append brings events, and as much of each as of the others.';
    END IF;
    FOR n IN 1 .. cardinality(types) LOOP
        previous := sha256(
            'croupier-event-v1\012'::bytea || int4send(length(previous)) || previous
            || '\x00000010'::bytea || uuid_send(to_stream) || '\x00000008'::bytea || int8send(expected + n)
            || int4send(octet_length(types[n])) || convert_to(types[n], 'UTF8')
            || '\x00000002'::bytea || int2send(schemas[n]::smallint) || stamped
            || int4send(length(publics[n])) || publics[n]
            || int4send(coalesce(octet_length(audiences[n]), 0)) || coalesce(convert_to(audiences[n], 'UTF8'), '')
            || CASE WHEN secrets[n] IS NULL THEN '\x00000000'::bytea
                    ELSE '\x00000020'::bytea || sha256('croupier-secret-v1\012'::bytea || salts[n] || secrets[n]) END);
        IF (previous = hashes[n]) IS NOT TRUE THEN
            RAISE integrity_constraint_violation
                USING MESSAGE = format('Version %s of stream %s does not go on from the head.', expected + n, to_stream),
                      HINT = 'Its hash is not that of its facts and of the hash before it.';
        END IF;
    END LOOP;
    IF expected = 0 THEN
        INSERT INTO events_head (stream, version, hash, closed) VALUES (to_stream, reached, previous, closing);
    ELSE
        UPDATE events_head SET version = reached, hash = previous, closed = closing
            WHERE stream = to_stream AND version = expected AND hash = before AND NOT closed;
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
