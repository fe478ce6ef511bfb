-- Rows as version 20 had them, after those of version 19: a worker with a task, and maps of documents whose topics were used, or not.
INSERT INTO workers (id, name, key, invited_at) VALUES (1, 'attic', 'UABC', 1000);
INSERT INTO tasks (id, crawl_id, url, final_url, host, state) VALUES ('t1', 1, 'http://ice.test/', 'http://ice.test/', 'ice.test', 'lost');
INSERT INTO topics VALUES (20, 'A map', 20), (21, 'A map with a marked find', 20), (22, 'Pages like a community', 20), (23, 'A map with a feed', 20);
INSERT INTO documents (id, key, title, source, created_at, topic_id) VALUES (20, 'sha256:20', 'A map', '', 20, 20),
    (21, 'sha256:21', 'A map with a marked find', '', 20, 21), (22, 'map:1:1', 'Pages like a community', '', 20, 22), (23, 'sha256:23', 'A map with a feed', '', 20, 23);
INSERT INTO maps (id, source, title, document_id, topic_id, options, step, state, created_at)
    SELECT id, 'document', title, id, topic_id, '{}', 'map', 'done', 20 FROM documents WHERE id IN (20, 21, 23);
INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at)
    VALUES (20, 20, 1, 1, 'http://ice.test/20', '', '', 0, 20), (21, 21, 1, 1, 'http://ice.test/21', '', '', 0, 20);
INSERT INTO feedback (find_id, mark, at) VALUES (21, 'not-useful', 21);
INSERT INTO tokens (id, key, hash, name, scope, topic_id, created_at) VALUES (20, 'k20', x'00', 'Reader', 'feed', 23, 20);
