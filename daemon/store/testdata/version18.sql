-- Rows as version 18 had them, after those of version 12: reasons, the search, a document with pages and a map, links with words,
-- an ontology, a grouping, a session that joins another one, a forecast, and strategies of a topic.
INSERT INTO reasons VALUES (1, '["ice"]', 'passage', 'http://ice.test/', 'Ice', 4);
INSERT INTO actions VALUES (1, 10, 'refuse', 'off.test', NULL);
INSERT INTO refused VALUES ('off.test', 10);
INSERT INTO questions VALUES (1, 1, 1, 0, '', NULL);
INSERT INTO pictures VALUES (1, 'state', x'00');
INSERT INTO model_pictures VALUES (1, '1', x'00');
INSERT INTO leads VALUES (1, 'state', '{"http://ice.test/":1}');
INSERT INTO search_entries VALUES (1, 'http://ice.test/', 'Ice', x'01', 3, 1, 1, 0, 0);
INSERT INTO search_words (rowid, title, address, body, tags) VALUES (1, 'ice', 'ice test', 'the ice', 'x');
INSERT INTO tokens VALUES (1, 'key', x'00', 'Reader', 'feed', 1, 10, NULL);
INSERT INTO discarded VALUES ('01890a5d-ac96-774b-bcce-b302099aa001', 99, 'c1', 3);
INSERT INTO changes VALUES (1, 10, 'name', '{}', 0);
INSERT INTO documents (id, key, title, source, created_at, topic_id, read, titles) VALUES (1, 'sha256:00', 'Ice', 'ice.pdf', 10, 1, '{"kind":"pdf"}', '["Ice"]');
INSERT INTO title_queries VALUES (1, 'https://search.test/', 'ice', 'answered');
INSERT INTO title_requests VALUES (1, 1, 1, 10);
INSERT INTO title_hits VALUES (1, 1, 'http://ice.test/', 'Ice', 'the ice');
INSERT INTO positives VALUES (1, 'http://ice.test/', 1, 'Ice', 'the ice', '[{"title":"Ice","stage":"phrase","place":1}]', 0);
INSERT INTO document_pages VALUES (1, 'http://ice.test/old', 'http://ice.test/new', 'ice.test', 'ok', '', 200, 9, 'Ice', x'02', 11);
INSERT INTO maps VALUES (1, 'document', 'Ice', 1, 1, 1, NULL, '{}', 'map', 'done', '', x'00', 12, 13);
INSERT INTO map_pages VALUES (1, 1, 1, 0.5, 0.75);
UPDATE stopped SET positives = 'digest' WHERE topic_id = 2;
INSERT INTO link_page VALUES (1, 'http://ice.test/', 'ice.test', x'01'), (2, 'http://ice.test/rink', 'ice.test', NULL);
INSERT INTO link VALUES (1, 1, 2, 40);
INSERT INTO word VALUES (1, 'rink');
INSERT INTO link_word VALUES (1, 1, 2);
INSERT INTO ontologies VALUES (1, 'Sports', '[]', 0, 14, 14);
INSERT INTO ontology_edits VALUES (1, 1, 14, '{}', '{}', 0);
INSERT INTO groupings VALUES (1, 'session', 1, 1, '{}', 'done', '', '', x'00', 15, 15);
INSERT INTO descriptions VALUES (1, 2, '{}');
INSERT INTO term_words VALUES (1, 'ice', 1, 1);
INSERT INTO saved_sets VALUES ('rinks', 'word:rink', 15);
INSERT INTO operations VALUES (1, 15, 'word:rink');
INSERT INTO sessions VALUES (4, 's4', 1, 'c2', 'submitted', 17, 18, NULL, '', 1, 0, '', 's1');
INSERT INTO visits VALUES ('l4', 4, 1, '', 'Ice', 'typed', '', 1, 0, 'pdf');
INSERT INTO readings VALUES (4, 1, 2, 19, 'the host did not answer');
INSERT INTO forecasts VALUES (1, 20, 100, 3.5, 1, 8, 1, '{}');
INSERT INTO topic_strategies VALUES (1, 1, 21, 'you', 'hmm', 'link-value', 1, '');
-- Maps of documents whose topics were used, or not.
INSERT INTO topics VALUES (20, 'A map', 20), (21, 'A map with a marked find', 20), (22, 'Pages like a community', 20), (23, 'A map with a feed', 20);
INSERT INTO documents (id, key, title, source, created_at, topic_id) VALUES (20, 'sha256:20', 'A map', '', 20, 20),
    (21, 'sha256:21', 'A map with a marked find', '', 20, 21), (22, 'map:1:1', 'Pages like a community', '', 20, 22), (23, 'sha256:23', 'A map with a feed', '', 20, 23);
INSERT INTO maps (id, source, title, document_id, topic_id, options, step, state, created_at)
    SELECT id, 'document', title, id, topic_id, '{}', 'map', 'done', 20 FROM documents WHERE id IN (20, 21, 23);
INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at)
    VALUES (20, 20, 1, 1, 'http://ice.test/20', '', '', 0, 20), (21, 21, 1, 1, 'http://ice.test/21', '', '', 0, 20);
INSERT INTO feedback (find_id, mark, at) VALUES (21, 'not-useful', 21);
INSERT INTO tokens (id, key, hash, name, scope, topic_id, created_at) VALUES (20, 'k20', x'00', 'Reader', 'feed', 23, 20);
