-- Rows as version 14 had them, after those of version 13.
INSERT INTO documents VALUES (1, 'sha256:00', 'Ice', 'ice.pdf', 10);
INSERT INTO title_queries VALUES (1, 'https://search.test/', 'ice', 'answered');
INSERT INTO title_requests VALUES (1, 1, 1, 10);
INSERT INTO title_hits VALUES (1, 1, 'http://ice.test/', 'Ice', 'the ice');
INSERT INTO positives VALUES (1, 'http://ice.test/', 1, 'Ice', 'the ice', '[{"title":"Ice","stage":"phrase","place":1}]', 0);
