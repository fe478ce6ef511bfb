-- Rows as version 23 had them, after those of version 22: looks at pages, and start pages that were ticked before a crawl could begin
-- with links on visited pages. Topic 26 has none.
INSERT INTO topics (id, name, created_at, for_map) VALUES (27, 'Start pages are ticked', 23, 0);
INSERT INTO starts (topic_id, url, source, ticked, created_at) VALUES (27, 'https://www.example.org/', 'added', 1, 23);
INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, links, look) VALUES (27, 900, 'https://www.example.org/list', 'https://www.example.org/list', 'www.example.org', 'ok', 23, 12, 3);
