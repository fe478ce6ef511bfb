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
