-- Triggers check every row of the checkpoint log, whoever inserts it. The service keeps its right to insert, as the previous
-- release inserts these rows itself. The triggers only read, so they run as their caller. Their search path is fixed.

-- The hash of a node of the tree: of a leaf at level 0, else of a stored subtree. NULL if it isn't stored.
CREATE FUNCTION events_node(of_level integer, of_place bigint) RETURNS bytea LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN of_level = 0 THEN (
        SELECT sha256('\x00'::bytea || 'croupier-head-v1\012'::bytea || uuid_send(stream) || int8send(version::bigint) || hash)
        FROM events_leaf WHERE position = of_place
    ) ELSE (
        SELECT hash FROM events_subtree WHERE level = of_level AND place = of_place
    ) END
$$;

-- The root of the first `of_size` leaves, from the stored subtrees; NULL if one of them isn't stored.
CREATE FUNCTION events_root(of_size bigint) RETURNS bytea LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    root bytea;
    is_first boolean := true;
BEGIN
    FOR level IN 0 .. 62 LOOP
        CONTINUE WHEN (of_size >> level) & 1 = 0;
        -- RFC 6962: the smallest perfect subtree is the rightmost one.
        IF is_first THEN
            root := events_node(level, (of_size >> level) - 1);
            is_first := false;
        ELSE
            root := sha256('\x01'::bytea || events_node(level, (of_size >> level) - 1) || root);
        END IF;
    END LOOP;
    RETURN root;
END $$;

