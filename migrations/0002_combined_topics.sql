-- A combined topic learns from what its members' sessions and marked finds hold, beside its own. A member is never a
-- combined topic itself.
CREATE TABLE combined (
    topic_id  INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE CHECK (member_id <> topic_id),
    PRIMARY KEY (topic_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX combined_member ON combined(member_id);

-- Trainings that the person stopped, with what they would have learned from: while nothing else has come, they are not
-- begun again unasked.
CREATE TABLE stopped (
    topic_id INTEGER PRIMARY KEY REFERENCES topics(id) ON DELETE CASCADE,
    sessions TEXT    NOT NULL,                -- JSON: UUIDs, sorted
    feedback INTEGER NOT NULL,                -- id of the last mark on a find
    at       INTEGER NOT NULL
) STRICT;
