-- Commands of many streams in one statement. Each stream is taken only where nobody holds it, and each command is checked
-- by itself: that the stream stands at the version it was decided on, that it is among the `allowed` ones (all, for NULL),
-- that its key is new, that the clock bears out when it arrived, and that each hash covers its event and the hash before it
-- (the formula of events/chain.py), from the head that is stored. Whatever fails that is left out, and its neighbours are
-- stored; `stored` names the commands that are. It believes nobody, as events_append does: what is checked and what is
-- stored are the same rows, so no shape of the arrays can set them apart.
--
-- A plan for arrays of any length: to plan for these anew would take longer than the work, and a plan made while the
-- tables were small would read them whole when they no longer are.
CREATE FUNCTION events_append_many(
    allowed integer[], streams uuid[], expecteds integer[], actors text[], arrived timestamptz[],
    keys text[], fingerprints bytea[], responses bytea[],
    owners integer[], types text[], schemas integer[], publics bytea[], secrets bytea[], audiences text[], salts bytea[],
    hashes bytea[], marked integer[], projections text[],
    OUT shown timestamptz, OUT stored integer[]
) LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
BEGIN
    shown := clock_timestamp();
    WITH command AS MATERIALIZED (
        SELECT c.n, c.stream, c.expected, c.actor, c.at, c.key, c.fingerprint, c.response, h.hash AS before,
               int4send(octet_length(c.actor)) || convert_to(c.actor, 'UTF8')
               || '\x00000008'::bytea || int8send((extract(epoch FROM c.at) * 1000000)::bigint) AS stamped
        FROM unnest(streams, expecteds, actors, arrived, keys, fingerprints, responses)
             WITH ORDINALITY AS c (stream, expected, actor, at, key, fingerprint, response, n)
        JOIN events_head h ON h.stream = c.stream AND h.version = c.expected AND NOT h.closed
        WHERE (allowed IS NULL OR c.n = ANY (allowed))
          AND c.at BETWEEN shown - interval '100 milliseconds' AND shown
          AND NOT EXISTS (
              SELECT FROM events_key k WHERE k.stream = c.stream AND k.actor = c.actor AND k.key = c.key
          )
        FOR UPDATE OF h SKIP LOCKED
    ), event AS MATERIALIZED (
        SELECT c.n, c.stream, c.expected, c.actor, c.at, c.stamped,
               c.expected + row_number() OVER of_command AS version,
               coalesce(lag(e.hash) OVER of_command, c.before) AS previous,
               e.type, e.schema, e.public, e.secret, e.audience, e.salt, e.hash
        FROM unnest(owners, types, schemas, publics, secrets, audiences, salts, hashes)
             WITH ORDINALITY AS e (owner, type, schema, public, secret, audience, salt, hash, place)
        JOIN command c ON c.n = e.owner
        WINDOW of_command AS (PARTITION BY e.owner ORDER BY e.place)
    ), sound AS (
        SELECT n, stream, expected, max(version)::integer AS reached,
               (array_agg(hash ORDER BY version DESC))[1] AS hash
        FROM event GROUP BY n, stream, expected
        HAVING bool_and(coalesce(hash = sha256(
            'croupier-event-v1\012'::bytea || int4send(length(previous)) || previous
            || '\x00000010'::bytea || uuid_send(stream) || '\x00000008'::bytea || int8send(version)
            || int4send(octet_length(type)) || convert_to(type, 'UTF8')
            || '\x00000002'::bytea || int2send(schema::smallint) || stamped
            || int4send(length(public)) || public
            || int4send(coalesce(octet_length(audience), 0)) || coalesce(convert_to(audience, 'UTF8'), '')
            || CASE WHEN secret IS NULL THEN '\x00000000'::bytea
                    ELSE '\x00000020'::bytea || sha256('croupier-secret-v1\012'::bytea || salt || secret) END
        ), false))
    ), head AS (
        UPDATE events_head h SET version = s.reached, hash = s.hash FROM sound s
        WHERE h.stream = s.stream AND h.version = s.expected AND NOT h.closed RETURNING s.n, s.stream, s.reached
    ), added AS (
        INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
        SELECT e.stream, e.version, e.type, e.schema, e.public, e.secret, e.audience, e.salt, e.actor, e.at, e.hash
        FROM event e JOIN head USING (n)
    ), kept AS (
        INSERT INTO events_key (stream, actor, key, fingerprint, version, response, at)
        SELECT c.stream, c.actor, c.key, c.fingerprint, h.reached, c.response, c.at FROM command c JOIN head h USING (n)
    ), dirty AS (
        INSERT INTO events_dirty (stream, projection, version, since)
        SELECT c.stream, d.projection, h.reached, c.at
        FROM unnest(marked, projections) AS d (n, projection) JOIN head h USING (n) JOIN command c USING (n)
        ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version
    )
    SELECT coalesce(array_agg(n::integer), '{}') INTO events_append_many.stored FROM head;
END $$;
