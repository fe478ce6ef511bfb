-- What a night needs to be left alone: whom it asked, what it kept, what it may skip asking again.
ALTER TABLE fetches ADD COLUMN simhash INTEGER NOT NULL DEFAULT 0;         -- of the page's text, 0 without text
ALTER TABLE fetches ADD COLUMN etag TEXT NOT NULL DEFAULT '';              -- validators, as the server sent them
ALTER TABLE fetches ADD COLUMN last_modified TEXT NOT NULL DEFAULT '';
ALTER TABLE fetches ADD COLUMN not_modified INTEGER NOT NULL DEFAULT 0;    -- 304: the content is that of an earlier fetch
ALTER TABLE fetches ADD COLUMN truncated INTEGER NOT NULL DEFAULT 0;       -- the body was cut
ALTER TABLE fetches ADD COLUMN rendered INTEGER NOT NULL DEFAULT 0;        -- its scripts were run
ALTER TABLE fetches ADD COLUMN credit INTEGER NOT NULL DEFAULT 1;          -- 0: a copy or a page that stands for another
ALTER TABLE fetches ADD COLUMN archive_file TEXT NOT NULL DEFAULT '';      -- where the answer is kept, '' nowhere
ALTER TABLE fetches ADD COLUMN archive_offset INTEGER NOT NULL DEFAULT 0;
ALTER TABLE crawls ADD COLUMN paused TEXT NOT NULL DEFAULT '';             -- why it waits, in words, '' while it does not
ALTER TABLE frontier ADD COLUMN retries INTEGER NOT NULL DEFAULT 0;        -- times it was tried without an answer and put back
CREATE INDEX frontier_begun ON frontier(crawl_id) WHERE attempts > 0 AND status = 'queued';
CREATE INDEX fetches_known ON fetches(final_url) WHERE etag <> '' OR last_modified <> '';

-- Every host that a crawl asked, what for and how much: the ledger.
CREATE TABLE contacts (
    crawl_id  INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    host      TEXT    NOT NULL,
    purpose   TEXT    NOT NULL,               -- crawler/fetch.Purpose
    requests  INTEGER NOT NULL DEFAULT 0,
    failed    INTEGER NOT NULL DEFAULT 0,     -- of them without a whole answer
    bytes     INTEGER NOT NULL DEFAULT 0,     -- of bodies, on the wire
    first_at  INTEGER NOT NULL,
    last_at   INTEGER NOT NULL,
    PRIMARY KEY (crawl_id, host, purpose)
) STRICT, WITHOUT ROWID;

-- Crawls from before it told of their pages alone.
INSERT INTO contacts (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at)
    SELECT crawl_id, host, 'page', count(*), sum(outcome IN ('network', 'timeout')), sum(bytes), min(at), max(at)
    FROM fetches WHERE outcome NOT IN ('robots', 'refused', 'missing', 'canceled') GROUP BY crawl_id, host;

-- Hosts that failed the last times they were asked. With the third failure in a row a crawl leaves them alone until it
-- ends: then the reason is set.
CREATE TABLE resting (
    crawl_id  INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    host      TEXT    NOT NULL,
    strikes   INTEGER NOT NULL,               -- failures in a row
    reason    TEXT    NOT NULL DEFAULT '',    -- why it rests, in words, '' while it is still asked
    PRIMARY KEY (crawl_id, host)
) STRICT, WITHOUT ROWID;
