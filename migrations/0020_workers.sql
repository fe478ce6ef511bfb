-- Other machines may fetch and parse pages; what is decided and stored stays here.

-- What crawls gave to workers. The fetch of a row runs at the latest until lease_until; its host is left alone until then.
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

-- The machines that may ask for tasks.
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

-- Who fetched a page and sent the requests; '' for this machine.
ALTER TABLE fetches ADD COLUMN worker TEXT NOT NULL DEFAULT '';
CREATE TABLE contacts_by (
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
INSERT INTO contacts_by (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at)
    SELECT crawl_id, host, purpose, requests, failed, bytes, first_at, last_at FROM contacts;
DROP TABLE contacts;
ALTER TABLE contacts_by RENAME TO contacts;

-- Crawls look for the text of each page they read among the finds of a topic.
CREATE INDEX fetches_text ON fetches(text_hash) WHERE text_hash <> 0;