-- True if the note has the form of a signed checkpoint with these values. Its signature is checked by those who have a key.
CREATE FUNCTION events_is_note(of_note text, of_size bigint, of_root bytea, of_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(
        starts_with(of_note, prefix) AND substr(of_note, length(prefix) + 1) ~ '^[A-Za-z0-9+/]{91}=\n$', false
    )
    FROM (SELECT split_part(of_note, E'\n', 1) AS origin) AS named,
    LATERAL (SELECT origin || E'\n' || of_size || E'\n' || encode(of_root, 'base64') || E'\ntime '
        || to_char(of_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || E'\n\n\u2014 ' || origin || ' ' AS prefix
    ) AS expected
$$;

-- Waits for the others that write the checkpoint log, signing included, so that a check holds until the commit.
CREATE FUNCTION events_lock_signing() RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- Another isolation would check what its snapshot holds, and not what has been written since.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'The checkpoint log is written at READ COMMITTED only.';
    END IF;
    PERFORM pg_advisory_xact_lock(x'63726f7570736967'::bigint);
END $$;

-- New leaves follow the last one without a gap, and each is an event that the log holds, later than the stream's leaf before.
CREATE FUNCTION events_check_leaves() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    first bigint;
    last bigint;
    many bigint;
BEGIN
    PERFORM events_lock_signing();
    SELECT min(position), max(position), count(*) INTO first, last, many FROM added;
    IF many = 0 THEN
        RETURN NULL;
    END IF;
    IF last - first + 1 <> many OR first <> coalesce(
        (SELECT max(position) + 1 FROM events_leaf WHERE position < first), 256 * (SELECT count(*) FROM events_tile)
    ) THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = format('Leaf %s does not follow the last leaf of the checkpoint log.', first);
    END IF;
    IF EXISTS (
        SELECT FROM added a
        WHERE NOT EXISTS (
            SELECT FROM events_event e WHERE e.stream = a.stream AND e.version = a.version AND e.hash = a.hash
        ) AND NOT EXISTS (
            SELECT FROM events_head h WHERE h.stream = a.stream AND h.version = a.version AND h.hash = a.hash
        )
    ) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'A leaf of the checkpoint log names no event of the log.';
    END IF;
    IF EXISTS (
        SELECT FROM added a JOIN events_leaf l USING (stream) WHERE l.version > a.version AND l.position < a.position
    ) OR EXISTS (SELECT FROM added a JOIN events_covered c USING (stream) WHERE c.version >= a.version) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'A leaf of the checkpoint log is older than one before it.';
    END IF;
    RETURN NULL;
END $$;

-- A subtree has the hash of its two halves, which are there.
CREATE FUNCTION events_check_subtrees() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM events_lock_signing();
    IF EXISTS (
        SELECT FROM added WHERE (hash = sha256(
            '\x01'::bytea || events_node(level - 1, 2 * place) || events_node(level - 1, 2 * place + 1)
        )) IS NOT TRUE
    ) THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = 'A subtree of the checkpoint log does not have the hash of its halves.';
    END IF;
    RETURN NULL;
END $$;

-- A checkpoint covers all leaves that there are, has their root, is dated by this transaction, and its note says just that.
CREATE FUNCTION events_check_signed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM events_lock_signing();
    IF length(NEW.note) > 2000 THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'A note has at most 2000 characters.';
    END IF;
    IF EXISTS (SELECT FROM events_leaf WHERE position = NEW.size) OR (NEW.root = events_root(NEW.size)) IS NOT TRUE THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = format('The checkpoint log does not have %s leaves with this root.', NEW.size);
    END IF;
    IF (NEW.at BETWEEN transaction_timestamp() AND clock_timestamp()) IS NOT TRUE THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = format('The clock shows %s, and the checkpoint is dated %s.', clock_timestamp(), NEW.at);
    END IF;
    IF NOT events_is_note(NEW.note, NEW.size, NEW.root, NEW.at) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'The note is not that of this checkpoint.';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER events_subtree_checked AFTER INSERT ON events_subtree REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION events_check_subtrees();
CREATE TRIGGER events_signed_checked BEFORE INSERT ON events_signed
    FOR EACH ROW EXECUTE FUNCTION events_check_signed();
ALTER TABLE events_subtree ENABLE ALWAYS TRIGGER events_subtree_checked;
ALTER TABLE events_signed ENABLE ALWAYS TRIGGER events_signed_checked;
DO $$
DECLARE
    is_distributed boolean := false;
BEGIN
    -- A node of a distributed database can't look at the other nodes' events.
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        is_distributed := EXISTS (
            SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = 'public.events_leaf'::regclass
        );
    END IF;
    IF NOT is_distributed THEN
        CREATE TRIGGER events_leaf_checked AFTER INSERT ON events_leaf REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION events_check_leaves();
        ALTER TABLE events_leaf ENABLE ALWAYS TRIGGER events_leaf_checked;
    END IF;
END $$;

-- How many leaves the checkpoints cover, by those whose notes have the form of one. A note of another form covers nothing.
CREATE FUNCTION events_signed_size() RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce((
        SELECT size FROM events_signed WHERE events_is_note(note, size, root, at) ORDER BY size DESC LIMIT 1
    ), 0)
$$;

-- Remove the leaves and subtrees that no checkpoint covers, and count the leaves: the next signing appends true ones.
CREATE FUNCTION events_drop_unsigned() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    kept bigint := events_signed_size();
    dropped bigint;
BEGIN
    DELETE FROM events_leaf WHERE position >= kept;
    GET DIAGNOSTICS dropped = ROW_COUNT;
    DELETE FROM events_subtree s USING generate_series(1, 62) AS l (level)
        WHERE s.level = l.level AND s.place >= kept >> l.level;
    RETURN dropped;
END $$;

-- Leaves and subtrees go on refusing every change. Their owner, and nobody else, may remove what a noted tile holds, or what
-- no checkpoint covers.
CREATE OR REPLACE FUNCTION events_refuse_untiled() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tile bigint;
BEGIN
    IF TG_TABLE_NAME = 'events_leaf' THEN
        IF OLD.position >= events_signed_size() THEN
            RETURN OLD;
        END IF;
        tile := OLD.position >> 8;
        IF NOT EXISTS (
            SELECT FROM public.events_covered c WHERE c.stream = OLD.stream AND c.version >= OLD.version
        ) THEN
            tile := NULL;
        END IF;
    ELSIF OLD.place >= events_signed_size() >> OLD.level THEN
        RETURN OLD;
    ELSIF OLD.level < 8 THEN
        tile := OLD.place >> (8 - OLD.level);
    END IF;
    IF NOT EXISTS (SELECT FROM public.events_tile t WHERE t.place = tile) THEN
        RAISE EXCEPTION 'The event log is append-only: DELETE on % is refused.', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege', DETAIL = 'It is not in a tile of the archive.';
    END IF;
    RETURN OLD;
END $$;
