-- Rows that the fourth version of the schema brought: what the crawl that has not ended had learned, a link with a note, and
-- a page with the reasons for its link.
UPDATE crawls SET learned_at = 13, learned_pages = 1 WHERE id = 2;
INSERT INTO learned VALUES (2, x'010203');
INSERT INTO frontier VALUES (2, 'http://h0.test/p1', 'queued', 1, '[5]', 2, 1, 1, 'one', '{}', x'0405');
INSERT INTO fetches VALUES (3, 2, 2, 'http://h0.test/p2', 'http://h0.test/p2', 'h0.test', 'network', 'no answer', 0, 0, 3, 13, 2, 1, 'two', '', -1, '[]', 0, 0, 1, 0, NULL, 0, '[]', '[{"name":"hmm","value":1}]');
