-- Segments: runs of events that have been put into the archive's storage: files that hold what their rows held. `hash` is that of the
-- run's last event, `digest` the SHA-256 of the file.
CREATE TABLE events_archived (
    stream        uuid NOT NULL,
    first_version integer NOT NULL CHECK (first_version > 0),
    last_version  integer NOT NULL CHECK (last_version >= first_version),
    hash          bytea NOT NULL,
    digest        bytea NOT NULL,
    bytes         integer NOT NULL,
    name          text NOT NULL,
    at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (stream, last_version)
);
CREATE INDEX events_archived_in_time ON events_archived (at);
CREATE TRIGGER events_archived_append_only BEFORE UPDATE OR DELETE ON events_archived
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER events_archived_no_truncate BEFORE TRUNCATE ON events_archived
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
ALTER TABLE events_archived ENABLE ALWAYS TRIGGER events_archived_append_only;
ALTER TABLE events_archived ENABLE ALWAYS TRIGGER events_archived_no_truncate;

-- The log goes on refusing every change. Its owner, and nobody else, may remove an event that is in the archive.
CREATE FUNCTION events_refuse_unarchived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM public.events_archived a
        WHERE a.stream = OLD.stream AND OLD.version BETWEEN a.first_version AND a.last_version
    ) THEN
        RAISE EXCEPTION 'The event log is append-only: DELETE on % is refused.', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = format('Version %s of stream %s is not in the archive.', OLD.version, OLD.stream);
    END IF;
    RETURN OLD;
END $$;
DROP TRIGGER events_event_append_only ON events_event;
CREATE TRIGGER events_event_append_only BEFORE UPDATE ON events_event
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER events_event_only_archived BEFORE DELETE ON events_event
    FOR EACH ROW EXECUTE FUNCTION events_refuse_unarchived();
ALTER TABLE events_event ENABLE ALWAYS TRIGGER events_event_append_only;
ALTER TABLE events_event ENABLE ALWAYS TRIGGER events_event_only_archived;
