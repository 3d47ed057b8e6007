-- The log and its heads are moved by events_append alone: it runs as the owner of the tables, which the service's role may
-- only read. So it checks what it is given: the append goes on from the head, and each hash covers its event and the hash
-- before it (the formula of events/chain.py). A search path of its own lets no other schema's names stand in for these.
-- Names, parameters and answers are as they were, for the release before.
CREATE OR REPLACE FUNCTION events_enter(
    of_stream uuid, by_actor text, with_key text, waiting boolean,
    OUT arrived_at timestamptz, OUT head_version integer, OUT head_hash bytea, OUT head_closed boolean,
    OUT known_fingerprint bytea, OUT known_version integer, OUT known_response bytea
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    arrived_at := clock_timestamp();
    IF waiting THEN
        SELECT version, hash, closed INTO head_version, head_hash, head_closed
            FROM events_head WHERE stream = of_stream FOR UPDATE;
    ELSE
        SELECT version, hash, closed INTO head_version, head_hash, head_closed
            FROM events_head WHERE stream = of_stream FOR UPDATE SKIP LOCKED;
    END IF;
    IF with_key IS NOT NULL THEN
        SELECT fingerprint, version, response INTO known_fingerprint, known_version, known_response
            FROM events_key WHERE stream = of_stream AND actor = by_actor AND key = with_key;
    END IF;
END $$;

CREATE OR REPLACE FUNCTION events_append(
    to_stream uuid, expected integer, by_actor text, arrived_at timestamptz, closing boolean,
    types text[], schemas integer[], publics bytea[], secrets bytea[], audiences text[], salts bytea[], hashes bytea[],
    projections text[], carried boolean
) RETURNS timestamptz LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    shown timestamptz := clock_timestamp();
    reached integer := expected;
    before bytea := '';
    previous bytea := '';
    stamped bytea;
    e record;
BEGIN
    IF carried AND arrived_at NOT BETWEEN shown - interval '10 milliseconds' AND shown THEN
        RAISE serialization_failure
            USING MESSAGE = format('The clock shows %s, and the command brought %s along.', shown, arrived_at),
                  HINT = 'No fault: the command is tried again at the door.';
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
    -- Never by subscripts: an array that begins elsewhere, or has two dimensions, would be another one to them.
    FOR e IN
        SELECT * FROM unnest(types, schemas, publics, secrets, audiences, salts, hashes)
            AS e (type, schema, public, secret, audience, salt, hash)
    LOOP
        reached := reached + 1;
        previous := sha256(
            'croupier-event-v1\012'::bytea || int4send(length(previous)) || previous
            || '\x00000010'::bytea || uuid_send(to_stream) || '\x00000008'::bytea || int8send(reached)
            || int4send(octet_length(e.type)) || convert_to(e.type, 'UTF8')
            || '\x00000002'::bytea || int2send(e.schema::smallint) || stamped
            || int4send(length(e.public)) || e.public
            || int4send(coalesce(octet_length(e.audience), 0)) || coalesce(convert_to(e.audience, 'UTF8'), '')
            || CASE WHEN e.secret IS NULL THEN '\x00000000'::bytea
                    ELSE '\x00000020'::bytea || sha256('croupier-secret-v1\012'::bytea || e.salt || e.secret) END);
        IF (previous = e.hash) IS NOT TRUE THEN
            RAISE integrity_constraint_violation
                USING MESSAGE = format('Version %s of stream %s does not go on from the head.', reached, to_stream),
                      HINT = 'Its hash is not that of its facts and of the hash before it.';
        END IF;
        INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
            VALUES (to_stream, reached, e.type, e.schema, e.public, e.secret, e.audience, e.salt,
                    by_actor, arrived_at, e.hash);
    END LOOP;
    IF (reached > expected) IS NOT TRUE THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'An append brings an event; a head moves with one alone.';
    END IF;
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
    IF cardinality(projections) > 0 THEN
        INSERT INTO events_dirty (stream, projection, version, since)
            SELECT to_stream, name, reached, arrived_at FROM unnest(projections) AS name
            ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version;
    END IF;
    RETURN shown;
END $$;
