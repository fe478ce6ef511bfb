-- What the ingest of an event looks up: the events of a page load, and the marks on a page. The index on page loads left
-- out events without one, and SQLite does not use such an index for page = ?: each event made it read all of them.
DROP INDEX events_page;
CREATE INDEX events_page ON events(page);
CREATE INDEX marks_page ON marks(page_id);
