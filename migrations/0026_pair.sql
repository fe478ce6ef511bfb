-- Two strategies that choose from one queue are one strategy that is made of both, and what they know about a link is in one note. It
-- values their queues anew from the stored pages.
UPDATE crawls SET valued = 0 WHERE json_extract(options, '$.second') <> '';
UPDATE frontier SET note = NULL WHERE second IS NOT NULL; -- of the first strategy alone
ALTER TABLE frontier DROP COLUMN second;
ALTER TABLE learned DROP COLUMN second;
