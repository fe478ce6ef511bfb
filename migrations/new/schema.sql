-- What all migrations together make. Written by go test ./daemon/store -run TestGoldenNew -update

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL                       -- JSON
) STRICT;

CREATE TABLE browsers (
    id         INTEGER PRIMARY KEY,
    client     TEXT    NOT NULL UNIQUE,       -- UUID the extension made for itself
    name       TEXT    NOT NULL,
    origin     TEXT    NOT NULL,              -- pinned at pairing
    key        BLOB    NOT NULL,              -- 32 bytes, HMAC-SHA-256
    paired_at  INTEGER NOT NULL,
    seen_at    INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE TABLE topics (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE COLLATE NOCASE,
    created_at INTEGER NOT NULL
, for_map INTEGER NOT NULL DEFAULT 0 CHECK (for_map IN (0, 1)), queue INTEGER REFERENCES crawls(id) ON DELETE SET NULL, queue_before INTEGER REFERENCES crawls(id) ON DELETE SET NULL, visited INTEGER NOT NULL DEFAULT 1 CHECK (visited IN (0, 1))) STRICT;

CREATE TABLE sessions (
    id         INTEGER PRIMARY KEY,
    uuid       TEXT    NOT NULL UNIQUE,
    topic_id   INTEGER NOT NULL REFERENCES topics(id),
    client     TEXT    NOT NULL,
    status     TEXT    NOT NULL CHECK (status IN ('recording', 'paused', 'submitted', 'discarded')),
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    ended_seq  INTEGER,                       -- seq of the submit or discard that ended it
    problem    TEXT    NOT NULL DEFAULT ''    -- why it could not be trained, in words
, pages INTEGER, useful INTEGER, title TEXT NOT NULL DEFAULT '', joins TEXT NOT NULL DEFAULT '', importing INTEGER NOT NULL DEFAULT 0 CHECK (importing IN (0, 1))) STRICT;

CREATE INDEX sessions_topic ON sessions(topic_id);

CREATE INDEX sessions_client ON sessions(client);

CREATE TABLE erased (
    uuid TEXT    PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE contents (
    hash BLOB    PRIMARY KEY,                 -- SHA-256 of the HTML before compression
    gzip BLOB    NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    id           TEXT    PRIMARY KEY,
    session_id   INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    client       TEXT    NOT NULL,
    seq          INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    type         TEXT    NOT NULL,
    page         TEXT    NOT NULL DEFAULT '', -- page load, '' when the event has none
    body         TEXT    NOT NULL,            -- the event as JSON, without html
    content_hash BLOB    REFERENCES contents(hash), shown TEXT NOT NULL DEFAULT '', sum INTEGER) STRICT;

CREATE INDEX events_session ON events(session_id, client, seq);

CREATE INDEX events_content ON events(content_hash) WHERE content_hash IS NOT NULL;

CREATE TABLE withheld (
    load       TEXT    PRIMARY KEY,           -- UUID of the page load
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    code       TEXT    NOT NULL               -- protocol.PasswordPage or protocol.NeverRecord
) STRICT, WITHOUT ROWID;

CREATE INDEX withheld_session ON withheld(session_id);

CREATE TABLE pages (
    id           INTEGER PRIMARY KEY,
    url          TEXT    NOT NULL UNIQUE,
    title        TEXT    NOT NULL DEFAULT '',
    content_hash BLOB    REFERENCES contents(hash)) STRICT;

CREATE INDEX pages_content ON pages(content_hash) WHERE content_hash IS NOT NULL;

CREATE TABLE visits (
    load       TEXT    PRIMARY KEY,           -- UUID of the page load
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    page_id    INTEGER NOT NULL REFERENCES pages(id),
    requested  TEXT    NOT NULL DEFAULT '',   -- canonical alias, '' when it is the page's own URL
    title      TEXT    NOT NULL DEFAULT '',   -- of the last snapshot that has one, or the visit's
    how        TEXT    NOT NULL,              -- typed, link, …, or frame, iframe
    from_load  TEXT    NOT NULL DEFAULT '',   -- the load it came from; a frame's: the load that holds it
    seq        INTEGER NOT NULL, real_text INTEGER NOT NULL DEFAULT 0 CHECK (real_text IN (0, 1)), media TEXT NOT NULL DEFAULT '') STRICT;

CREATE INDEX visits_session ON visits(session_id, seq);

CREATE INDEX visits_page ON visits(page_id);

CREATE INDEX visits_requested ON visits(requested) WHERE requested <> '';

CREATE TABLE marks (
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    page_id    INTEGER NOT NULL REFERENCES pages(id),
    useful     INTEGER NOT NULL CHECK (useful IN (0, 1)),
    PRIMARY KEY (session_id, page_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE models (
    id         INTEGER PRIMARY KEY,
    topic_id   INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    version    INTEGER NOT NULL,              -- 1, 2, … within the topic
    bundle     BLOB    NOT NULL,              -- model.Bundle.Encode
    facts      TEXT    NOT NULL,              -- JSON: store.ModelFacts
    created_at INTEGER NOT NULL,
    UNIQUE (topic_id, version)
) STRICT;

CREATE TABLE starts (
    topic_id   INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    url        TEXT    NOT NULL,
    source     TEXT    NOT NULL CHECK (source IN ('proposed', 'added')),
    ticked     INTEGER NOT NULL DEFAULT 0 CHECK (ticked IN (0, 1)),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (topic_id, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE crawls (
    id          INTEGER PRIMARY KEY,
    topic_id    INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    model_id    INTEGER NOT NULL REFERENCES models(id),
    night       TEXT    NOT NULL DEFAULT '',  -- local date its window opened (2026-11-21), '' when run by hand
    strategy    TEXT    NOT NULL,
    options     TEXT    NOT NULL,             -- JSON: store.CrawlOptions (budgets, start pages, openings)
    status      TEXT    NOT NULL CHECK (status IN ('waiting', 'running', 'paused', 'ended')),
    stop_reason TEXT    NOT NULL DEFAULT '',  -- one line, in words
    fetched     INTEGER NOT NULL DEFAULT 0,   -- frontier entries attempted
    relevant    INTEGER NOT NULL DEFAULT 0,
    bytes       INTEGER NOT NULL DEFAULT 0,
    spent_ms    INTEGER NOT NULL DEFAULT 0,   -- running time so far
    created_at  INTEGER NOT NULL,
    started_at  INTEGER,
    ended_at    INTEGER
, learned_at INTEGER, learned_pages INTEGER NOT NULL DEFAULT 0, paused TEXT NOT NULL DEFAULT '', strategy_errors INTEGER NOT NULL DEFAULT 0, strategy_error TEXT NOT NULL DEFAULT '', unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1)), early    INTEGER NOT NULL DEFAULT 0, queue INTEGER NOT NULL DEFAULT 0, valued INTEGER NOT NULL DEFAULT 1, last_seq INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX crawls_topic ON crawls(topic_id);

CREATE TABLE fetches (
    id           INTEGER PRIMARY KEY,
    crawl_id     INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    n            INTEGER NOT NULL,            -- 1, 2, … in the crawl
    url          TEXT    NOT NULL,
    final_url    TEXT    NOT NULL,
    host         TEXT    NOT NULL,
    outcome      TEXT    NOT NULL,            -- crawler/fetch.Outcome
    reason       TEXT    NOT NULL DEFAULT '',
    http_status  INTEGER NOT NULL DEFAULT 0,
    bytes        INTEGER NOT NULL DEFAULT 0,
    at           INTEGER NOT NULL,
    parent_id    INTEGER REFERENCES fetches(id) ON DELETE SET NULL,
    depth        INTEGER NOT NULL DEFAULT 0,  -- links from the start page
    anchor       TEXT    NOT NULL DEFAULT '', -- anchor text of the link that was followed
    title        TEXT    NOT NULL DEFAULT '',
    cluster      INTEGER NOT NULL DEFAULT -1, -- -1: no observation
    states       TEXT    NOT NULL DEFAULT '[]', -- JSON: P(T_0), P(T_1), …
    similarity   REAL    NOT NULL DEFAULT 0,
    relevant     INTEGER NOT NULL DEFAULT 0,  -- judged relevant and credited: no copy of a page read before
    cost         INTEGER NOT NULL DEFAULT 1,  -- pages of budget used: 0 for what robots.txt refuses
    text_hash    INTEGER NOT NULL DEFAULT 0,  -- 64 bits of the hash of the page's text, 0 without text
    content_hash BLOB    REFERENCES contents(hash), useful REAL NOT NULL DEFAULT 0, evidence TEXT NOT NULL DEFAULT '[]', why TEXT NOT NULL DEFAULT '[]', simhash INTEGER NOT NULL DEFAULT 0, etag TEXT NOT NULL DEFAULT '', last_modified TEXT NOT NULL DEFAULT '', truncated INTEGER NOT NULL DEFAULT 0, rendered INTEGER NOT NULL DEFAULT 0, credit INTEGER NOT NULL DEFAULT 1, archive_file TEXT NOT NULL DEFAULT '', archive_offset INTEGER NOT NULL DEFAULT 0, signs TEXT NOT NULL DEFAULT '[]', chosen TEXT NOT NULL DEFAULT '', chance   REAL, brought  REAL NOT NULL DEFAULT 0, promised REAL, pick INTEGER NOT NULL DEFAULT 0, worker TEXT NOT NULL DEFAULT '', nofollow INTEGER NOT NULL DEFAULT 0, links INTEGER, look INTEGER,
    UNIQUE (crawl_id, n)
) STRICT;

CREATE INDEX fetches_url ON fetches(crawl_id, url);

CREATE INDEX fetches_parent ON fetches(parent_id) WHERE parent_id IS NOT NULL;

CREATE INDEX fetches_content ON fetches(content_hash) WHERE content_hash IS NOT NULL;

CREATE TABLE frontier (
    crawl_id  INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    url       TEXT    NOT NULL,
    status    TEXT    NOT NULL CHECK (status IN ('queued', 'done', 'dropped')),
    attempts  INTEGER NOT NULL DEFAULT 0,     -- fetches begun; 1 and queued = was in flight at a crash
    priority  TEXT    NOT NULL,               -- JSON: strategy.Priority
    seq       INTEGER NOT NULL,               -- order of insertion
    parent_n  INTEGER NOT NULL DEFAULT 0,     -- n of the fetch whose page holds the link, 0 for a start page
    depth     INTEGER NOT NULL DEFAULT 0,
    anchor    TEXT    NOT NULL DEFAULT '',
    note BLOB, retries INTEGER NOT NULL DEFAULT 0, path BLOB, pick INTEGER NOT NULL DEFAULT 0,    -- JSON: the parent's strategy.PathState
    PRIMARY KEY (crawl_id, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE finds (
    id           INTEGER PRIMARY KEY,
    topic_id     INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    crawl_id     INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    fetch_id     INTEGER NOT NULL REFERENCES fetches(id) ON DELETE CASCADE,
    url          TEXT    NOT NULL,
    title        TEXT    NOT NULL,
    snippet      TEXT    NOT NULL,
    similarity   REAL    NOT NULL,
    found_at     INTEGER NOT NULL, useful REAL NOT NULL DEFAULT 0, mark    TEXT    NOT NULL DEFAULT 'none', visited INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0, asked   INTEGER NOT NULL DEFAULT 0, seen_at INTEGER, list TEXT AS (CASE WHEN asked THEN 'asked' WHEN refused THEN 'refused' WHEN mark <> 'none' THEN mark
    WHEN visited THEN 'visited' WHEN seen_at IS NULL THEN 'new' ELSE 'seen' END) VIRTUAL, changed_at INTEGER, gone_at INTEGER, told_at INTEGER, maybe INTEGER NOT NULL DEFAULT 0,
    UNIQUE (topic_id, url)
) STRICT;

CREATE INDEX finds_crawl ON finds(crawl_id);

CREATE INDEX finds_fetch ON finds(fetch_id);

CREATE TABLE combined (
    topic_id  INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE CHECK (member_id <> topic_id),
    PRIMARY KEY (topic_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX combined_member ON combined(member_id);

CREATE TABLE stopped (
    topic_id INTEGER PRIMARY KEY REFERENCES topics(id) ON DELETE CASCADE,
    sessions TEXT    NOT NULL,                -- JSON: UUIDs, sorted
    feedback INTEGER NOT NULL, milestones TEXT NOT NULL DEFAULT '', positives TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE learned (
    crawl_id INTEGER PRIMARY KEY REFERENCES crawls(id) ON DELETE CASCADE,
    state    BLOB    NOT NULL                 -- strategy.Learner.Snapshot
) STRICT;

CREATE INDEX frontier_begun ON frontier(crawl_id) WHERE attempts > 0 AND status = 'queued';

CREATE INDEX fetches_known ON fetches(final_url) WHERE etag <> '' OR last_modified <> '';

CREATE TABLE resting (
    crawl_id  INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    host      TEXT    NOT NULL,
    strikes   INTEGER NOT NULL,               -- failures in a row
    reason    TEXT    NOT NULL DEFAULT '',    -- why it rests, in words, '' while it is still asked
    PRIMARY KEY (crawl_id, host)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_page ON events(page);

CREATE INDEX marks_page ON marks(page_id);

CREATE TABLE milestones (
    id       INTEGER PRIMARY KEY,
    topic_id INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    at       INTEGER NOT NULL,
    action   TEXT    NOT NULL CHECK (action IN ('name', 'rename', 'delete', 'undo')),
    page_id  INTEGER REFERENCES pages(id) ON DELETE CASCADE,      -- name: the page
    name     TEXT    NOT NULL DEFAULT '',                         -- name: '' takes it back; rename: the old one
    new_name TEXT    NOT NULL DEFAULT '',                         -- rename
    undoes   INTEGER REFERENCES milestones(id) ON DELETE CASCADE  -- undo
) STRICT;

CREATE INDEX milestones_topic ON milestones(topic_id, id);

CREATE INDEX milestones_page ON milestones(page_id) WHERE page_id IS NOT NULL;

CREATE INDEX milestones_undoes ON milestones(undoes) WHERE undoes IS NOT NULL;

CREATE INDEX events_labels ON events(session_id, client, seq) WHERE type = 'label';

CREATE TABLE reasons (
    find_id    INTEGER PRIMARY KEY REFERENCES finds(id) ON DELETE CASCADE,
    words      TEXT    NOT NULL,            -- JSON: words and phrases as the page writes them, the most telling first
    passage    TEXT    NOT NULL,
    like_url   TEXT    NOT NULL DEFAULT '', -- '' when no marked page is like it, or when that page was erased
    like_title TEXT    NOT NULL DEFAULT '',
    like_at    INTEGER NOT NULL DEFAULT 0   -- when the person marked it, 0 when that is not known
) STRICT;

CREATE INDEX reasons_like ON reasons(like_url) WHERE like_url <> '';

CREATE TABLE actions (
    id        INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL,
    kind      TEXT    NOT NULL,               -- the mark given, 'refuse' or 'allow'
    site      TEXT    NOT NULL DEFAULT '',    -- refuse, allow: the site
    undone_at INTEGER
) STRICT;

CREATE INDEX actions_site ON actions(site) WHERE site <> '';

CREATE TABLE refused (
    site TEXT    PRIMARY KEY,
    at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE "feedback" (
    id        INTEGER PRIMARY KEY,
    find_id   INTEGER NOT NULL REFERENCES finds(id) ON DELETE CASCADE,
    mark      TEXT    NOT NULL CHECK (mark IN ('useful', 'not-useful', 'later', 'off-topic', 'none')), -- none: taken back
    at        INTEGER NOT NULL,
    action_id INTEGER REFERENCES actions(id), -- that gave the mark; NULL for marks from before there were actions, and for undoing
    undoes    INTEGER REFERENCES actions(id), -- the action that was undone
    teaches   INTEGER NOT NULL DEFAULT 1      -- whether a training learns anything from it: not from 'later' after 'none'
, sum INTEGER) STRICT;

CREATE INDEX feedback_find ON feedback(find_id, id);

CREATE INDEX feedback_action ON feedback(action_id) WHERE action_id IS NOT NULL;

CREATE INDEX feedback_undoes ON feedback(undoes) WHERE undoes IS NOT NULL;

CREATE INDEX finds_off_topic ON finds(topic_id) WHERE mark = 'off-topic';

CREATE INDEX finds_list ON finds(list, crawl_id DESC, useful DESC, similarity DESC, id DESC);

CREATE INDEX finds_open ON finds(crawl_id DESC, useful DESC, similarity DESC, id DESC)
    WHERE asked = 0 AND refused = 0 AND mark = 'none' AND visited = 0;

CREATE INDEX finds_shown ON finds(crawl_id DESC, useful DESC, similarity DESC, id DESC) WHERE asked = 0 AND refused = 0;

CREATE TABLE find_counts (
    topic_id INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    list     TEXT    NOT NULL,                -- finds.list
    finds    INTEGER NOT NULL,
    PRIMARY KEY (topic_id, list)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER finds_added AFTER INSERT ON finds BEGIN
    INSERT INTO find_counts (topic_id, list, finds) SELECT NEW.topic_id, NEW.list, 0
        WHERE NOT EXISTS (SELECT 1 FROM find_counts WHERE topic_id = NEW.topic_id AND list = NEW.list);
    UPDATE find_counts SET finds = finds + 1 WHERE topic_id = NEW.topic_id AND list = NEW.list;
    UPDATE finds SET visited = 1 WHERE id = NEW.id AND EXISTS (SELECT 1 FROM pages WHERE url = NEW.url);
END;

CREATE TRIGGER finds_deleted AFTER DELETE ON finds BEGIN
    UPDATE find_counts SET finds = finds - 1 WHERE topic_id = OLD.topic_id AND list = OLD.list;
END;

CREATE TRIGGER finds_moved AFTER UPDATE OF topic_id, mark, visited, refused, asked, seen_at ON finds
    WHEN OLD.list <> NEW.list OR OLD.topic_id <> NEW.topic_id BEGIN
    UPDATE find_counts SET finds = finds - 1 WHERE topic_id = OLD.topic_id AND list = OLD.list;
    INSERT INTO find_counts (topic_id, list, finds) SELECT NEW.topic_id, NEW.list, 0
        WHERE NOT EXISTS (SELECT 1 FROM find_counts WHERE topic_id = NEW.topic_id AND list = NEW.list);
    UPDATE find_counts SET finds = finds + 1 WHERE topic_id = NEW.topic_id AND list = NEW.list;
END;

CREATE TRIGGER pages_visited AFTER INSERT ON pages BEGIN
    UPDATE finds SET visited = 1 WHERE url = NEW.url;
END;

CREATE TRIGGER pages_forgotten AFTER DELETE ON pages BEGIN
    UPDATE finds SET visited = 0 WHERE url = OLD.url;
END;

CREATE TABLE questions (
    topic_id  INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    fetch_id  INTEGER NOT NULL REFERENCES fetches(id) ON DELETE CASCADE,
    n         INTEGER NOT NULL,               -- 1 teaches most
    version   INTEGER NOT NULL DEFAULT 0,     -- of the model before the first answer, 0 until then
    answer    TEXT    NOT NULL DEFAULT '',    -- '', 'useful', 'not-useful' or 'skip'
    action_id INTEGER,                        -- that gave the mark
    PRIMARY KEY (topic_id, fetch_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX questions_fetch ON questions(fetch_id);

CREATE INDEX questions_action ON questions(action_id) WHERE action_id IS NOT NULL;

CREATE TABLE pictures (
    session_id INTEGER PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
    of         TEXT    NOT NULL, -- the state of the session's events that it was made of, and the version of its form
    body       BLOB    NOT NULL  -- gzip of JSON
) STRICT;

CREATE TRIGGER pictures_erased AFTER DELETE ON events BEGIN DELETE FROM pictures WHERE session_id = OLD.session_id; END;

CREATE TABLE model_pictures (
    model_id INTEGER PRIMARY KEY REFERENCES models(id) ON DELETE CASCADE,
    of       TEXT    NOT NULL, -- the version of its form
    body     BLOB    NOT NULL  -- gzip of JSON
) STRICT;

CREATE TRIGGER model_pictures_changed AFTER UPDATE OF bundle ON models BEGIN DELETE FROM model_pictures WHERE model_id = NEW.id; END;

CREATE TABLE leads (
    topic_id INTEGER PRIMARY KEY REFERENCES topics(id) ON DELETE CASCADE,
    mark     TEXT    NOT NULL, -- the state of the sessions that it was counted of
    led      TEXT    NOT NULL  -- JSON: address to number
) STRICT;

CREATE TRIGGER leads_erased AFTER DELETE ON visits BEGIN DELETE FROM leads; END;

CREATE TRIGGER leads_unmarked AFTER DELETE ON marks BEGIN DELETE FROM leads; END;

CREATE TABLE search_entries (
    id       INTEGER PRIMARY KEY,                -- rowid in search_words
    url      TEXT    NOT NULL UNIQUE,
    title    TEXT    NOT NULL,
    hash     BLOB,                               -- of the content whose words are in search_words; NULL if there was none
    at       INTEGER NOT NULL,                   -- last visited or fetched
    topic_id INTEGER NOT NULL DEFAULT 0,         -- of the last session or crawl
    page_id  INTEGER NOT NULL DEFAULT 0,         -- 0: not visited
    fetch_id INTEGER NOT NULL DEFAULT 0,         -- 0: not fetched
    find_id  INTEGER NOT NULL DEFAULT 0          -- 0: not found
) STRICT;

CREATE VIRTUAL TABLE search_words USING fts5(title, address, body, tags, content='', contentless_delete=1, tokenize='ascii');

CREATE TABLE search_queue (
    id  INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE search_state (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    deleted INTEGER NOT NULL DEFAULT 0,
    merged  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX fetches_final ON fetches(final_url);

CREATE INDEX fetches_moved ON fetches(url) WHERE url <> final_url;

CREATE INDEX finds_url ON finds(url);

CREATE TRIGGER search_page AFTER INSERT ON pages BEGIN
    DELETE FROM search_queue WHERE url = new.url;
    INSERT INTO search_queue (url) VALUES (new.url);
END;

CREATE TRIGGER search_page_changed AFTER UPDATE OF title, content_hash ON pages BEGIN
    DELETE FROM search_words WHERE rowid = (SELECT id FROM search_entries WHERE url = old.url)
        AND (old.title <> new.title OR old.content_hash IS NOT new.content_hash);
    DELETE FROM search_entries WHERE url = old.url AND (old.title <> new.title OR old.content_hash IS NOT new.content_hash);
    DELETE FROM search_queue WHERE url = new.url;
    INSERT INTO search_queue (url) VALUES (new.url);
END;

CREATE TRIGGER search_fetch AFTER INSERT ON fetches WHEN new.outcome = 'ok' BEGIN
    DELETE FROM search_queue WHERE url = new.final_url;
    INSERT INTO search_queue (url) VALUES (new.final_url);
END;

CREATE TRIGGER search_find AFTER INSERT ON finds BEGIN
    DELETE FROM search_queue WHERE url = new.url;
    INSERT INTO search_queue (url) VALUES (new.url);
END;

CREATE TRIGGER search_mark AFTER INSERT ON marks BEGIN
    DELETE FROM search_queue WHERE url = (SELECT url FROM pages WHERE id = new.page_id);
    INSERT INTO search_queue (url) SELECT url FROM pages WHERE id = new.page_id;
END;

CREATE TRIGGER search_mark_gone AFTER DELETE ON marks BEGIN
    DELETE FROM search_queue WHERE url = (SELECT url FROM pages WHERE id = old.page_id);
    INSERT INTO search_queue (url) SELECT url FROM pages WHERE id = old.page_id;
END;

CREATE TRIGGER search_feedback AFTER INSERT ON feedback BEGIN
    DELETE FROM search_queue WHERE url = (SELECT url FROM finds WHERE id = new.find_id);
    INSERT INTO search_queue (url) SELECT url FROM finds WHERE id = new.find_id;
END;

CREATE TRIGGER search_session AFTER UPDATE OF topic_id ON sessions WHEN new.topic_id <> old.topic_id BEGIN
    DELETE FROM search_queue WHERE url IN (SELECT p.url FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.session_id = new.id);
    INSERT INTO search_queue (url) SELECT DISTINCT p.url FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.session_id = new.id;
END;

CREATE TRIGGER search_page_gone AFTER DELETE ON pages BEGIN
    UPDATE search_state SET deleted = deleted + 1 WHERE id = 1 AND EXISTS (SELECT 1 FROM search_entries WHERE url = old.url);
    DELETE FROM search_words WHERE rowid = (SELECT id FROM search_entries WHERE url = old.url);
    DELETE FROM search_entries WHERE url = old.url;
    DELETE FROM search_queue WHERE url = old.url;
    INSERT INTO search_queue (url) SELECT old.url WHERE EXISTS (SELECT 1 FROM fetches WHERE final_url = old.url);
END;

CREATE TRIGGER search_fetch_gone AFTER DELETE ON fetches WHEN old.outcome = 'ok' BEGIN
    UPDATE search_state SET deleted = deleted + 1 WHERE id = 1 AND EXISTS (SELECT 1 FROM search_entries WHERE url = old.final_url);
    DELETE FROM search_words WHERE rowid = (SELECT id FROM search_entries WHERE url = old.final_url);
    DELETE FROM search_entries WHERE url = old.final_url;
    DELETE FROM search_queue WHERE url = old.final_url;
    INSERT INTO search_queue (url) SELECT old.final_url WHERE EXISTS (SELECT 1 FROM pages WHERE url = old.final_url)
        OR EXISTS (SELECT 1 FROM fetches WHERE final_url = old.final_url);
END;

CREATE TRIGGER search_fetch_undone AFTER UPDATE OF outcome ON fetches WHEN old.outcome = 'ok' AND new.outcome <> 'ok' BEGIN
    UPDATE search_state SET deleted = deleted + 1 WHERE id = 1 AND EXISTS (SELECT 1 FROM search_entries WHERE url = old.final_url);
    DELETE FROM search_words WHERE rowid = (SELECT id FROM search_entries WHERE url = old.final_url);
    DELETE FROM search_entries WHERE url = old.final_url;
    DELETE FROM search_queue WHERE url = old.final_url;
    INSERT INTO search_queue (url) SELECT old.final_url WHERE EXISTS (SELECT 1 FROM pages WHERE url = old.final_url)
        OR EXISTS (SELECT 1 FROM fetches WHERE final_url = old.final_url AND outcome = 'ok');
END;

CREATE TRIGGER search_visit_gone AFTER DELETE ON visits BEGIN
    UPDATE search_state SET deleted = deleted + 1 WHERE id = 1;
END;

CREATE TRIGGER search_find_gone AFTER DELETE ON finds BEGIN
    DELETE FROM search_queue WHERE url = old.url;
    INSERT INTO search_queue (url) SELECT old.url WHERE EXISTS (SELECT 1 FROM search_entries WHERE url = old.url);
END;

CREATE TABLE tokens (
    id         INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE,                            -- the part of the token that names its row
    hash       BLOB    NOT NULL,                                   -- SHA-256 of the token
    name       TEXT    NOT NULL,
    scope      TEXT    NOT NULL CHECK (scope IN ('feed', 'read')),
    topic_id   INTEGER REFERENCES topics(id) ON DELETE CASCADE,    -- of a feed; NULL is every topic
    created_at INTEGER NOT NULL,
    used_at    INTEGER
, may TEXT NOT NULL DEFAULT '' CHECK (may IN ('', 'ask', 'act')), pages INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX tokens_topic ON tokens(topic_id) WHERE topic_id IS NOT NULL;

CREATE TABLE discarded (
    uuid      TEXT    PRIMARY KEY,
    id        INTEGER NOT NULL,               -- that it had in sessions
    client    TEXT    NOT NULL,
    ended_seq INTEGER NOT NULL                -- seq of the discard
) STRICT, WITHOUT ROWID;

CREATE INDEX discarded_client ON discarded(client, id);

CREATE TABLE changes (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    kind   TEXT    NOT NULL,                  -- store.ChangeName, …
    data   TEXT    NOT NULL,                  -- JSON; by kind
    undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
) STRICT;

CREATE TABLE documents (
    id         INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE,       -- the same for the same document, such as a hash of its bytes
    title      TEXT    NOT NULL,
    source     TEXT    NOT NULL,              -- the address or the name of the file
    created_at INTEGER NOT NULL
, topic_id INTEGER REFERENCES topics(id) ON DELETE SET NULL, read TEXT NOT NULL DEFAULT '{}', titles TEXT NOT NULL DEFAULT '[]') STRICT;

CREATE TABLE title_queries (
    id       INTEGER PRIMARY KEY,
    provider TEXT    NOT NULL,                -- address of the instance
    text     TEXT    NOT NULL,                -- as it was sent
    state    TEXT    NOT NULL CHECK (state IN ('sent', 'answered', 'refused')),
    UNIQUE (provider, text)
) STRICT;

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

CREATE INDEX documents_topic ON documents(topic_id) WHERE topic_id IS NOT NULL;

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

CREATE TABLE map_pages (
    map_id      INTEGER NOT NULL REFERENCES maps(id) ON DELETE CASCADE,
    fetch_id    INTEGER NOT NULL REFERENCES fetches(id) ON DELETE CASCADE,
    community   INTEGER NOT NULL,              -- from 1; 0: the page has no telling words; -1: dropped
    similarity  REAL    NOT NULL,              -- cosine with the centre of its community, in [0, 1]
    probability REAL    NOT NULL,              -- calibrated P(c+|p), in [0, 1]
    PRIMARY KEY (map_id, fetch_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX map_pages_fetch ON map_pages(fetch_id);

CREATE TABLE link_page (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,   -- results of groupings have numbers of pages and words, so none is used twice
    url  TEXT    NOT NULL UNIQUE,
    site TEXT    NOT NULL,                    -- registrable domain, or the host if it has none
    hash BLOB                                 -- SHA-256 of the content whose links are stored; NULL if none was read
) STRICT;

CREATE INDEX link_page_site ON link_page(site);

CREATE TABLE link (
    id  INTEGER PRIMARY KEY,
    src INTEGER NOT NULL REFERENCES link_page(id) ON DELETE CASCADE,
    dst INTEGER NOT NULL REFERENCES link_page(id) ON DELETE CASCADE,
    pos INTEGER NOT NULL                      -- bytes of the document in UTF-8 before the link's tag
) STRICT;

CREATE INDEX link_out ON link(src, dst);

CREATE INDEX link_in ON link(dst, src);

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

CREATE TABLE link_queue (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    url  TEXT    NOT NULL UNIQUE,
    lost INTEGER NOT NULL DEFAULT 0 CHECK (lost IN (0, 1)) -- content that it had was erased
) STRICT;

CREATE INDEX link_queue_lost ON link_queue(lost) WHERE lost = 1;

CREATE INDEX document_pages_moved ON document_pages(url) WHERE url <> final_url;

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

CREATE TABLE descriptions (
    grouping_id INTEGER NOT NULL REFERENCES groupings(id) ON DELETE CASCADE,
    page_id     INTEGER NOT NULL REFERENCES link_page(id) ON DELETE CASCADE,
    body        TEXT    NOT NULL,             -- JSON: explore.Description
    PRIMARY KEY (grouping_id, page_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX descriptions_page ON descriptions(page_id);

CREATE TABLE term_words (
    grouping_id INTEGER NOT NULL REFERENCES groupings(id) ON DELETE CASCADE,
    term        TEXT    NOT NULL,             -- key of the term
    word        INTEGER NOT NULL REFERENCES word(id) ON DELETE CASCADE,
    pages       INTEGER NOT NULL,             -- for which the word was mapped to the term
    PRIMARY KEY (grouping_id, term, word)
) STRICT, WITHOUT ROWID;

CREATE INDEX term_words_word ON term_words(word);

CREATE TABLE saved_sets (
    name       TEXT    PRIMARY KEY COLLATE NOCASE,
    expression TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operations (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    at   INTEGER NOT NULL,
    text TEXT    NOT NULL
) STRICT;

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

CREATE INDEX sessions_joins ON sessions(joins) WHERE joins <> '';

CREATE INDEX visits_pdf ON visits(session_id, page_id) WHERE media = 'pdf';

CREATE TABLE readings (
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    page_id    INTEGER NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
    tries      INTEGER NOT NULL,
    next_at    INTEGER,                       -- of the next attempt; NULL when it was given up
    reason     TEXT    NOT NULL,              -- why the last attempt did not succeed, in words
    PRIMARY KEY (session_id, page_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX readings_page ON readings(page_id);

CREATE INDEX events_said_of_links ON events(session_id, seq) WHERE type IN ('link-useful', 'link-not-useful');

CREATE TRIGGER pictures_together_erased AFTER DELETE ON events BEGIN
    DELETE FROM pictures WHERE session_id IN (
        SELECT o.id FROM sessions s JOIN sessions o ON o.uuid = s.joins WHERE s.id = old.session_id AND s.joins <> ''
        UNION SELECT o.id FROM sessions s JOIN sessions o ON o.joins <> '' AND o.joins = iif(s.joins = '', s.uuid, s.joins)
            WHERE s.id = old.session_id);
END;

CREATE TABLE forecasts (
    crawl_id INTEGER PRIMARY KEY REFERENCES crawls(id) ON DELETE CASCADE,
    made_at  INTEGER NOT NULL,
    pages    INTEGER NOT NULL,                -- of its budget; 0 means no limit
    expected REAL    NOT NULL,                -- useful pages: the median of the prediction
    low      REAL    NOT NULL,                -- the 10th percentile
    high     REAL    NOT NULL CHECK (low <= expected AND expected <= high), -- the 90th percentile
    version  INTEGER NOT NULL,                -- forecast.Version of the estimate
    inputs   TEXT    NOT NULL                 -- JSON: forecast.Inputs, numbers only
) STRICT;

CREATE INDEX fetches_picks ON fetches(crawl_id, pick) WHERE pick <> 0;

CREATE TABLE topic_strategies (
    id        INTEGER PRIMARY KEY,
    topic_id  INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    at        INTEGER NOT NULL,
    chosen_by TEXT    NOT NULL CHECK (chosen_by IN ('nights', 'you')), -- what the nights brought, or the person
    strategy  TEXT    NOT NULL,               -- '' for that of the settings
    second    TEXT    NOT NULL,               -- that is compared with it; '' for that of the settings
    fixed     INTEGER NOT NULL CHECK (fixed IN (0, 1)), -- the nights may not change it
    verdict   TEXT    NOT NULL DEFAULT ''     -- JSON: arms.Verdict, why the nights chose; '' if they did not
) STRICT;

CREATE INDEX topic_strategies_topic ON topic_strategies(topic_id, id);

CREATE TABLE hosts (
    host        TEXT    PRIMARY KEY,            -- weburl.Host
    open        INTEGER NOT NULL DEFAULT 0 CHECK (open IN (0, 1)), -- requests may have been sent that this row does not know of
    asked_at    INTEGER NOT NULL DEFAULT 0,     -- start of the last known request; 0 for none
    set_at      INTEGER NOT NULL DEFAULT 0,     -- when not_before was worked out, by the same clock
    not_before  INTEGER NOT NULL DEFAULT 0,     -- earliest start of the next request
    why         TEXT    NOT NULL DEFAULT '',    -- crawler/fetch.Rest, why it is later than the usual pause; '' if it is not
    busy        INTEGER NOT NULL DEFAULT 0,     -- answers in a row that said it was too busy
    failed      INTEGER NOT NULL DEFAULT 0,     -- requests in a row without answer, or with a server error
    delay_ms    INTEGER NOT NULL DEFAULT 0,     -- Crawl-delay of its robots.txt; 0 for none
    probed_at   INTEGER NOT NULL DEFAULT 0,     -- when a page was requested that cannot exist; 0 for never
    missing     BLOB) STRICT, WITHOUT ROWID;

CREATE TABLE robots (
    origin   TEXT    PRIMARY KEY,               -- scheme, host and port
    host     TEXT    NOT NULL,                  -- weburl.Host
    read_at  INTEGER NOT NULL,
    keep_ms  INTEGER NOT NULL,                  -- how long it holds from then on
    body     BLOB,                              -- gzip of the file, of nothing for a missing one; NULL: no page may be requested
    outcome  TEXT    NOT NULL DEFAULT '',       -- crawler/fetch.Outcome, why no page may be requested
    reason   TEXT    NOT NULL DEFAULT ''        -- the same for people
) STRICT, WITHOUT ROWID;

CREATE TABLE unsound (
    kind     TEXT    NOT NULL CHECK (kind IN ('event', 'content', 'model', 'feedback')),
    row      TEXT    NOT NULL,                  -- its key; the hash of a content in hexadecimal
    found_at INTEGER NOT NULL,
    PRIMARY KEY (kind, row)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_changed AFTER UPDATE OF at, type, page, body, content_hash, shown ON events BEGIN
    UPDATE events SET sum = NULL WHERE id = NEW.id AND NEW.sum IS OLD.sum;
    DELETE FROM unsound WHERE kind = 'event' AND row = NEW.id;
END;

CREATE TRIGGER unsound_event_gone AFTER DELETE ON events BEGIN DELETE FROM unsound WHERE kind = 'event' AND row = OLD.id; END;

CREATE TRIGGER unsound_content_gone AFTER DELETE ON contents BEGIN
    DELETE FROM unsound WHERE kind = 'content' AND row = lower(hex(OLD.hash));
END;

CREATE TRIGGER unsound_model_gone AFTER DELETE ON models BEGIN DELETE FROM unsound WHERE kind = 'model' AND row = CAST(OLD.id AS TEXT); END;

CREATE TRIGGER unsound_model_new AFTER UPDATE OF bundle ON models BEGIN
    DELETE FROM unsound WHERE kind = 'model' AND row = CAST(NEW.id AS TEXT);
END;

CREATE TRIGGER unsound_feedback_gone AFTER DELETE ON feedback BEGIN
    DELETE FROM unsound WHERE kind = 'feedback' AND row = CAST(OLD.id AS TEXT);
END;

CREATE TRIGGER pictures_changed AFTER UPDATE OF id, session_id, client, seq, at, type, page, body, content_hash, shown ON events BEGIN
    DELETE FROM pictures WHERE session_id IN (OLD.session_id, NEW.session_id);
END;

CREATE TRIGGER pictures_together_changed AFTER UPDATE OF id, session_id, client, seq, at, type, page, body, content_hash, shown ON events BEGIN
    DELETE FROM pictures WHERE session_id IN (
        SELECT o.id FROM sessions s JOIN sessions o ON o.uuid = s.joins WHERE s.id = old.session_id AND s.joins <> ''
        UNION SELECT o.id FROM sessions s JOIN sessions o ON o.joins <> '' AND o.joins = iif(s.joins = '', s.uuid, s.joins)
            WHERE s.id = old.session_id);
END;

CREATE TABLE tombstones (
    hash BLOB    PRIMARY KEY,                   -- the first 16 bytes of SHA-256: of the id of a page load, of an event about a link, or of a host
    at   INTEGER NOT NULL                       -- of a host: what is older is not stored, and those below it; 0 for the others
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_hosts ON tombstones(at) WHERE at > 0;

CREATE TABLE erasings (
    id       INTEGER PRIMARY KEY,
    host     TEXT    NOT NULL,                  -- '' once nothing of it is left to do
    step     TEXT    NOT NULL CHECK (step IN ('rows', 'contents', 'archive', 'scrub', 'check', 'done')),
    after    BLOB    NOT NULL DEFAULT x'',      -- contents: hash of the last one that was looked through
    counts   TEXT    NOT NULL DEFAULT '{}',     -- JSON: store.ErasingCounts
    problem  TEXT    NOT NULL DEFAULT '',       -- why it waits, in words
    began_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;

CREATE TABLE tasks (
    id          TEXT    PRIMARY KEY,            -- random
    crawl_id    INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    url         TEXT    NOT NULL,               -- of the link
    final_url   TEXT    NOT NULL,               -- that was granted last: url, or where its redirects led
    host        TEXT    NOT NULL,               -- weburl.Host of final_url
    state       TEXT    NOT NULL CHECK (state IN ('waiting', 'granted', 'arrived', 'committed', 'cancelled', 'lost')),
    attempt     INTEGER NOT NULL DEFAULT 0,     -- of the last grant: 1, 2, …
    lost        INTEGER NOT NULL DEFAULT 0,     -- grants of final_url whose lease ended without a result
    moved       INTEGER NOT NULL DEFAULT 0,     -- the last attempt that brought the result, or a redirect to another host: its fetch is over
    worker      TEXT    NOT NULL DEFAULT '',    -- workers.name that it was granted to; '' for this machine
    granted_at  INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER NOT NULL DEFAULT 0,
    delay_ms    INTEGER NOT NULL DEFAULT 0,     -- pause of the host after the fetch
    hops        BLOB,                           -- results of the redirects to other hosts so far; NULL for none
    result      BLOB                            -- as it arrived; NULL before, and once it was used
) STRICT;

CREATE UNIQUE INDEX tasks_open ON tasks(crawl_id, url) WHERE state IN ('waiting', 'granted', 'arrived');

CREATE INDEX tasks_over ON tasks(lease_until) WHERE state IN ('committed', 'cancelled', 'lost');

CREATE TABLE workers (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,         -- given by the person
    key        TEXT    NOT NULL,                -- public nkey
    invited_at INTEGER NOT NULL,
    joined_at  INTEGER,                         -- of its first hello
    seen_at    INTEGER,
    revoked_at INTEGER,
    paused     INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)), -- it gets no tasks
    program    TEXT    NOT NULL DEFAULT '',     -- version of Nightjar, of its last hello
    pages      INTEGER NOT NULL DEFAULT 0,      -- results that were accepted
    bytes      INTEGER NOT NULL DEFAULT 0,      -- of their requests, on the wire
    outcomes   TEXT    NOT NULL DEFAULT '{}',   -- JSON: number of pages by crawler/fetch.Outcome
    lost       INTEGER NOT NULL DEFAULT 0,      -- tasks whose lease ended without a result
    duplicates INTEGER NOT NULL DEFAULT 0,      -- results that came again
    unknown    INTEGER NOT NULL DEFAULT 0,      -- results of tasks that are not there or were cancelled
    refused    INTEGER NOT NULL DEFAULT 0,      -- results that are malformed or do not answer their task
    compared   INTEGER NOT NULL DEFAULT 0,      -- pages that this machine fetched again
    differing  INTEGER NOT NULL DEFAULT 0,      -- of them those that were different
    error      TEXT    NOT NULL DEFAULT '',     -- the last one, for people
    error_at   INTEGER
) STRICT;

CREATE TABLE "contacts" (
    crawl_id  INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    host      TEXT    NOT NULL,
    purpose   TEXT    NOT NULL,                 -- crawler/fetch.Purpose
    requests  INTEGER NOT NULL DEFAULT 0,
    failed    INTEGER NOT NULL DEFAULT 0,       -- of them without a whole answer
    bytes     INTEGER NOT NULL DEFAULT 0,       -- of bodies, on the wire
    first_at  INTEGER NOT NULL,
    last_at   INTEGER NOT NULL,
    worker    TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (crawl_id, host, purpose, worker)
) STRICT, WITHOUT ROWID;

CREATE INDEX fetches_text ON fetches(text_hash) WHERE text_hash <> 0;

CREATE VIEW own_topics AS SELECT id, name, created_at FROM topics WHERE for_map = 0;

CREATE INDEX crawls_queue ON crawls(queue);

CREATE TRIGGER crawls_begin AFTER INSERT ON crawls WHEN NEW.queue = 0 BEGIN
    UPDATE crawls SET queue = NEW.id WHERE id = NEW.id;
END;

CREATE INDEX frontier_picked ON frontier(crawl_id) WHERE pick <> 0 AND status = 'queued';

CREATE INDEX frontier_best ON frontier(crawl_id, status,
    ~(coalesce(json_extract(priority, '$[0]'), 0) * 4294967296 + (coalesce(json_extract(priority, '$[1]'), 0) + 2147483648)), seq);

CREATE INDEX finds_changed ON finds(id) WHERE changed_at IS NOT NULL OR gone_at IS NOT NULL;

CREATE INDEX fetches_visited ON fetches(crawl_id) WHERE outcome = 'visited';

CREATE TABLE lists (
    host TEXT    PRIMARY KEY,  -- weburl.Host
    at   INTEGER NOT NULL,     -- when the first of its sitemaps was read
    list BLOB    NOT NULL      -- gzip of JSON: fetch.HostList
) STRICT;

CREATE TRIGGER feedback_given AFTER INSERT ON feedback BEGIN
    UPDATE finds SET mark = NEW.mark, asked = iif(maybe, NEW.mark = 'none', asked) WHERE id = NEW.find_id;
END;

CREATE TABLE import_events (
    id    INTEGER PRIMARY KEY,
    event BLOB NOT NULL             -- session.Event.Pack
) STRICT;

CREATE TABLE orders (                          -- what programs asked for
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- a program may ask for one that was deleted
    token_id   INTEGER,                        -- NULL once it was revoked
    program    TEXT    NOT NULL,               -- name of the token
    topic_id   INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    pages      INTEGER NOT NULL DEFAULT 0,     -- of a search: at most; 0 for a mark
    mark       TEXT    NOT NULL DEFAULT '',    -- of a mark
    find_id    INTEGER REFERENCES finds(id) ON DELETE CASCADE,
    action_id  INTEGER REFERENCES actions(id) ON DELETE SET NULL,
    crawl_id   INTEGER REFERENCES crawls(id) ON DELETE SET NULL,
    state      TEXT    NOT NULL CHECK (state IN ('waiting', 'accepted', 'declined', 'withdrawn', 'failed')),
    problem    TEXT    NOT NULL DEFAULT '',    -- failed: why, for people
    asked_at   INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX orders_waiting ON orders(state) WHERE state = 'waiting';

CREATE INDEX orders_topic ON orders(topic_id);

CREATE INDEX orders_find ON orders(find_id) WHERE find_id IS NOT NULL;

CREATE INDEX orders_action ON orders(action_id) WHERE action_id IS NOT NULL;

CREATE INDEX orders_crawl ON orders(crawl_id) WHERE crawl_id IS NOT NULL;

CREATE TRIGGER tokens_revoked AFTER DELETE ON tokens BEGIN
    UPDATE orders SET token_id = NULL, state = iif(state = 'waiting', 'withdrawn', state) WHERE token_id = OLD.id;
END;

INSERT INTO search_state VALUES (1, 0, 0);

INSERT INTO sqlite_sequence VALUES ('link_queue', 0);

INSERT INTO sqlite_sequence VALUES ('search_queue', 0);

PRAGMA user_version = 29;
