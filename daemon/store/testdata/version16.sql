-- Rows as version 16 had them, after those of version 15: a link with a word, an ontology with an edit, and a grouping.
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
