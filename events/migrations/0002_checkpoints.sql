-- The heads of all streams as they were at the signed checkpoints: a log of leaves that only grows, and its Merkle tree.
-- Not keyed by stream: on a cluster these belong on one node, since only the signing of a checkpoint writes them.
CREATE TABLE events_leaf (
    position bigint PRIMARY KEY CHECK (position >= 0),
    stream   uuid NOT NULL,
    version  integer NOT NULL CHECK (version > 0),
    hash     bytea NOT NULL,
    UNIQUE (stream, version)
);

-- The hashes of the perfect subtrees above the leaves; (level, place) covers the 2^level leaves from place * 2^level on.
CREATE TABLE events_subtree (
    level smallint NOT NULL CHECK (level > 0),
    place bigint NOT NULL,
    hash  bytea NOT NULL,
    PRIMARY KEY (level, place)
);

-- The checkpoints: how many leaves each covers, their root, and the note that was signed.
CREATE TABLE events_signed (
    size bigint PRIMARY KEY CHECK (size > 0),
    root bytea NOT NULL,
    at   timestamptz NOT NULL,
    note text NOT NULL
);

-- Who has taken a stream's record away.
CREATE TABLE events_access (
    stream uuid NOT NULL,
    at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor  text NOT NULL,
    kind   text NOT NULL,
    PRIMARY KEY (stream, at, actor, kind)
);

DO $$
DECLARE
    kept text;
BEGIN
    FOREACH kept IN ARRAY ARRAY['events_leaf', 'events_subtree', 'events_signed', 'events_access'] LOOP
        EXECUTE format('CREATE TRIGGER %s_append_only BEFORE UPDATE OR DELETE ON %I'
                       ' FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change()', kept, kept);
        EXECUTE format('CREATE TRIGGER %s_no_truncate BEFORE TRUNCATE ON %I'
                       ' FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change()', kept, kept);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %s_append_only', kept, kept);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %s_no_truncate', kept, kept);
    END LOOP;
END $$;
