-- What strategies that learn in the crawl need to go on after a crash, and what they say of the links they followed.
-- Fetches and frontier entries of before have none of it: [] and NULL say so.
ALTER TABLE frontier ADD COLUMN note BLOB;    -- the strategy's own, of the link; NULL without one and once it is done
ALTER TABLE fetches ADD COLUMN why TEXT NOT NULL DEFAULT '[]'; -- JSON: []strategy.Reason, what the link was worth
ALTER TABLE crawls ADD COLUMN learned_at INTEGER;              -- when its strategy learned last, NULL: never
ALTER TABLE crawls ADD COLUMN learned_pages INTEGER NOT NULL DEFAULT 0; -- from how many pages that were read

-- What the strategy of a crawl that has not ended had learned when it last reordered the links.
CREATE TABLE learned (
    crawl_id INTEGER PRIMARY KEY REFERENCES crawls(id) ON DELETE CASCADE,
    state    BLOB    NOT NULL                 -- strategy.Learner.Snapshot
) STRICT;
