-- Rows as version 21 had them, after those of version 18: what a host asked for, a site that was erased, a damaged model, and a
-- worker with a task.
INSERT INTO hosts VALUES ('ice.test', 0, 1000, 1100, 2000, 'busy', 2, 0, 1500, 900, NULL, 950, '{"read":1,"given":20}');
INSERT INTO robots VALUES ('https://ice.test', 'ice.test', 1000, 86400000, NULL, 'network', 'no answer');
INSERT INTO tombstones VALUES (x'00112233445566778899aabbccddeeff', 0);
INSERT INTO erasings VALUES (1, '', 'done', x'', '{}', '', 1000, 2000);
INSERT INTO unsound VALUES ('model', '1', 1000);
INSERT INTO workers (id, name, key, invited_at) VALUES (1, 'attic', 'UABC', 1000);
INSERT INTO tasks (id, crawl_id, url, final_url, host, state) VALUES ('t1', 1, 'http://ice.test/', 'http://ice.test/', 'ice.test', 'lost');
-- A topic with two crawls that ended, of which the last left links; one with links of several priorities; and one whose start pages
-- are ticked.
INSERT INTO topics (id, name, created_at, for_map) VALUES (24, 'Two nights', 21, 0);
INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (24, 24, 1, x'00', '{}', 21);
INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (24, 24, 24, 'hmm', '{}', 'ended', 21), (25, 24, 24, 'hmm', '{}', 'ended', 21);
INSERT INTO frontier (crawl_id, url, status, priority, seq) VALUES (25, 'http://ice.test/24', 'queued', '[1]', 1);
INSERT INTO topics (id, name, created_at, for_map) VALUES (26, 'Nights that go on', 22, 0);
INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (26, 26, 1, x'00', '{}', 22);
INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (26, 26, 26, 'hmm', '{}', 'ended', 22);
INSERT INTO frontier (crawl_id, url, status, priority, seq) VALUES
    (26, 'http://ice.test/26', 'done', '[]', 1), (26, 'http://ice.test/worst', 'queued', '[-5]', 2), (26, 'http://ice.test/copy', 'queued', '[-2147483648]', 3),
    (26, 'http://ice.test/none', 'queued', '[]', 4), (26, 'http://ice.test/null', 'queued', 'null', 5), (26, 'http://ice.test/best', 'queued', '[7,2]', 6),
    (26, 'http://ice.test/good', 'queued', '[7,1,9]', 7), (26, 'http://ice.test/dropped', 'dropped', '[9]', 8);
INSERT INTO topics (id, name, created_at, for_map) VALUES (27, 'Start pages are ticked', 23, 0);
INSERT INTO starts (topic_id, url, source, ticked, created_at) VALUES (27, 'https://www.example.org/', 'added', 1, 23);
