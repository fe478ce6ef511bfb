-- Rows as the first version of the schema held them: two topics, a session with a page that has a name, a model, a crawl with a find.
INSERT INTO settings VALUES ('settings', '{"strategy":"hmm"}');
INSERT INTO browsers VALUES (1, 'c1', 'Chromium', 'chrome-extension://a', x'00', 1, 2, NULL);
INSERT INTO topics VALUES (1, 'Hockey', 1), (2, 'Curling', 2);
INSERT INTO sessions VALUES (1, 's1', 1, 'c1', 'submitted', 1, 9, 7, '');
INSERT INTO contents VALUES (x'01', x'1f8b', 8), (x'02', x'1f8b', 9);
INSERT INTO events VALUES ('e1', 1, 'c1', 1, 1, 'session.start', '', '{"topic":"Hockey"}', NULL, 2),
    ('e2', 1, 'c1', 2, 1, 'snapshot', 'l1', '{"url":"http://ice.test/"}', x'01', 2),
    ('e3', 1, 'c1', 3, 1, 'label', 'l1', '{"v":1,"type":"label","page":"l1","name":"Department","seq":3}', NULL, 2);
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
-- A crawl that has not ended, with links of which one carries what a strategy knew of its path.
INSERT INTO crawls VALUES (2, 1, 1, '', 'hmm-soft', '{"starts":["http://h0.test/p0"]}', 'running', '', 1, 1, 9, 10, 11, 11, NULL);
INSERT INTO fetches VALUES (2, 2, 1, 'http://ice.test/again', 'http://ice.test/again', 'ice.test', 'ok', '', 200, 9, 3, 12, NULL, 0, '', 'Again', 1, '[0.5,0.5]', 0.8, 1, 1, 78, x'02');
INSERT INTO finds VALUES (2, 1, 2, 2, 'http://ice.test/again', 'Again', 'snippet', 0.8, 12);
INSERT INTO frontier VALUES (2, 'http://h0.test/p0', 'queued', 0, '[1]', 1, 0, 0, '', '{}'),
    (2, 'http://h0.test/p6', 'queued', 0, '[1]', 3, 1, 1, 'six', '{"alpha":[0.25,0.75]}');
-- A session that is being recorded, with a page load whose two snapshots showed titles.
INSERT INTO sessions VALUES (3, '01890a5d-ac96-774b-bcce-b302099a8000', 1, '5e0d1a3c-8f52-4c26-9d3a-0b1c2d3e4f50', 'recording', 20, NULL, NULL, '');
INSERT INTO contents VALUES (x'31', x'00', 1), (x'32', x'00', 1);
INSERT INTO events VALUES
    ('01890a5d-ac96-774b-bcce-b302099a8001', 3, '5e0d1a3c-8f52-4c26-9d3a-0b1c2d3e4f50', 1, 20, 'session.start', '', '{"topic":"Hockey"}', NULL, 20),
    ('01890a5d-ac96-774b-bcce-b302099a8002', 3, '5e0d1a3c-8f52-4c26-9d3a-0b1c2d3e4f50', 2, 21, 'visit', '01890a5d-ac96-774b-bcce-b302099a8057', '{"v":1,"type":"visit","page":"01890a5d-ac96-774b-bcce-b302099a8057","url":"http://ice.test/open","title":"By the tab","how":"typed","seq":2}', NULL, 21),
    ('01890a5d-ac96-774b-bcce-b302099a8003', 3, '5e0d1a3c-8f52-4c26-9d3a-0b1c2d3e4f50', 4, 22, 'snapshot', '01890a5d-ac96-774b-bcce-b302099a8057', '{"v":1,"type":"snapshot","page":"01890a5d-ac96-774b-bcce-b302099a8057","seq":4}', x'31', 22),
    ('01890a5d-ac96-774b-bcce-b302099a8004', 3, '5e0d1a3c-8f52-4c26-9d3a-0b1c2d3e4f50', 5, 23, 'snapshot', '01890a5d-ac96-774b-bcce-b302099a8057', '{"v":1,"type":"snapshot","page":"01890a5d-ac96-774b-bcce-b302099a8057","seq":5}', x'32', 23);
INSERT INTO pages VALUES (30, 'http://ice.test/open', 'Shown last', x'32', 21);
INSERT INTO visits VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', 3, 30, '', 'Shown last', 'typed', '', 2, 21);
INSERT INTO links VALUES (30, 'http://ice.test/linked', 'anchor');
