-- A crawl begins with links on pages that the person visited, unless they want that not. Who ticked start pages before did not know of it.
ALTER TABLE topics ADD COLUMN visited INTEGER NOT NULL DEFAULT 1 CHECK (visited IN (0, 1)); -- 1: crawls follow links on pages that the person visited
UPDATE topics SET visited = 0 WHERE id IN (SELECT topic_id FROM starts WHERE ticked = 1);

-- Pages that crawls read since the person had visited them: they go when no session has them any more.
CREATE INDEX fetches_visited ON fetches(crawl_id) WHERE outcome = 'visited';
