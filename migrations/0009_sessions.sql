-- What a session is, package session says; these tables keep what lists and counts need of it. Links are read from the
-- snapshots whenever a web graph is built.
DROP TABLE links;
ALTER TABLE pages DROP COLUMN visited_at;
ALTER TABLE visits DROP COLUMN at;
ALTER TABLE marks DROP COLUMN at;
ALTER TABLE events DROP COLUMN received_at;
DROP INDEX visits_frames;

-- What a snapshot shows. Of snapshots of before, the last of each page load stands for what all of them showed; whether
-- they hold real text is not known, so that the iframes of before still count as no pages.
ALTER TABLE events ADD COLUMN shown TEXT NOT NULL DEFAULT ''; -- JSON: session.Shown, '' for other events
ALTER TABLE visits ADD COLUMN real_text INTEGER NOT NULL DEFAULT 0 CHECK (real_text IN (0, 1)); -- of the last snapshot
UPDATE events SET shown = json_object('title', (SELECT title FROM visits WHERE load = events.page))
    WHERE type = 'snapshot' AND page IN (SELECT load FROM visits)
    AND seq = (SELECT max(seq) FROM events last WHERE last.page = events.page AND last.type = 'snapshot');

-- What session.Count says, NULL when it was not counted since the visits or marks changed.
ALTER TABLE sessions ADD COLUMN pages INTEGER;
ALTER TABLE sessions ADD COLUMN useful INTEGER;
