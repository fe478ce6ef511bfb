-- Documents, what a search provider answered to their titles, and the pages that their classifiers learn from.
CREATE TABLE documents (
    id         INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE,       -- the same for the same document, such as a hash of its bytes
    title      TEXT    NOT NULL,
    source     TEXT    NOT NULL,              -- the address or the name of the file
    created_at INTEGER NOT NULL
) STRICT;

-- A title as it was sent to a provider. The row is there before the query is sent, so that no query is sent twice.
CREATE TABLE title_queries (
    id       INTEGER PRIMARY KEY,
    provider TEXT    NOT NULL,                -- address of the instance
    text     TEXT    NOT NULL,                -- as it was sent
    state    TEXT    NOT NULL CHECK (state IN ('sent', 'answered', 'refused')),
    UNIQUE (provider, text)
) STRICT;
-- Each request that was sent.
CREATE TABLE title_requests (
    id          INTEGER PRIMARY KEY,
    query_id    INTEGER NOT NULL REFERENCES title_queries(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX title_requests_query ON title_requests(query_id, at);
CREATE INDEX title_requests_document ON title_requests(document_id);
CREATE TABLE title_hits (
    query_id INTEGER NOT NULL REFERENCES title_queries(id) ON DELETE CASCADE,
    n        INTEGER NOT NULL,                -- 1 is the best
    url      TEXT    NOT NULL,
    title    TEXT    NOT NULL,
    snippet  TEXT    NOT NULL,
    PRIMARY KEY (query_id, n)
) STRICT, WITHOUT ROWID;

-- The positive pages of a document.
CREATE TABLE positives (
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    url         TEXT    NOT NULL,
    n           INTEGER NOT NULL,             -- place in the list, from 1
    title       TEXT    NOT NULL,
    snippet     TEXT    NOT NULL,
    reasons     TEXT    NOT NULL,             -- JSON: store.PositiveReason
    left_out    INTEGER NOT NULL DEFAULT 0 CHECK (left_out IN (0, 1)), -- by the person
    PRIMARY KEY (document_id, url)
) STRICT, WITHOUT ROWID;
