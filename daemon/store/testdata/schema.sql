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

CREATE TABLE combined (
    topic_id  INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE CHECK (member_id <> topic_id),
    PRIMARY KEY (topic_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE contacts (
    crawl_id  INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    host      TEXT    NOT NULL,
    purpose   TEXT    NOT NULL,               -- crawler/fetch.Purpose
    requests  INTEGER NOT NULL DEFAULT 0,
    failed    INTEGER NOT NULL DEFAULT 0,     -- of them without a whole answer
    bytes     INTEGER NOT NULL DEFAULT 0,     -- of bodies, on the wire
    first_at  INTEGER NOT NULL,
    last_at   INTEGER NOT NULL,
    PRIMARY KEY (crawl_id, host, purpose)
) STRICT, WITHOUT ROWID;

CREATE TABLE contents (
    hash BLOB    PRIMARY KEY,                 -- SHA-256 of the HTML before compression
    gzip BLOB    NOT NULL) STRICT, WITHOUT ROWID;

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
, learned_at INTEGER, learned_pages INTEGER NOT NULL DEFAULT 0, paused TEXT NOT NULL DEFAULT '', strategy_errors INTEGER NOT NULL DEFAULT 0, strategy_error TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE erased (
    uuid TEXT    PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    id           TEXT    PRIMARY KEY,
    session_id   INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    client       TEXT    NOT NULL,
    seq          INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    type         TEXT    NOT NULL,
    page         TEXT    NOT NULL DEFAULT '', -- page load, '' when the event has none
    body         TEXT    NOT NULL,            -- the event as JSON, without html
    content_hash BLOB    REFERENCES contents(hash), shown TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE feedback (
    id      INTEGER PRIMARY KEY,
    find_id INTEGER NOT NULL REFERENCES finds(id) ON DELETE CASCADE,
    mark    TEXT    NOT NULL CHECK (mark IN ('useful', 'not-useful', 'none')), -- none: taken back
    at      INTEGER NOT NULL
) STRICT;

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
    content_hash BLOB    REFERENCES contents(hash), useful REAL NOT NULL DEFAULT 0, evidence TEXT NOT NULL DEFAULT '[]', why TEXT NOT NULL DEFAULT '[]', simhash INTEGER NOT NULL DEFAULT 0, etag TEXT NOT NULL DEFAULT '', last_modified TEXT NOT NULL DEFAULT '', truncated INTEGER NOT NULL DEFAULT 0, rendered INTEGER NOT NULL DEFAULT 0, credit INTEGER NOT NULL DEFAULT 1, archive_file TEXT NOT NULL DEFAULT '', archive_offset INTEGER NOT NULL DEFAULT 0, signs TEXT NOT NULL DEFAULT '[]',
    UNIQUE (crawl_id, n)
) STRICT;

CREATE TABLE finds (
    id           INTEGER PRIMARY KEY,
    topic_id     INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    crawl_id     INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    fetch_id     INTEGER NOT NULL REFERENCES fetches(id) ON DELETE CASCADE,
    url          TEXT    NOT NULL,
    title        TEXT    NOT NULL,
    snippet      TEXT    NOT NULL,
    similarity   REAL    NOT NULL,
    found_at     INTEGER NOT NULL, useful REAL NOT NULL DEFAULT 0,
    UNIQUE (topic_id, url)
) STRICT;

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
    note BLOB, retries INTEGER NOT NULL DEFAULT 0, path BLOB,    -- JSON: the parent's strategy.PathState
    PRIMARY KEY (crawl_id, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE learned (
    crawl_id INTEGER PRIMARY KEY REFERENCES crawls(id) ON DELETE CASCADE,
    state    BLOB    NOT NULL                 -- strategy.Learner.Snapshot
) STRICT;

CREATE TABLE marks (
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    page_id    INTEGER NOT NULL REFERENCES pages(id),
    useful     INTEGER NOT NULL CHECK (useful IN (0, 1)),
    PRIMARY KEY (session_id, page_id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE models (
    id         INTEGER PRIMARY KEY,
    topic_id   INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    version    INTEGER NOT NULL,              -- 1, 2, … within the topic
    bundle     BLOB    NOT NULL,              -- model.Bundle.Encode
    facts      TEXT    NOT NULL,              -- JSON: store.ModelFacts
    created_at INTEGER NOT NULL,
    UNIQUE (topic_id, version)
) STRICT;

CREATE TABLE pages (
    id           INTEGER PRIMARY KEY,
    url          TEXT    NOT NULL UNIQUE,
    title        TEXT    NOT NULL DEFAULT '',
    content_hash BLOB    REFERENCES contents(hash)) STRICT;

CREATE TABLE resting (
    crawl_id  INTEGER NOT NULL REFERENCES crawls(id) ON DELETE CASCADE,
    host      TEXT    NOT NULL,
    strikes   INTEGER NOT NULL,               -- failures in a row
    reason    TEXT    NOT NULL DEFAULT '',    -- why it rests, in words, '' while it is still asked
    PRIMARY KEY (crawl_id, host)
) STRICT, WITHOUT ROWID;

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
, pages INTEGER, useful INTEGER) STRICT;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL                       -- JSON
) STRICT;

CREATE TABLE starts (
    topic_id   INTEGER NOT NULL REFERENCES topics(id) ON DELETE CASCADE,
    url        TEXT    NOT NULL,
    source     TEXT    NOT NULL CHECK (source IN ('proposed', 'added')),
    ticked     INTEGER NOT NULL DEFAULT 0 CHECK (ticked IN (0, 1)),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (topic_id, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE stopped (
    topic_id INTEGER PRIMARY KEY REFERENCES topics(id) ON DELETE CASCADE,
    sessions TEXT    NOT NULL,                -- JSON: UUIDs, sorted
    feedback INTEGER NOT NULL, milestones TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE topics (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE COLLATE NOCASE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE visits (
    load       TEXT    PRIMARY KEY,           -- UUID of the page load
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    page_id    INTEGER NOT NULL REFERENCES pages(id),
    requested  TEXT    NOT NULL DEFAULT '',   -- canonical alias, '' when it is the page's own URL
    title      TEXT    NOT NULL DEFAULT '',   -- of the last snapshot that has one, or the visit's
    how        TEXT    NOT NULL,              -- typed, link, …, or frame, iframe
    from_load  TEXT    NOT NULL DEFAULT '',   -- the load it came from; a frame's: the load that holds it
    seq        INTEGER NOT NULL, real_text INTEGER NOT NULL DEFAULT 0 CHECK (real_text IN (0, 1))) STRICT;

CREATE TABLE withheld (
    load       TEXT    PRIMARY KEY,           -- UUID of the page load
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    code       TEXT    NOT NULL               -- protocol.PasswordPage or protocol.NeverRecord
) STRICT, WITHOUT ROWID;

CREATE INDEX combined_member ON combined(member_id);

CREATE INDEX crawls_topic ON crawls(topic_id);

CREATE INDEX events_content ON events(content_hash) WHERE content_hash IS NOT NULL;

CREATE INDEX events_labels ON events(session_id, client, seq) WHERE type = 'label';

CREATE INDEX events_page ON events(page);

CREATE INDEX events_session ON events(session_id, client, seq);

CREATE INDEX feedback_find ON feedback(find_id, id);

CREATE INDEX fetches_content ON fetches(content_hash) WHERE content_hash IS NOT NULL;

CREATE INDEX fetches_known ON fetches(final_url) WHERE etag <> '' OR last_modified <> '';

CREATE INDEX fetches_parent ON fetches(parent_id) WHERE parent_id IS NOT NULL;

CREATE INDEX fetches_url ON fetches(crawl_id, url);

CREATE INDEX finds_crawl ON finds(crawl_id);

CREATE INDEX finds_fetch ON finds(fetch_id);

CREATE INDEX frontier_begun ON frontier(crawl_id) WHERE attempts > 0 AND status = 'queued';

CREATE INDEX frontier_status ON frontier(crawl_id, status);

CREATE INDEX marks_page ON marks(page_id);

CREATE INDEX milestones_page ON milestones(page_id) WHERE page_id IS NOT NULL;

CREATE INDEX milestones_topic ON milestones(topic_id, id);

CREATE INDEX milestones_undoes ON milestones(undoes) WHERE undoes IS NOT NULL;

CREATE INDEX pages_content ON pages(content_hash) WHERE content_hash IS NOT NULL;

CREATE INDEX sessions_client ON sessions(client);

CREATE INDEX sessions_topic ON sessions(topic_id);

CREATE INDEX visits_page ON visits(page_id);

CREATE INDEX visits_requested ON visits(requested) WHERE requested <> '';

CREATE INDEX visits_session ON visits(session_id, seq);

CREATE INDEX withheld_session ON withheld(session_id);
