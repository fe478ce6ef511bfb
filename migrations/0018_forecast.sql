-- Nights whose yield is foreseen.

-- What was foretold of a crawl when it was created. What came is in the crawl itself.
CREATE TABLE forecasts (
    crawl_id INTEGER PRIMARY KEY REFERENCES crawls(id) ON DELETE CASCADE,
    made_at  INTEGER NOT NULL,
    pages    INTEGER NOT NULL,                -- of its budget; 0 means no limit
    expected REAL    NOT NULL,                -- useful pages: the median of the prediction
    low      REAL    NOT NULL,                -- the 10th percentile
    high     REAL    NOT NULL CHECK (low <= expected AND expected <= high), -- the 90th percentile
    version  INTEGER NOT NULL,                -- forecast.Version of the estimate
    inputs   TEXT    NOT NULL                 -- JSON: forecast.Inputs, numbers only
) STRICT;

-- What each page of a crawl was foretold to bring and brought, and what the next pages promised after it: a crawl ends early
-- when they promise too little.
ALTER TABLE fetches ADD COLUMN chance   REAL;                    -- of a useful page behind the link, before the fetch; NULL: not told
ALTER TABLE fetches ADD COLUMN brought  REAL NOT NULL DEFAULT 0; -- the probability that it is a new useful page
ALTER TABLE fetches ADD COLUMN promised REAL;                    -- useful pages among the next 100; NULL: not estimated
ALTER TABLE crawls  ADD COLUMN early    INTEGER NOT NULL DEFAULT 0; -- 1: it ended since the next pages promised too little

-- Two strategies that choose from one frontier in turn. Which ones and the second's share are in the crawl's options.
ALTER TABLE frontier ADD COLUMN second TEXT;                      -- JSON: frontier.View, the link as the second strategy sees it
ALTER TABLE frontier ADD COLUMN pick INTEGER NOT NULL DEFAULT 0;  -- crawler.Pick.N, negative if the second strategy chose the link; 0 before
ALTER TABLE fetches ADD COLUMN pick INTEGER NOT NULL DEFAULT 0;   -- the same
CREATE INDEX fetches_picks ON fetches(crawl_id, pick) WHERE pick <> 0;
ALTER TABLE learned ADD COLUMN second BLOB;                       -- what the second strategy has learned

-- By which strategies a topic is crawled, where it is not by those of the settings. The newest row of a topic holds.
CREATE TABLE topic_strategies (
    id        INTEGER PRIMARY KEY,
    topic_id  INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    at        INTEGER NOT NULL,
    chosen_by TEXT    NOT NULL CHECK (chosen_by IN ('nights', 'you')), -- what the nights brought, or the person
    strategy  TEXT    NOT NULL,               -- '' for that of the settings
    second    TEXT    NOT NULL,               -- that is compared with it; '' for that of the settings
    fixed     INTEGER NOT NULL CHECK (fixed IN (0, 1)), -- the nights may not change it
    verdict   TEXT    NOT NULL DEFAULT ''     -- JSON: arms.Verdict, why the nights chose; '' if they did not
) STRICT;
CREATE INDEX topic_strategies_topic ON topic_strategies(topic_id, id);
