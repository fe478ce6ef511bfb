-- Rows as version 28 had them, after those of version 21: a night that opens the queue of another one, with a look at a page and a page
-- that the person visited; what a host lists; and a topic whose crawls do not begin with visited pages.
INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at, queue) VALUES (27, 26, 26, 'hmm', '{}', 'ended', 22, 26);
INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, links, look) VALUES (27, 900, 'https://www.example.org/list', 'https://www.example.org/list', 'www.example.org', 'ok', 23, 12, 3);
INSERT INTO hosts (host, asked_at, set_at, not_before, delay_ms, probed_at) VALUES
    ('www.example.org', 2400, 2400, 3400, 7000, 2300), ('all.example.org', 2400, 2400, 3400, 0, 0);
INSERT INTO lists (host, at, list) VALUES ('www.example.org', 2350, x'1f8b');
INSERT INTO topics (id, name, created_at, for_map, visited) VALUES (28, 'Without visited pages', 24, 0, 0);
INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, cost, links) VALUES (27, 901, 'https://www.example.org/seen', 'https://www.example.org/seen', 'www.example.org', 'visited', 24, 0, 2);
INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n, depth) VALUES (26, 'https://www.example.org/seen/next', 'queued', '[3]', 9, 901, 1);
INSERT INTO import_events (id, event) VALUES (1, x'a1');
