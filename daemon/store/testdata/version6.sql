-- Rows as version 6 had them, after those of version 5.
INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n, depth, anchor, state)
    VALUES (2, 'http://h0.test/p6', 'queued', '[1]', 3, 1, 1, 'six', '{"alpha":[0.25,0.75]}');
