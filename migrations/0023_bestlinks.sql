-- The links of a queue, best first, by the first two numbers of their priorities: a crawl reads them as it has room for them.
DROP INDEX frontier_status;
CREATE INDEX frontier_best ON frontier(crawl_id, status,
    ~(coalesce(json_extract(priority, '$[0]'), 0) * 4294967296 + (coalesce(json_extract(priority, '$[1]'), 0) + 2147483648)), seq);

ALTER TABLE crawls ADD COLUMN last_seq INTEGER NOT NULL DEFAULT 0; -- of the crawl that began a queue: the highest seq of its links so far
UPDATE crawls SET last_seq = (SELECT coalesce(max(seq), 0) FROM frontier WHERE crawl_id = crawls.id);
