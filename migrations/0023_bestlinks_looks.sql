-- The links of a queue, best first, by the first two numbers of their priorities: a crawl reads them as it has room for them.
DROP INDEX frontier_status;
CREATE INDEX frontier_best ON frontier(crawl_id, status,
    ~(coalesce(json_extract(priority, '$[0]'), 0) * 4294967296 + (coalesce(json_extract(priority, '$[1]'), 0) + 2147483648)), seq);

ALTER TABLE crawls ADD COLUMN last_seq INTEGER NOT NULL DEFAULT 0; -- of the crawl that began a queue: the highest seq of its links so far
UPDATE crawls SET last_seq = (SELECT coalesce(max(seq), 0) FROM frontier WHERE crawl_id = crawls.id);

-- Pages that were read are looked at again: new links may be on them, and useful pages may change or go.
ALTER TABLE fetches ADD COLUMN links INTEGER; -- on the page that may be followed; NULL when they were not counted
ALTER TABLE fetches ADD COLUMN look INTEGER;  -- links on a page read before that its queue never had; NULL when the page was read for the first time
ALTER TABLE finds ADD COLUMN changed_at INTEGER; -- when its text was last seen to have changed much, NULL for never
ALTER TABLE finds ADD COLUMN gone_at INTEGER;    -- since when its address holds no page, NULL while it does
ALTER TABLE finds ADD COLUMN told_at INTEGER;    -- the newest of both of which the person was told
CREATE INDEX finds_changed ON finds(id) WHERE changed_at IS NOT NULL OR gone_at IS NOT NULL;
