-- What guards the log where its tables are spread over nodes. A transaction asks a node as one role alone, so the functions
-- that append run as the service here, which may add events. So each node checks what it is given, as they do: an event goes
-- on from the one before, and its hash covers its facts and the hash before it (the formula of events/chain.py).
CREATE OR REPLACE FUNCTION events_refuse_unchained() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    previous bytea := '';
BEGIN
    IF NEW.version > 1 THEN
        EXECUTE format('SELECT hash FROM %I.%I WHERE stream = $1 AND version = $2', TG_TABLE_SCHEMA, TG_TABLE_NAME)
            INTO previous USING NEW.stream, NEW.version - 1;
        -- It may be in the archive alone.
        IF previous IS NULL THEN
            EXECUTE format('SELECT hash FROM %I.%I WHERE stream = $1 AND last_version = $2', TG_TABLE_SCHEMA,
                           'events_archived_' || get_shard_id_for_distribution_column('events_archived', NEW.stream))
                INTO previous USING NEW.stream, NEW.version - 1;
        END IF;
    END IF;
    IF (NEW.hash = sha256(
        'croupier-event-v1\012'::bytea || int4send(length(previous)) || previous
        || '\x00000010'::bytea || uuid_send(NEW.stream) || '\x00000008'::bytea || int8send(NEW.version)
        || int4send(octet_length(NEW.type)) || convert_to(NEW.type, 'UTF8')
        || '\x00000002'::bytea || int2send(NEW.schema)
        || int4send(octet_length(NEW.actor)) || convert_to(NEW.actor, 'UTF8')
        || '\x00000008'::bytea || int8send((extract(epoch FROM NEW.at) * 1000000)::bigint)
        || int4send(length(NEW.public)) || NEW.public
        || int4send(coalesce(octet_length(NEW.audience), 0)) || coalesce(convert_to(NEW.audience, 'UTF8'), '')
        || CASE WHEN NEW.secret IS NULL THEN '\x00000000'::bytea
                ELSE '\x00000020'::bytea || sha256('croupier-secret-v1\012'::bytea || NEW.salt || NEW.secret) END
    )) IS NOT TRUE THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = format('Version %s of stream %s does not go on from the one before.', NEW.version, NEW.stream),
                  HINT = 'Its hash is not that of its facts and of the hash before it.';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER events_event_chained BEFORE INSERT ON events_event
    FOR EACH ROW EXECUTE FUNCTION events_refuse_unchained();

-- A head only goes forward, and a closed one stays.
CREATE OR REPLACE FUNCTION events_refuse_backward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.version <= OLD.version OR OLD.closed THEN
        RAISE EXCEPTION 'The head of stream % only goes forward.', OLD.stream USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER events_head_forward BEFORE UPDATE ON events_head
    FOR EACH ROW EXECUTE FUNCTION events_refuse_backward();

-- The archive is noted on the node that has the stream.
CREATE OR REPLACE FUNCTION events_refuse_unarchived() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_archived boolean;
BEGIN
    EXECUTE format('SELECT EXISTS (SELECT FROM public.%I WHERE stream = $1 AND $2 BETWEEN first_version AND last_version)',
                   'events_archived_' || get_shard_id_for_distribution_column('events_archived', OLD.stream))
        INTO is_archived USING OLD.stream, OLD.version;
    IF NOT is_archived THEN
        RAISE EXCEPTION 'The event log is append-only: DELETE on % is refused.', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = format('Version %s of stream %s is not in the archive.', OLD.version, OLD.stream);
    END IF;
    RETURN OLD;
END $$;

-- A segment of the archive follows on the last one noted and ends at an event that the log has with this hash.
CREATE OR REPLACE FUNCTION events_refuse_unheld() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    noted integer;
    is_held boolean;
BEGIN
    EXECUTE format('SELECT max(last_version) FROM %I.%I WHERE stream = $1', TG_TABLE_SCHEMA, TG_TABLE_NAME)
        INTO noted USING NEW.stream;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I.%I WHERE stream = $1 AND version = $2 AND hash = $3)', TG_TABLE_SCHEMA,
                   'events_event_' || get_shard_id_for_distribution_column('events_event', NEW.stream))
        INTO is_held USING NEW.stream, NEW.last_version, NEW.hash;
    IF NOT is_held OR NEW.first_version <> coalesce(noted, 0) + 1 THEN
        RAISE EXCEPTION 'The log has no such version % of stream %.', NEW.last_version, NEW.stream
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER events_archived_held BEFORE INSERT ON events_archived
    FOR EACH ROW EXECUTE FUNCTION events_refuse_unheld();

ALTER FUNCTION events_enter SECURITY INVOKER;
ALTER FUNCTION events_append_many SECURITY INVOKER;
-- A node is chosen by a value, which a generic plan doesn't have. No batch of several streams is stored there.
ALTER FUNCTION events_append_many RESET plan_cache_mode;
ALTER FUNCTION events_append_many RESET enable_seqscan;
ALTER FUNCTION events_note_archived SECURITY INVOKER;
