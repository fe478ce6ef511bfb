-- Rows as version 21 had them, after those of version 20: a topic with two crawls that ended, of which the last left links.
INSERT INTO topics (id, name, created_at, for_map) VALUES (24, 'Two nights', 21, 0);
INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (24, 24, 1, x'00', '{}', 21);
INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (24, 24, 24, 'hmm', '{}', 'ended', 21), (25, 24, 24, 'hmm', '{}', 'ended', 21);
INSERT INTO frontier (crawl_id, url, status, priority, seq) VALUES (25, 'http://ice.test/24', 'queued', '[1]', 1);
