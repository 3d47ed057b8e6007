-- The hash of an event after the hash before it: the formula of events/chain.py. It is inlined where it is called.
CREATE FUNCTION events_link(
    previous bytea, stream uuid, version integer, type text, schema integer, stamp bytea,
    public bytea, audience text, salt bytea, secret bytea
) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(
        'croupier-event-v1\012'::bytea || int4send(length(previous)) || previous
        || '\x00000010'::bytea || uuid_send(stream) || '\x00000008'::bytea || int8send(version)
        || int4send(octet_length(type)) || convert_to(type, 'UTF8')
        || '\x00000002'::bytea || int2send(schema::smallint) || stamp
        || int4send(length(public)) || public
        || int4send(coalesce(octet_length(audience), 0)) || coalesce(convert_to(audience, 'UTF8'), '')
        || CASE WHEN secret IS NULL THEN '\x00000000'::bytea
                ELSE '\x00000020'::bytea || sha256('croupier-secret-v1\012'::bytea || salt || secret) END
    )
$$;

-- Commands of many streams in one statement. Each stream is taken only where nobody else holds it, and each command is
-- checked by itself: it is among the `allowed` ones, the stream is at the expected version and not closed, the key is new,
-- the date is within this transaction or at most ten seconds before it, and each hash covers its event and the hash before
-- it, from the stored head. What fails is left out, and the others are stored; `stored` has their numbers. With `required`,
-- the statement fails unless all are stored. A command without a key leaves no outcome.
--
-- A command that is alone is stored by statements of its own, which cost less than those for many. Only such a command
-- begins a stream.
DROP FUNCTION events_append_many;
CREATE FUNCTION events_append_many(
    allowed integer[], streams uuid[], expecteds integer[], actors text[], arrived timestamptz[],
    keys text[], fingerprints bytea[], responses bytea[], closings boolean[],
    owners integer[], types text[], schemas integer[], publics bytea[], secrets bytea[], audiences text[], salts bytea[],
    hashes bytea[], marked integer[], projections text[], required boolean,
    OUT shown timestamptz, OUT stored integer[]
) LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
    to_stream uuid;
    after_version integer;
    by_actor text;
    dated timestamptz;
    last_version integer;
    last_hash bytea := '';
    stamped_with bytea;
    dims text;
    refusal text := 'some are refused';
