-- Rows as version 9 had them, after those of version 8.
INSERT INTO contents (hash, gzip, size) VALUES (x'91', x'00', 17);
INSERT INTO erased (uuid, at) VALUES ('01890a5d-ac96-774b-bcce-b302099a9000', 30);
UPDATE sessions SET pages = 4, useful = 1 WHERE id = 1;
