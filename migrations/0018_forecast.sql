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
