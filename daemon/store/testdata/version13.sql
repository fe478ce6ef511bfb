-- Rows as version 13 had them, after those of version 12.
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
