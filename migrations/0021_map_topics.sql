-- A topic that was made for the map of a document is none that people see, until they make it one.
ALTER TABLE topics ADD COLUMN for_map INTEGER NOT NULL DEFAULT 0 CHECK (for_map IN (0, 1));
UPDATE topics SET for_map = 1
    WHERE id IN (SELECT d.topic_id FROM documents d JOIN maps m ON m.document_id = d.id WHERE d.topic_id IS NOT NULL)
    -- whoever recorded for it, marked its finds, combined it or gave it to a program uses it as a topic
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = topics.id)
    AND NOT EXISTS (SELECT 1 FROM finds f JOIN feedback ON find_id = f.id WHERE f.topic_id = topics.id)
    AND NOT EXISTS (SELECT 1 FROM combined WHERE topics.id IN (topic_id, member_id))
    AND NOT EXISTS (SELECT 1 FROM tokens WHERE topic_id = topics.id);

-- The topics that people see. Every list of topics for a person, a browser, a program or a night reads it.
CREATE VIEW own_topics AS SELECT id, name, created_at FROM topics WHERE for_map = 0;
