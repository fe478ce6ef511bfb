-- Rows as version 22 had them, after those of version 21: a topic whose nights open one queue, with links of several priorities.
INSERT INTO topics (id, name, created_at, for_map) VALUES (26, 'Nights that go on', 22, 0);
INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (26, 26, 1, x'00', '{}', 22);
INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (26, 26, 26, 'hmm', '{}', 'ended', 22);
INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at, queue) VALUES (27, 26, 26, 'hmm', '{}', 'ended', 22, 26);
INSERT INTO frontier (crawl_id, url, status, priority, seq) VALUES
    (26, 'http://ice.test/26', 'done', '[]', 1), (26, 'http://ice.test/worst', 'queued', '[-5]', 2), (26, 'http://ice.test/copy', 'queued', '[-2147483648]', 3),
    (26, 'http://ice.test/none', 'queued', '[]', 4), (26, 'http://ice.test/null', 'queued', 'null', 5), (26, 'http://ice.test/best', 'queued', '[7,2]', 6),
    (26, 'http://ice.test/good', 'queued', '[7,1,9]', 7), (26, 'http://ice.test/dropped', 'dropped', '[9]', 8);
UPDATE topics SET queue = 26 WHERE id = 26;
