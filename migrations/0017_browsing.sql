-- What people do in their browsers.

-- Several browsers may record one session together. Each records a session of its own; those that belong together name the
-- first of them, which has '' itself.
ALTER TABLE sessions ADD COLUMN joins TEXT NOT NULL DEFAULT '';   -- UUID of a session
CREATE INDEX sessions_joins ON sessions(joins) WHERE joins <> '';

-- What a page is that is not HTML: 'pdf' or 'text'.
ALTER TABLE visits ADD COLUMN media TEXT NOT NULL DEFAULT '';
CREATE INDEX visits_pdf ON visits(session_id, page_id) WHERE media = 'pdf';

-- Attempts to read the text of a PDF that did not succeed yet. When it succeeds, the text is a snapshot of the page load.
CREATE TABLE readings (
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    page_id    INTEGER NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
    tries      INTEGER NOT NULL,
    next_at    INTEGER,                       -- of the next attempt; NULL when it was given up
    reason     TEXT    NOT NULL,              -- why the last attempt did not succeed, in words
    PRIMARY KEY (session_id, page_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX readings_page ON readings(page_id);

-- What the person said of links: where one leads is in the body. Few events are such.
CREATE INDEX events_said_of_links ON events(session_id, seq) WHERE type IN ('link-useful', 'link-not-useful');

-- The picture of a session shows what other browsers recorded of it, too.
CREATE TRIGGER pictures_together_erased AFTER DELETE ON events BEGIN
    DELETE FROM pictures WHERE session_id IN (
        SELECT o.id FROM sessions s JOIN sessions o ON o.uuid = s.joins WHERE s.id = old.session_id AND s.joins <> ''
        UNION SELECT o.id FROM sessions s JOIN sessions o ON o.joins <> '' AND o.joins = iif(s.joins = '', s.uuid, s.joins)
            WHERE s.id = old.session_id);
END;
CREATE TRIGGER pictures_together_changed AFTER UPDATE ON events BEGIN
    DELETE FROM pictures WHERE session_id IN (
        SELECT o.id FROM sessions s JOIN sessions o ON o.uuid = s.joins WHERE s.id = old.session_id AND s.joins <> ''
        UNION SELECT o.id FROM sessions s JOIN sessions o ON o.joins <> '' AND o.joins = iif(s.joins = '', s.uuid, s.joins)
            WHERE s.id = old.session_id);
END;
