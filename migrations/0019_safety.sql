-- Nothing is lost, and nobody gets in who should not.

-- What hosts asked for and when they were asked last, so that it holds after a restart and in the next crawl.
CREATE TABLE hosts (
    host        TEXT    PRIMARY KEY,            -- weburl.Host
    open        INTEGER NOT NULL DEFAULT 0 CHECK (open IN (0, 1)), -- requests may have been sent that this row does not know of
    asked_at    INTEGER NOT NULL DEFAULT 0,     -- start of the last known request; 0 for none
    set_at      INTEGER NOT NULL DEFAULT 0,     -- when not_before was worked out, by the same clock
    not_before  INTEGER NOT NULL DEFAULT 0,     -- earliest start of the next request
    why         TEXT    NOT NULL DEFAULT '',    -- crawler/fetch.Rest, why it is later than the usual pause; '' if it is not
    busy        INTEGER NOT NULL DEFAULT 0,     -- answers in a row that said it was too busy
    failed      INTEGER NOT NULL DEFAULT 0,     -- requests in a row without answer, or with a server error
    delay_ms    INTEGER NOT NULL DEFAULT 0,     -- Crawl-delay of its robots.txt; 0 for none
    probed_at   INTEGER NOT NULL DEFAULT 0,     -- when a page was requested that cannot exist; 0 for never
    missing     BLOB,                           -- gzip of the page that it then showed with status 200; NULL for none
    sitemaps_at INTEGER NOT NULL DEFAULT 0,     -- when the first of its sitemaps was read; 0 for never
    sitemaps    TEXT    NOT NULL DEFAULT ''     -- JSON: fetch.SitemapsLeft, those that are still to be read
) STRICT, WITHOUT ROWID;

-- The robots.txt of each origin, as long as it holds.
CREATE TABLE robots (
    origin   TEXT    PRIMARY KEY,               -- scheme, host and port
    host     TEXT    NOT NULL,                  -- weburl.Host
    read_at  INTEGER NOT NULL,
    keep_ms  INTEGER NOT NULL,                  -- how long it holds from then on
    body     BLOB,                              -- gzip of the file, of nothing for a missing one; NULL: no page may be requested
    outcome  TEXT    NOT NULL DEFAULT '',       -- crawler/fetch.Outcome, why no page may be requested
    reason   TEXT    NOT NULL DEFAULT ''        -- the same for people
) STRICT, WITHOUT ROWID;

INSERT INTO hosts (host, asked_at, set_at)
    SELECT host, max(at), max(at) FROM (SELECT host, last_at AS at FROM contacts UNION ALL SELECT host, at FROM document_pages)
    WHERE at > unixepoch() * 1000 - 86400000 GROUP BY host;
INSERT INTO hosts (host, set_at, not_before, why)
    SELECT j.key, unixepoch() * 1000, unixepoch(j.value) * 1000, 'asked' FROM settings, json_each(settings.value) j
    WHERE settings.key = 'silent' AND unixepoch(j.value) > unixepoch()
    ON CONFLICT (host) DO UPDATE SET set_at = excluded.set_at, not_before = excluded.not_before, why = excluded.why;
DELETE FROM settings WHERE key = 'silent';

-- Rows whose change on the disk SQLite would not notice carry a sum; contents and models have one of their own. A row that does
-- not match is told to the person, kept, and left out of training.
ALTER TABLE events   ADD COLUMN sum INTEGER;    -- store.eventSum; NULL until it was worked out
ALTER TABLE feedback ADD COLUMN sum INTEGER;    -- store.feedbackSum; the same
CREATE TABLE unsound (
    kind     TEXT    NOT NULL CHECK (kind IN ('event', 'content', 'model', 'feedback')),
    row      TEXT    NOT NULL,                  -- its key; the hash of a content in hexadecimal
    found_at INTEGER NOT NULL,
    PRIMARY KEY (kind, row)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER events_changed AFTER UPDATE OF at, type, page, body, content_hash, shown ON events BEGIN
    UPDATE events SET sum = NULL WHERE id = NEW.id AND NEW.sum IS OLD.sum;
    DELETE FROM unsound WHERE kind = 'event' AND row = NEW.id;
END;
CREATE TRIGGER unsound_event_gone AFTER DELETE ON events BEGIN DELETE FROM unsound WHERE kind = 'event' AND row = OLD.id; END;
CREATE TRIGGER unsound_content_gone AFTER DELETE ON contents BEGIN
    DELETE FROM unsound WHERE kind = 'content' AND row = lower(hex(OLD.hash));
END;
CREATE TRIGGER unsound_model_gone AFTER DELETE ON models BEGIN DELETE FROM unsound WHERE kind = 'model' AND row = CAST(OLD.id AS TEXT); END;
CREATE TRIGGER unsound_model_new AFTER UPDATE OF bundle ON models BEGIN
    DELETE FROM unsound WHERE kind = 'model' AND row = CAST(NEW.id AS TEXT);
END;
CREATE TRIGGER unsound_feedback_gone AFTER DELETE ON feedback BEGIN
    DELETE FROM unsound WHERE kind = 'feedback' AND row = CAST(OLD.id AS TEXT);
END;

-- Pictures of sessions do not depend on sums.
DROP TRIGGER pictures_changed;
CREATE TRIGGER pictures_changed AFTER UPDATE OF id, session_id, client, seq, at, type, page, body, content_hash, shown ON events BEGIN
    DELETE FROM pictures WHERE session_id IN (OLD.session_id, NEW.session_id);
END;
DROP TRIGGER pictures_together_changed;
CREATE TRIGGER pictures_together_changed AFTER UPDATE OF id, session_id, client, seq, at, type, page, body, content_hash, shown ON events BEGIN
    DELETE FROM pictures WHERE session_id IN (
        SELECT o.id FROM sessions s JOIN sessions o ON o.uuid = s.joins WHERE s.id = old.session_id AND s.joins <> ''
        UNION SELECT o.id FROM sessions s JOIN sessions o ON o.joins <> '' AND o.joins = iif(s.joins = '', s.uuid, s.joins)
            WHERE s.id = old.session_id);
END;

-- What was erased and may be sent or imported again: it is acknowledged, and not stored.
CREATE TABLE tombstones (
    hash BLOB    PRIMARY KEY,                   -- the first 16 bytes of SHA-256: of the id of a page load, of an event about a link, or of a host
    at   INTEGER NOT NULL                       -- of a host: what is older is not stored, and those below it; 0 for the others
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_hosts ON tombstones(at) WHERE at > 0;

-- Sites that are being erased, so that it goes on after a restart, and what became of earlier ones.
CREATE TABLE erasings (
    id       INTEGER PRIMARY KEY,
    host     TEXT    NOT NULL,                  -- '' once nothing of it is left to do
    step     TEXT    NOT NULL CHECK (step IN ('rows', 'contents', 'archive', 'scrub', 'check', 'done')),
    after    BLOB    NOT NULL DEFAULT x'',      -- contents: hash of the last one that was looked through
    counts   TEXT    NOT NULL DEFAULT '{}',     -- JSON: store.ErasingCounts
    problem  TEXT    NOT NULL DEFAULT '',       -- why it waits, in words
    began_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;
