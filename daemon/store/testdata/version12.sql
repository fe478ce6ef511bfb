-- Rows as version 12 had them, after those of version 1: a combined topic, trainings that were stopped, a crawl that waits and has
-- learned, pages with reasons and what the archive needs, a host that is left alone, a request for robots.txt, and milestones.
INSERT INTO topics VALUES (3, 'Ice', 3);
INSERT INTO combined VALUES (3, 1), (3, 2);
INSERT INTO stopped (topic_id, sessions, feedback) VALUES (1, '["s1"]', 1), (2, '[]', 0);
UPDATE sessions SET pages = 4, useful = 1 WHERE id = 1;
UPDATE crawls SET status = 'paused', paused = 'on battery', learned_at = 13, learned_pages = 1, strategy_errors = 3, strategy_error = 'the fit did not end' WHERE id = 2;
INSERT INTO learned VALUES (2, x'010203');
UPDATE fetches SET useful = 0.9, evidence = '[0.7,0.3]', signs = '[0.5,0.25]' WHERE id = 2;
UPDATE finds SET useful = 0.9 WHERE id = 2;
INSERT INTO frontier (crawl_id, url, status, attempts, priority, seq, parent_n, depth, anchor, note, retries)
    VALUES (2, 'http://h0.test/p1', 'queued', 1, '[5]', 2, 1, 1, 'one', x'0405', 2);
INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, reason, at, parent_id, depth, anchor, why)
    VALUES (3, 2, 2, 'http://h0.test/p2', 'http://h0.test/p2', 'h0.test', 'network', 'no answer', 13, 2, 1, 'two', '[{"name":"hmm","value":1}]');
INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, http_status, bytes, at, parent_id, depth, anchor, title, content_hash, simhash, etag,
    last_modified, truncated, rendered, archive_file, archive_offset) VALUES (4, 2, 3, 'http://ice.test/kept', 'http://ice.test/kept', 'ice.test', 'ok', 200, 9, 14, 2, 1,
    'kept', 'Kept', x'02', 80, '"tag"', 'Sat, 21 Nov 2026 10:00:00 GMT', 1, 1, 'nightjar-20261121100000-00000.warc.gz', 512);
INSERT INTO contacts VALUES (2, 'ice.test', 'robots', 1, 0, 9, 12, 12);
INSERT INTO resting VALUES (2, 'h0.test', 3, 'failed 3 times');
INSERT INTO contents (hash, gzip) VALUES (x'91', x'00');
INSERT INTO erased (uuid) VALUES ('01890a5d-ac96-774b-bcce-b302099a9000');
INSERT INTO milestones (id, topic_id, at, action, page_id, name, new_name, undoes) VALUES
    (1, 1, 100, 'name', 1, 'department', '', NULL),
    (2, 1, 200, 'rename', NULL, 'department', 'faculty', NULL),
    (3, 1, 300, 'undo', NULL, '', '', 2);
