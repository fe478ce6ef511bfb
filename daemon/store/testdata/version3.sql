-- Rows that the third version of the schema brought: a crawl that has not ended, with a page and what it said by itself.
INSERT INTO crawls VALUES (2, 1, 1, '', 'hmm-soft', '{"starts":["http://h0.test/p0"]}', 'running', '', 1, 1, 9, 10, 11, 11, NULL);
INSERT INTO fetches VALUES (2, 2, 1, 'http://ice.test/again', 'http://ice.test/again', 'ice.test', 'ok', '', 200, 9, 3, 12, NULL, 0, '', 'Again', 1, '[0.5,0.5]', 0.8, 1, 1, 78, x'02', 0.9, '[0.7,0.3]');
INSERT INTO finds VALUES (2, 1, 2, 2, 'http://ice.test/again', 'Again', 'snippet', 0.8, 12, 0.9);
INSERT INTO frontier VALUES (2, 'http://h0.test/p0', 'queued', 0, '[1]', 1, 0, 0, '', '{}');
