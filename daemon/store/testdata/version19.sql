-- Rows as version 19 had them, after those of version 18: what a host asked for, a site that was erased, and a damaged model.
INSERT INTO hosts VALUES ('ice.test', 0, 1000, 1100, 2000, 'busy', 2, 0, 1500, 900, NULL, 950, '{"read":1,"given":20}');
INSERT INTO robots VALUES ('https://ice.test', 'ice.test', 1000, 86400000, NULL, 'network', 'no answer');
INSERT INTO tombstones VALUES (x'00112233445566778899aabbccddeeff', 0);
INSERT INTO erasings VALUES (1, '', 'done', x'', '{}', '', 1000, 2000);
INSERT INTO unsound VALUES ('model', '1', 1000);
