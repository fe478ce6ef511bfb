-- The nights of a topic open one queue of links, one after the other, and n of their fetches goes on from night to night. The rows
-- of frontier and learned belong to a queue: their crawl_id is that of the crawl that began it.
ALTER TABLE crawls ADD COLUMN queue INTEGER NOT NULL DEFAULT 0;  -- id of the crawl that began the queue that this one opens
ALTER TABLE crawls ADD COLUMN valued INTEGER NOT NULL DEFAULT 1; -- 0: its model and strategy have not read the pages of earlier nights yet
UPDATE crawls SET queue = id, valued = status <> 'ended' OR early = 1; -- what others that ended had learned is gone
CREATE INDEX crawls_queue ON crawls(queue);
CREATE TRIGGER crawls_begin AFTER INSERT ON crawls WHEN NEW.queue = 0 BEGIN
    UPDATE crawls SET queue = NEW.id WHERE id = NEW.id;
END;
CREATE INDEX frontier_picked ON frontier(crawl_id) WHERE pick <> 0 AND status = 'queued';
ALTER TABLE fetches ADD COLUMN nofollow INTEGER NOT NULL DEFAULT 0; -- the page, or the answer, forbids to follow its links

ALTER TABLE topics ADD COLUMN queue INTEGER REFERENCES crawls(id) ON DELETE SET NULL;        -- that its next night opens, NULL for a new one
ALTER TABLE topics ADD COLUMN queue_before INTEGER REFERENCES crawls(id) ON DELETE SET NULL; -- that it would open if the person had not started anew
UPDATE topics SET queue = (SELECT max(id) FROM crawls WHERE topic_id = topics.id AND NOT coalesce(json_extract(options, '$.for_map'), 0)
    AND NOT coalesce(json_extract(options, '$.nightly'), 0) -- of a plan
    AND EXISTS (SELECT 1 FROM frontier WHERE crawl_id = crawls.id));
