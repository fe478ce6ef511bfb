-- An import takes effect in parts, so that browsers need not wait for it. Its events are first stored here; once all are, the row
-- 'import' of settings says so, and they take effect even if the program ends meanwhile. Only transactions that write see its
-- sessions until all have.
CREATE TABLE import_events (
    id    INTEGER PRIMARY KEY,
    event BLOB NOT NULL             -- session.Event.Pack
) STRICT;
ALTER TABLE sessions ADD COLUMN importing INTEGER NOT NULL DEFAULT 0 CHECK (importing IN (0, 1));
