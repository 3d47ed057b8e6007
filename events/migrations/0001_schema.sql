-- Everything a stream needs has the stream as its first key column, so the tables can be partitioned or distributed by it.
CREATE TABLE events_head (
    stream  uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version > 0),
    hash    bytea NOT NULL,
    closed  boolean NOT NULL DEFAULT false
);

CREATE TABLE events_event (
    stream   uuid NOT NULL,
    version  integer NOT NULL CHECK (version > 0),
    type     text NOT NULL,
    schema   smallint NOT NULL CHECK (schema > 0),
    public   bytea NOT NULL,
    secret   bytea,
    audience text,
    salt     bytea,
    actor    text NOT NULL,
    at       timestamptz NOT NULL,
    hash     bytea NOT NULL,
    PRIMARY KEY (stream, version),
    CHECK ((secret IS NULL) = (salt IS NULL) AND (secret IS NULL) = (audience IS NULL))
);

CREATE TABLE events_key (
    stream      uuid NOT NULL,
    actor       text NOT NULL,
    key         text NOT NULL,
    fingerprint bytea NOT NULL,
    version     integer NOT NULL,
    response    bytea NOT NULL,
    at          timestamptz NOT NULL,
    PRIMARY KEY (stream, actor, key)
);

CREATE TABLE events_snapshot (
    stream  uuid NOT NULL,
    reducer text NOT NULL,
    version integer NOT NULL,
    hash    bytea NOT NULL,
    state   bytea NOT NULL,
    PRIMARY KEY (stream, reducer)
);

CREATE TABLE events_projection (
    name       text PRIMARY KEY,
    generation integer NOT NULL,
    building   integer
);

CREATE TABLE events_checkpoint (
    stream     uuid NOT NULL,
    projection text NOT NULL,
    generation integer NOT NULL,
    version    integer NOT NULL,
    PRIMARY KEY (stream, projection, generation)
);

CREATE TABLE events_dirty (
    stream     uuid NOT NULL,
    projection text NOT NULL,
    version    integer NOT NULL,
    since      timestamptz NOT NULL,
    PRIMARY KEY (stream, projection)
);
CREATE INDEX events_dirty_oldest ON events_dirty (projection, since);

CREATE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The event log is append-only: % on % is refused.', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER events_event_append_only BEFORE UPDATE OR DELETE ON events_event
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER events_event_no_truncate BEFORE TRUNCATE ON events_event
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
ALTER TABLE events_event ENABLE ALWAYS TRIGGER events_event_append_only;
ALTER TABLE events_event ENABLE ALWAYS TRIGGER events_event_no_truncate;

-- A command's first statement: the clock before the wait for the lock, then the head and what its key already brought.
CREATE FUNCTION events_enter(
    of_stream uuid, by_actor text, with_key text, waiting boolean,
    OUT arrived_at timestamptz, OUT head_version integer, OUT head_hash bytea, OUT head_closed boolean,
    OUT known_fingerprint bytea, OUT known_version integer, OUT known_response bytea
) LANGUAGE plpgsql AS $$
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

-- A command's last statement: its events, the head, its key and the projections that are now behind, all or nothing.
CREATE FUNCTION events_append(
    to_stream uuid, expected integer, by_actor text, arrived_at timestamptz, closing boolean,
    types text[], schemas integer[], publics bytea[], secrets bytea[], audiences text[], salts bytea[], hashes bytea[],
    with_key text, with_fingerprint bytea, with_response bytea, projections text[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    reached integer := expected + cardinality(types);
BEGIN
    IF expected = 0 THEN
        INSERT INTO events_head (stream, version, hash, closed)
            VALUES (to_stream, reached, hashes[cardinality(hashes)], closing);
    ELSE
        UPDATE events_head SET version = reached, hash = hashes[cardinality(hashes)], closed = closing
            WHERE stream = to_stream AND version = expected AND NOT closed;
        IF NOT FOUND THEN
            RAISE unique_violation USING MESSAGE = format('Stream %s is no longer at version %s.', to_stream, expected);
        END IF;
    END IF;
    INSERT INTO events_event (stream, version, type, schema, public, secret, audience, salt, actor, at, hash)
        SELECT to_stream, expected + e.n, e.type, e.schema, e.public, e.secret, e.audience, e.salt,
               by_actor, arrived_at, e.hash
        FROM unnest(types, schemas, publics, secrets, audiences, salts, hashes)
             WITH ORDINALITY AS e (type, schema, public, secret, audience, salt, hash, n);
    IF with_key IS NOT NULL THEN
        INSERT INTO events_key (stream, actor, key, fingerprint, version, response, at)
            VALUES (to_stream, by_actor, with_key, with_fingerprint, reached, with_response, arrived_at);
    END IF;
    IF cardinality(projections) > 0 THEN
        INSERT INTO events_dirty (stream, projection, version, since)
            SELECT to_stream, name, reached, arrived_at FROM unnest(projections) AS name
            ON CONFLICT (stream, projection) DO UPDATE SET version = excluded.version;
    END IF;
    RETURN reached;
END $$;

-- What people and queries read: the public part only, as jsonb. Never hashed, never the source of a replay.
CREATE VIEW events_public AS
    SELECT stream::text || ':' || version AS id, stream, version, type, schema, actor, at,
           convert_from(public, 'UTF8')::jsonb AS public,
           secret IS NOT NULL AS has_secret,
           encode(hash, 'hex') AS hash
    FROM events_event;
