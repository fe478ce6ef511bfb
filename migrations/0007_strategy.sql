-- What a strategy carries along a path is bytes of its own. Those stored so far were JSON, which the strategies still read.
ALTER TABLE frontier ADD COLUMN path BLOB;                                 -- of the page that holds the link, NULL without
UPDATE frontier SET path = CAST(state AS BLOB) WHERE state NOT IN ('', '{}');
ALTER TABLE frontier DROP COLUMN state;

-- Pages that the strategy of a crawl could not learn from, and why not the last time.
ALTER TABLE crawls ADD COLUMN strategy_errors INTEGER NOT NULL DEFAULT 0;
ALTER TABLE crawls ADD COLUMN strategy_error TEXT NOT NULL DEFAULT '';     -- '' without one
