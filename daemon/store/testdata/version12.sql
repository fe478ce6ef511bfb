-- Rows as version 12 had them, after those of version 11.
UPDATE fetches SET signs = '[0.5,0.25]' WHERE id = 1;
