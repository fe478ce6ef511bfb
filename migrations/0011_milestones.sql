-- What the person does with milestones in the dashboard. Names that the person gives in the browser are label events.
-- Rows are only added, except that an erasure deletes them; the names follow from them in order (session.Milestones).
CREATE TABLE milestones (
    id       INTEGER PRIMARY KEY,
    topic_id INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    at       INTEGER NOT NULL,
    action   TEXT    NOT NULL CHECK (action IN ('name', 'rename', 'delete', 'undo')),
    page_id  INTEGER REFERENCES pages(id) ON DELETE CASCADE,      -- name: the page
    name     TEXT    NOT NULL DEFAULT '',                         -- name: '' takes it back; rename: the old one
    new_name TEXT    NOT NULL DEFAULT '',                         -- rename
    undoes   INTEGER REFERENCES milestones(id) ON DELETE CASCADE  -- undo
) STRICT;
CREATE INDEX milestones_topic ON milestones(topic_id, id);
CREATE INDEX milestones_page ON milestones(page_id) WHERE page_id IS NOT NULL;
CREATE INDEX milestones_undoes ON milestones(undoes) WHERE undoes IS NOT NULL;

CREATE INDEX events_labels ON events(session_id, client, seq) WHERE type = 'label';

-- The names that a stopped training would have learned from: store.Known.Milestones.
ALTER TABLE stopped ADD COLUMN milestones TEXT NOT NULL DEFAULT '';
