-- Rows as the first version of the schema held them: two topics, a session with a page, a model, a crawl with a find.
INSERT INTO settings VALUES ('settings', '{"strategy":"hmm"}');
INSERT INTO browsers VALUES (1, 'c1', 'Chromium', 'chrome-extension://a', x'00', 1, 2, NULL);
INSERT INTO topics VALUES (1, 'Hockey', 1), (2, 'Curling', 2);
INSERT INTO sessions VALUES (1, 's1', 1, 'c1', 'submitted', 1, 9, 7, '');
INSERT INTO contents VALUES (x'01', x'1f8b', 8), (x'02', x'1f8b', 9);
INSERT INTO events VALUES ('e1', 1, 'c1', 1, 1, 'session.start', '', '{"topic":"Hockey"}', NULL, 2),
    ('e2', 1, 'c1', 2, 1, 'snapshot', 'l1', '{"url":"http://ice.test/"}', x'01', 2);
INSERT INTO pages VALUES (1, 'http://ice.test/', 'Ice', x'01', 3);
INSERT INTO visits VALUES ('l1', 1, 1, '', 'Ice', 'typed', '', 2, 3);
INSERT INTO links VALUES (1, 'http://ice.test/rink', 'The rink');
INSERT INTO marks VALUES (1, 1, 1, 4);
INSERT INTO models VALUES (1, 1, 1, x'4e4a42554e444c4501000000', '{"sessions":["s1"],"feedback":0,"gamma":0.7}', 5);
INSERT INTO starts VALUES (1, 'http://ice.test/', 'proposed', 1, 5);
INSERT INTO crawls VALUES (1, 1, 1, '2026-11-21', 'hmm', '{"starts":["http://ice.test/"]}', 'ended', 'frontier is empty', 1, 1, 9, 10, 5, 6, 7);
INSERT INTO fetches VALUES (1, 1, 1, 'http://ice.test/found', 'http://ice.test/found', 'ice.test', 'ok', '', 200, 9, 3, 6, NULL, 0, '', 'Found', 1, '[0.5,0.5]', 0.8, 1, 1, 77, x'02');
INSERT INTO frontier VALUES (1, 'http://ice.test/next', 'queued', 0, '[1]', 1, 1, 1, 'next', '');
INSERT INTO finds VALUES (1, 1, 1, 1, 'http://ice.test/found', 'Found', 'snippet', 0.8, 6);
INSERT INTO feedback VALUES (1, 1, 'useful', 8);
