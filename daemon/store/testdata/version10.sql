-- Rows as version 10 had them, after those of version 9.
INSERT INTO contents (hash, gzip) VALUES (x'a1', x'00');
INSERT INTO erased (uuid) VALUES ('01890a5d-ac96-774b-bcce-b302099aa000');
INSERT INTO events (id, session_id, client, seq, at, type, page, body) VALUES
    ('e3', 1, 'c1', 3, 1, 'label', 'l1', '{"v":1,"type":"label","page":"l1","name":"Department","seq":3}');
