-- Rows as version 17 had them, after those of version 16: a session that joins another one, with a PDF that could not be read.
INSERT INTO sessions VALUES (4, 's4', 1, 'c2', 'submitted', 17, 18, NULL, '', 1, 0, '', 's1');
INSERT INTO visits VALUES ('l4', 4, 1, '', 'Ice', 'typed', '', 1, 0, 'pdf');
INSERT INTO readings VALUES (4, 1, 2, 19, 'the host did not answer');
