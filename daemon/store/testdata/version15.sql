-- Rows as version 15 had them, after those of version 14: a document with a topic, a page of it, and a map.
UPDATE documents SET topic_id = 1, read = '{"kind":"pdf"}', titles = '["Ice"]' WHERE id = 1;
INSERT INTO document_pages VALUES (1, 'http://ice.test/old', 'http://ice.test/new', 'ice.test', 'ok', '', 200, 9, 'Ice', x'02', 11);
INSERT INTO maps VALUES (1, 'document', 'Ice', 1, 1, 1, NULL, '{}', 'map', 'done', '', x'00', 12, 13);
INSERT INTO map_pages VALUES (1, 1, 1, 0.5, 0.75);
UPDATE stopped SET positives = 'digest' WHERE topic_id = 2;
