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
