-- Rows as version 7 had them, after those of version 6.
INSERT INTO stopped (topic_id, sessions, feedback, at) VALUES (2, '[]', 0, 10);
UPDATE crawls SET strategy_errors = 3, strategy_error = 'the fit did not end' WHERE id = 2;
