-- What people do in their browsers.

-- Several browsers may record one session together. Each records a session of its own; those that belong together name the
-- first of them, which has '' itself.
ALTER TABLE sessions ADD COLUMN joins TEXT NOT NULL DEFAULT '';   -- UUID of a session
CREATE INDEX sessions_joins ON sessions(joins) WHERE joins <> '';
