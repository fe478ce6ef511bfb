-- Columns that only tests read.
ALTER TABLE contents DROP COLUMN size;
ALTER TABLE erased DROP COLUMN at;
