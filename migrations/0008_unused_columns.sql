-- Columns that were written and never read.
ALTER TABLE fetches DROP COLUMN took_ms;
ALTER TABLE fetches DROP COLUMN not_modified;
ALTER TABLE stopped DROP COLUMN at;
