-- Maps of communities: what each is made from, how far it is, and the map itself.

-- The topic that crawls for a document, NULL until its crawl was prepared.
ALTER TABLE documents ADD COLUMN topic_id INTEGER REFERENCES topics(id) ON DELETE SET NULL;
ALTER TABLE documents ADD COLUMN read TEXT NOT NULL DEFAULT '{}';   -- JSON: store.ReadDocument
ALTER TABLE documents ADD COLUMN titles TEXT NOT NULL DEFAULT '[]'; -- JSON: titles to look for, as the person left them
CREATE INDEX documents_topic ON documents(topic_id) WHERE topic_id IS NOT NULL;

-- The positive pages of documents as they were requested. Pages that were stored before are not requested.
CREATE TABLE document_pages (
    document_id  INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    url          TEXT    NOT NULL,
    final_url    TEXT    NOT NULL,
    host         TEXT    NOT NULL,             -- that was asked last
    outcome      TEXT    NOT NULL,             -- crawler/fetch.Outcome
    reason       TEXT    NOT NULL DEFAULT '',
    http_status  INTEGER NOT NULL DEFAULT 0,
    bytes        INTEGER NOT NULL DEFAULT 0,
    title        TEXT    NOT NULL DEFAULT '',
    content_hash BLOB    REFERENCES contents(hash),
    at           INTEGER NOT NULL,
    PRIMARY KEY (document_id, url)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_pages_content ON document_pages(content_hash) WHERE content_hash IS NOT NULL;
CREATE INDEX document_pages_final ON document_pages(final_url);

CREATE TABLE maps (
    id          INTEGER PRIMARY KEY,
    source      TEXT    NOT NULL CHECK (source IN ('document', 'topic', 'crawl')),
    title       TEXT    NOT NULL,
    document_id INTEGER REFERENCES documents(id) ON DELETE CASCADE, -- NULL unless the source is a document
    topic_id    INTEGER REFERENCES topics(id) ON DELETE CASCADE,    -- NULL until a document has its topic
    crawl_id    INTEGER REFERENCES crawls(id) ON DELETE CASCADE,    -- whose pages are shown, NULL until there is one
    earlier_id  INTEGER REFERENCES maps(id) ON DELETE SET NULL,     -- that was made again, NULL for a first map
    options     TEXT    NOT NULL,              -- JSON: store.MapOptions
    step        TEXT    NOT NULL CHECK (step IN ('titles', 'pages', 'training', 'crawl', 'map')),
    state       TEXT    NOT NULL CHECK (state IN ('waiting', 'working', 'failed', 'done')),
    problem     TEXT    NOT NULL DEFAULT '',   -- why it failed or waits, in words
    result      BLOB,                          -- JSON: communities.Result, compressed; NULL until there is a map
    created_at  INTEGER NOT NULL,
    ended_at    INTEGER
) STRICT;
CREATE INDEX maps_document ON maps(document_id) WHERE document_id IS NOT NULL;
CREATE INDEX maps_topic ON maps(topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX maps_crawl ON maps(crawl_id) WHERE crawl_id IS NOT NULL;
CREATE INDEX maps_earlier ON maps(earlier_id) WHERE earlier_id IS NOT NULL;

-- The pages of a map.
CREATE TABLE map_pages (
    map_id      INTEGER NOT NULL REFERENCES maps(id) ON DELETE CASCADE,
    fetch_id    INTEGER NOT NULL REFERENCES fetches(id) ON DELETE CASCADE,
    community   INTEGER NOT NULL,              -- from 1; 0: the page has no telling words; -1: dropped
    similarity  REAL    NOT NULL,              -- cosine with the centre of its community, in [0, 1]
    probability REAL    NOT NULL,              -- calibrated P(c+|p), in [0, 1]
    PRIMARY KEY (map_id, fetch_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX map_pages_fetch ON map_pages(fetch_id);

-- A training that was stopped: the digest of the positive pages that it would have learned from.
ALTER TABLE stopped ADD COLUMN positives TEXT NOT NULL DEFAULT '';
