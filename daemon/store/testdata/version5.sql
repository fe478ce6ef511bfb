-- Rows that the fifth version of the schema brought: a crawl that waits, a page that is kept in the archive with what is
-- needed to ask for it again, a link that was tried before, a host that is left alone, and a request for robots.txt.
UPDATE crawls SET status = 'paused', paused = 'on battery' WHERE id = 2;
UPDATE frontier SET retries = 2 WHERE url = 'http://h0.test/p1';
INSERT INTO fetches VALUES (4, 2, 3, 'http://ice.test/kept', 'http://ice.test/kept', 'ice.test', 'ok', '', 200, 9, 3, 14, 2, 1, 'kept', 'Kept', 1, '[0.5,0.5]', 0.8, 1, 1, 79, x'02', 0.7, '[0.6,0.4]', '[]', 80, '"tag"', 'Sat, 21 Nov 2026 10:00:00 GMT', 0, 1, 1, 1, 'nightjar-20261121100000-00000.warc.gz', 512);
INSERT INTO contacts VALUES (2, 'ice.test', 'robots', 1, 0, 9, 12, 12);
INSERT INTO resting VALUES (2, 'h0.test', 3, 'failed 3 times');
