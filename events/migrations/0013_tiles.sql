-- Tiles: runs of 256 leaves that have been put into the archive's storage, each as a file of SHA-256 `digest`. What a tile's
-- leaves hash up to stays as the subtree of level 8.
CREATE TABLE events_tile (
    place  bigint PRIMARY KEY CHECK (place >= 0),
    digest bytea NOT NULL,
    name   text NOT NULL,
    at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER events_tile_append_only BEFORE UPDATE OR DELETE ON events_tile
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER events_tile_no_truncate BEFORE TRUNCATE ON events_tile
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
ALTER TABLE events_tile ENABLE ALWAYS TRIGGER events_tile_append_only;
ALTER TABLE events_tile ENABLE ALWAYS TRIGGER events_tile_no_truncate;

-- Of each stream the newest leaf that is in a tile alone. It is found again from the tiles, so it may change.
CREATE TABLE events_covered (
    stream   uuid PRIMARY KEY,
    version  integer NOT NULL,
    position bigint NOT NULL
);

-- Leaves and subtrees go on refusing every change. Their owner, and nobody else, may remove what a noted tile holds.
CREATE FUNCTION events_refuse_untiled() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    tile bigint;
BEGIN
    IF TG_TABLE_NAME = 'events_leaf' THEN
        tile := OLD.position >> 8;
        IF NOT EXISTS (
            SELECT FROM public.events_covered c WHERE c.stream = OLD.stream AND c.version >= OLD.version
        ) THEN
            tile := NULL;
        END IF;
    ELSIF OLD.level < 8 THEN
        tile := OLD.place >> (8 - OLD.level);
    END IF;
    IF NOT EXISTS (SELECT FROM public.events_tile t WHERE t.place = tile) THEN
        RAISE EXCEPTION 'The event log is append-only: DELETE on % is refused.', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege', DETAIL = 'It is not in a tile of the archive.';
    END IF;
    RETURN OLD;
END $$;
DROP TRIGGER events_leaf_append_only ON events_leaf;
CREATE TRIGGER events_leaf_append_only BEFORE UPDATE ON events_leaf
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER events_leaf_only_tiled BEFORE DELETE ON events_leaf
    FOR EACH ROW EXECUTE FUNCTION events_refuse_untiled();
DROP TRIGGER events_subtree_append_only ON events_subtree;
CREATE TRIGGER events_subtree_append_only BEFORE UPDATE ON events_subtree
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER events_subtree_only_tiled BEFORE DELETE ON events_subtree
    FOR EACH ROW EXECUTE FUNCTION events_refuse_untiled();
ALTER TABLE events_leaf ENABLE ALWAYS TRIGGER events_leaf_append_only;
ALTER TABLE events_leaf ENABLE ALWAYS TRIGGER events_leaf_only_tiled;
ALTER TABLE events_subtree ENABLE ALWAYS TRIGGER events_subtree_append_only;
ALTER TABLE events_subtree ENABLE ALWAYS TRIGGER events_subtree_only_tiled;
