-- Words that pages use for the pages they link to ([THESUS] §5.2), and what was made of them.

-- Pages that hold a link or are linked to, by address after redirects where that is known.
CREATE TABLE link_page (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,   -- results of groupings have numbers of pages and words, so none is used twice
    url  TEXT    NOT NULL UNIQUE,
    site TEXT    NOT NULL,                    -- registrable domain, or the host if it has none
    hash BLOB                                 -- SHA-256 of the content whose links are stored; NULL if none was read
) STRICT;
CREATE INDEX link_page_site ON link_page(site);

-- A page may link to another one several times.
CREATE TABLE link (
    id  INTEGER PRIMARY KEY,
    src INTEGER NOT NULL REFERENCES link_page(id) ON DELETE CASCADE,
    dst INTEGER NOT NULL REFERENCES link_page(id) ON DELETE CASCADE,
    pos INTEGER NOT NULL                      -- bytes of the document in UTF-8 before the link's tag
) STRICT;
CREATE INDEX link_out ON link(src, dst);
CREATE INDEX link_in ON link(dst, src);

-- A word goes with the last link that has it.
CREATE TABLE word (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    word TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE link_word (
    link INTEGER NOT NULL REFERENCES link(id) ON DELETE CASCADE,
    word INTEGER NOT NULL REFERENCES word(id),
    n    INTEGER NOT NULL,                    -- occurrences around the link
    PRIMARY KEY (link, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_word_word ON link_word(word, link, n);

-- Addresses whose links must be read anew or forgotten: of pages whose stored content came, changed or went, and of links'
-- ends that turned out to lead elsewhere. An address that is queued again gets a higher id.
CREATE TABLE link_queue (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    url  TEXT    NOT NULL UNIQUE,
    lost INTEGER NOT NULL DEFAULT 0 CHECK (lost IN (0, 1)) -- content that it had was erased
) STRICT;
CREATE INDEX link_queue_lost ON link_queue(lost) WHERE lost = 1;
CREATE INDEX document_pages_moved ON document_pages(url) WHERE url <> final_url;

-- Whether a crawl that ended has contents that are to be thrown away once their links are read.
ALTER TABLE crawls ADD COLUMN unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1));
CREATE INDEX crawls_unread ON crawls(id) WHERE unread = 1;

CREATE TABLE ontologies (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE COLLATE NOCASE,
    terms      TEXT    NOT NULL,              -- JSON: []ontology.Term, in pre-order
    count      INTEGER NOT NULL,              -- of terms
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE ontology_edits (
    id          INTEGER PRIMARY KEY,
    ontology_id INTEGER NOT NULL REFERENCES ontologies(id) ON DELETE CASCADE,
    at          INTEGER NOT NULL,
    edit        TEXT    NOT NULL,             -- JSON: ontology.Edit
    undo        TEXT    NOT NULL,             -- JSON: the edit that takes it back
    undone      INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
) STRICT;
CREATE INDEX ontology_edits_of ON ontology_edits(ontology_id, id);

-- Pages grouped by what links say about them, or such groups in the making.
CREATE TABLE groupings (
    id          INTEGER PRIMARY KEY,
    scope       TEXT    NOT NULL CHECK (scope IN ('all', 'topic', 'crawl', 'session')),
    scope_id    INTEGER NOT NULL DEFAULT 0,   -- of the topic, crawl or session; 0 for all
    ontology_id INTEGER REFERENCES ontologies(id) ON DELETE CASCADE, -- NULL: by senses of words, or by words
    options     TEXT    NOT NULL,             -- JSON: store.GroupingOptions
    state       TEXT    NOT NULL CHECK (state IN ('working', 'failed', 'done')),
    problem     TEXT    NOT NULL DEFAULT '',  -- why it failed, in words
    stale       TEXT    NOT NULL DEFAULT '',  -- why its result is out of date, in words; '' if it is not
    result      BLOB,                         -- JSON: explore.Result, compressed; NULL until there is one
    created_at  INTEGER NOT NULL,
    ended_at    INTEGER
) STRICT;
CREATE UNIQUE INDEX groupings_of ON groupings(scope, scope_id, coalesce(ontology_id, 0));
CREATE INDEX groupings_ontology ON groupings(ontology_id) WHERE ontology_id IS NOT NULL;
CREATE TRIGGER grouping_topic_gone AFTER DELETE ON topics BEGIN
    DELETE FROM groupings WHERE scope = 'topic' AND scope_id = old.id;
END;
CREATE TRIGGER grouping_crawl_gone AFTER DELETE ON crawls BEGIN
    DELETE FROM groupings WHERE scope = 'crawl' AND scope_id = old.id;
END;
CREATE TRIGGER grouping_session_gone AFTER DELETE ON sessions BEGIN
    DELETE FROM groupings WHERE scope = 'session' AND scope_id = old.id;
END;

-- What links say about a page of a grouping.
CREATE TABLE descriptions (
    grouping_id INTEGER NOT NULL REFERENCES groupings(id) ON DELETE CASCADE,
    page_id     INTEGER NOT NULL REFERENCES link_page(id) ON DELETE CASCADE,
    body        TEXT    NOT NULL,             -- JSON: explore.Description
    PRIMARY KEY (grouping_id, page_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX descriptions_page ON descriptions(page_id);

-- Words that were mapped to terms of the grouping's ontology.
CREATE TABLE term_words (
    grouping_id INTEGER NOT NULL REFERENCES groupings(id) ON DELETE CASCADE,
    term        TEXT    NOT NULL,             -- key of the term
    word        INTEGER NOT NULL REFERENCES word(id) ON DELETE CASCADE,
    pages       INTEGER NOT NULL,             -- for which the word was mapped to the term
    PRIMARY KEY (grouping_id, term, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX term_words_word ON term_words(word);

-- Sets of pages that the person named, as expressions of link operators.
CREATE TABLE saved_sets (
    name       TEXT    PRIMARY KEY COLLATE NOCASE,
    expression TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Expressions that the person ran, for the history of the console.
CREATE TABLE operations (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    at   INTEGER NOT NULL,
    text TEXT    NOT NULL
) STRICT;

-- What changes links. Content whose links are stored is not read again.
CREATE TRIGGER link_visited AFTER INSERT ON pages WHEN new.content_hash IS NOT NULL BEGIN
    DELETE FROM link_queue WHERE url = new.url;
    INSERT INTO link_queue (url) VALUES (new.url);
END;
CREATE TRIGGER link_changed AFTER UPDATE OF content_hash ON pages WHEN old.content_hash IS NOT new.content_hash BEGIN
    DELETE FROM link_queue WHERE url = new.url;
    INSERT INTO link_queue (url, lost) VALUES (new.url, -- an earlier snapshot is still stored unless it was erased
        old.content_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events WHERE content_hash = old.content_hash));
END;
CREATE TRIGGER link_visit_gone AFTER DELETE ON pages BEGIN
    DELETE FROM link_queue WHERE url = old.url;
    INSERT INTO link_queue (url, lost) SELECT old.url, 1
        WHERE EXISTS (SELECT 1 FROM link_page WHERE url = old.url AND hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM pages WHERE url = old.url AND content_hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM fetches WHERE final_url = old.url AND outcome = 'ok' AND content_hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM document_pages WHERE final_url = old.url AND outcome = 'ok' AND content_hash IS NOT NULL);
END;
CREATE TRIGGER link_fetched AFTER INSERT ON fetches WHEN new.outcome = 'ok' AND new.content_hash IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM link_page WHERE url = new.final_url AND hash = new.content_hash) BEGIN
    DELETE FROM link_queue WHERE url = new.final_url;
    INSERT INTO link_queue (url) VALUES (new.final_url);
END;
CREATE TRIGGER link_fetch_moved AFTER INSERT ON fetches WHEN new.outcome = 'ok' AND new.url <> new.final_url
    AND EXISTS (SELECT 1 FROM link_page WHERE url = new.url) BEGIN
    DELETE FROM link_queue WHERE url = new.url;
    INSERT INTO link_queue (url) VALUES (new.url);
END;
CREATE TRIGGER link_fetch_gone AFTER DELETE ON fetches WHEN old.outcome = 'ok' BEGIN
    DELETE FROM link_queue WHERE url = old.final_url;
    INSERT INTO link_queue (url, lost) SELECT old.final_url, 1
        WHERE EXISTS (SELECT 1 FROM link_page WHERE url = old.final_url AND hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM pages WHERE url = old.final_url AND content_hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM fetches WHERE final_url = old.final_url AND outcome = 'ok' AND content_hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM document_pages WHERE final_url = old.final_url AND outcome = 'ok' AND content_hash IS NOT NULL);
END;
CREATE TRIGGER link_document_page AFTER INSERT ON document_pages WHEN new.outcome = 'ok' AND new.content_hash IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM link_page WHERE url = new.final_url AND hash = new.content_hash) BEGIN
    DELETE FROM link_queue WHERE url = new.final_url;
    INSERT INTO link_queue (url) VALUES (new.final_url);
END;
CREATE TRIGGER link_document_moved AFTER INSERT ON document_pages WHEN new.outcome = 'ok' AND new.url <> new.final_url
    AND EXISTS (SELECT 1 FROM link_page WHERE url = new.url) BEGIN
    DELETE FROM link_queue WHERE url = new.url;
    INSERT INTO link_queue (url) VALUES (new.url);
END;
CREATE TRIGGER link_document_gone AFTER DELETE ON document_pages WHEN old.outcome = 'ok' BEGIN
    DELETE FROM link_queue WHERE url = old.final_url;
    INSERT INTO link_queue (url, lost) SELECT old.final_url, 1
        WHERE EXISTS (SELECT 1 FROM link_page WHERE url = old.final_url AND hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM pages WHERE url = old.final_url AND content_hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM fetches WHERE final_url = old.final_url AND outcome = 'ok' AND content_hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM document_pages WHERE final_url = old.final_url AND outcome = 'ok' AND content_hash IS NOT NULL);
END;
CREATE TRIGGER link_fetch_undone AFTER UPDATE OF outcome ON fetches WHEN old.outcome = 'ok' AND new.outcome <> 'ok' BEGIN
    DELETE FROM link_queue WHERE url = old.final_url;
    INSERT INTO link_queue (url, lost) SELECT old.final_url, 1
        WHERE EXISTS (SELECT 1 FROM link_page WHERE url = old.final_url AND hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM pages WHERE url = old.final_url AND content_hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM fetches WHERE final_url = old.final_url AND outcome = 'ok' AND content_hash IS NOT NULL)
        OR EXISTS (SELECT 1 FROM document_pages WHERE final_url = old.final_url AND outcome = 'ok' AND content_hash IS NOT NULL);
END;
CREATE TRIGGER link_visit_moved AFTER INSERT ON visits
    WHEN new.requested <> '' AND EXISTS (SELECT 1 FROM link_page WHERE url = new.requested) BEGIN
    DELETE FROM link_queue WHERE url = new.requested;
    INSERT INTO link_queue (url) VALUES (new.requested);
END;
CREATE TRIGGER link_visit_corrected AFTER UPDATE OF requested, page_id ON visits
    WHEN new.requested <> '' AND (new.requested <> old.requested OR new.page_id <> old.page_id)
    AND EXISTS (SELECT 1 FROM link_page WHERE url = new.requested) BEGIN
    DELETE FROM link_queue WHERE url = new.requested;
    INSERT INTO link_queue (url) VALUES (new.requested);
END;
CREATE TRIGGER groupings_topic_gone AFTER DELETE ON topics BEGIN DELETE FROM groupings WHERE scope = 'topic' AND scope_id = old.id; END;
CREATE TRIGGER groupings_crawl_gone AFTER DELETE ON crawls BEGIN DELETE FROM groupings WHERE scope = 'crawl' AND scope_id = old.id; END;
CREATE TRIGGER groupings_session_gone AFTER DELETE ON sessions BEGIN DELETE FROM groupings WHERE scope = 'session' AND scope_id = old.id; END;
-- What was stored before links were, oldest first.
INSERT INTO link_queue (url) SELECT url FROM pages WHERE content_hash IS NOT NULL
    UNION SELECT final_url FROM fetches WHERE outcome = 'ok' AND content_hash IS NOT NULL
    UNION SELECT final_url FROM document_pages WHERE outcome = 'ok' AND content_hash IS NOT NULL;