BEGIN
    shown := clock_timestamp();
    stored := '{}';
    IF cardinality(streams) = 1 THEN
        <<alone>>
        BEGIN
            to_stream := streams[1];
            after_version := expecteds[1];
            by_actor := actors[1];
            dated := arrived[1];
            refusal := 'its sender may not store it';
            EXIT alone WHEN (1 = ANY (allowed)) IS NOT TRUE;
            refusal := 'it is not dated within its transaction';
            EXIT alone WHEN (dated BETWEEN transaction_timestamp() - interval '10 seconds' AND shown) IS NOT TRUE;
            refusal := 'the stream is no longer at its version';
            IF after_version <> 0 THEN
                SELECT hash INTO last_hash FROM events_head
                    WHERE stream = to_stream AND version = after_version AND NOT closed FOR UPDATE SKIP LOCKED;
            END IF;
            EXIT alone WHEN last_hash IS NULL OR after_version IS NULL;
            -- One dimension that begins at 1: to subscripts any other array would be another one than to unnest.
            dims := '[1:' || cardinality(types) || ']';
            IF (array_dims(owners) = dims AND array_dims(types) = dims AND array_dims(schemas) = dims
                AND array_dims(publics) = dims AND array_dims(secrets) = dims AND array_dims(audiences) = dims
                AND array_dims(salts) = dims AND array_dims(hashes) = dims AND 1 = ALL (owners)) IS NOT TRUE
            THEN
                RAISE integrity_constraint_violation
                    USING MESSAGE = 'An append brings events, and as much of each as of the others.';
            END IF;
            stamped_with := '\x00000008'::bytea || int8send((extract(epoch FROM dated) * 1000000)::bigint);
            stamped_with := int4send(octet_length(by_actor)) || convert_to(by_actor, 'UTF8') || stamped_with;
            last_version := after_version + cardinality(types);
            FOR number IN 1 .. cardinality(types) LOOP
                last_hash := events_link(
                    last_hash, to_stream, after_version + number, types[number], schemas[number], stamped_with,
                    publics[number], audiences[number], salts[number], secrets[number]);
                IF (last_hash = hashes[number]) IS NOT TRUE THEN
                    IF required THEN
                        RAISE integrity_constraint_violation USING
                            MESSAGE = format('Version %s of stream %s does not go on from the head.',
                                             after_version + number, to_stream),
                            HINT = 'Its hash is not that of its facts and of the hash before it.';
                    END IF;
                    EXIT alone;
                END IF;
            END LOOP;
            IF keys[1] IS NOT NULL THEN
                -- Otherwise the insert itself fails if the key is used.
                IF NOT required THEN
                    EXIT alone WHEN EXISTS (
                        SELECT FROM events_key k WHERE k.stream = to_stream AND k.actor = by_actor AND k.key = keys[1]
                    );
                END IF;
                INSERT INTO events_key (stream, actor, key, fingerprint, version, response, at)
                    VALUES (to_stream, by_actor, keys[1], fingerprints[1], last_version, responses[1], dated);
            END IF;
            IF after_version = 0 THEN
                INSERT INTO events_head (stream, version, hash, closed)
                    VALUES (to_stream, last_version, last_hash, coalesce(closings[1], false));
            ELSE
                UPDATE events_head SET version = last_version, hash = last_hash, closed = coalesce(closings[1], false)
                    WHERE stream = to_stream;
            END IF;
            INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
                SELECT to_stream, after_version + e.n, e.type, e.schema, e.public, e.secret, e.audience, e.salt,
                       by_actor, dated, e.hash
                FROM unnest(types, schemas, publics, secrets, audiences, salts, hashes)
                     WITH ORDINALITY AS e (type, schema, public, secret, audience, salt, hash, n);
            IF cardinality(projections) > 0 THEN
                INSERT INTO events_dirty (stream, projection, version, since)
                    SELECT to_stream, d.projection, last_version, dated
                    FROM unnest(marked, projections) AS d (n, projection) WHERE d.n = 1
                    ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version;
            END IF;
            stored := '{1}';
        END;
    ELSE
        WITH command AS MATERIALIZED (
            SELECT c.n, c.stream, c.expected, c.actor, c.at, c.key, c.fingerprint, c.response, c.closing,
                   h.hash AS before,
                   int4send(octet_length(c.actor)) || convert_to(c.actor, 'UTF8')
                   || '\x00000008'::bytea || int8send((extract(epoch FROM c.at) * 1000000)::bigint) AS stamp
            FROM unnest(streams, expecteds, actors, arrived, keys, fingerprints, responses, closings)
                 WITH ORDINALITY AS c (stream, expected, actor, at, key, fingerprint, response, closing, n)
            JOIN events_head h ON h.stream = c.stream AND h.version = c.expected AND NOT h.closed
            WHERE c.n = ANY (allowed)
              AND c.at BETWEEN transaction_timestamp() - interval '10 seconds' AND shown
              AND NOT EXISTS (
                  SELECT FROM events_key k WHERE k.stream = c.stream AND k.actor = c.actor AND k.key = c.key
              )
            FOR UPDATE OF h SKIP LOCKED
        ), event AS MATERIALIZED (
            SELECT c.n, c.stream, c.expected, c.actor, c.at, c.stamp, c.closing,
                   (c.expected + row_number() OVER of_command)::integer AS version,
                   coalesce(lag(e.hash) OVER of_command, c.before) AS previous,
                   e.type, e.schema, e.public, e.secret, e.audience, e.salt, e.hash
            FROM unnest(owners, types, schemas, publics, secrets, audiences, salts, hashes)
                 WITH ORDINALITY AS e (owner, type, schema, public, secret, audience, salt, hash, place)
            JOIN command c ON c.n = e.owner
            WINDOW of_command AS (PARTITION BY e.owner ORDER BY e.place)
        ), sound AS (
            SELECT n, stream, expected, coalesce(bool_or(closing), false) AS closing, max(version) AS reached,
                   (array_agg(hash ORDER BY version DESC))[1] AS hash
            FROM event GROUP BY n, stream, expected
            HAVING bool_and(coalesce(hash = events_link(
                previous, stream, version, type, schema, stamp, public, audience, salt, secret
            ), false))
        ), head AS (
            UPDATE events_head h SET version = s.reached, hash = s.hash, closed = s.closing FROM sound s
            WHERE h.stream = s.stream AND h.version = s.expected AND NOT h.closed RETURNING s.n, s.stream, s.reached
        ), added AS (
            INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
            SELECT e.stream, e.version, e.type, e.schema, e.public, e.secret, e.audience, e.salt, e.actor, e.at, e.hash
            FROM event e JOIN head USING (n)
        ), kept AS (
            INSERT INTO events_key (stream, actor, key, fingerprint, version, response, at)
            SELECT c.stream, c.actor, c.key, c.fingerprint, h.reached, c.response, c.at
            FROM command c JOIN head h USING (n) WHERE c.key IS NOT NULL
        ), dirty AS (
            INSERT INTO events_dirty (stream, projection, version, since)
            SELECT c.stream, d.projection, h.reached, c.at
            FROM unnest(marked, projections) AS d (n, projection) JOIN head h USING (n) JOIN command c USING (n)
            ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version
        )
        SELECT coalesce(array_agg(n::integer), '{}') INTO events_append_many.stored FROM head;
    END IF;
    IF required AND cardinality(stored) < cardinality(streams) THEN
        RAISE unique_violation USING MESSAGE = format('A command on stream %s is not stored: %s.', streams[1], refusal),
            HINT = 'No fault: it is decided again.';
    END IF;
END $$;
