-- Rows as version 11 had them, after those of version 10.
INSERT INTO milestones (id, topic_id, at, action, page_id, name, new_name, undoes) VALUES
    (1, 1, 100, 'name', 1, 'department', '', NULL),
    (2, 1, 200, 'rename', NULL, 'department', 'faculty', NULL),
    (3, 1, 300, 'undo', NULL, '', '', 2);
