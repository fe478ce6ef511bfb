-- Rows that the second version of the schema brought: a combined topic and a training that was stopped.
INSERT INTO topics VALUES (3, 'Ice', 3);
INSERT INTO combined VALUES (3, 1), (3, 2);
INSERT INTO stopped VALUES (1, '["s1"]', 1, 9);
