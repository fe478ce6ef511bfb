-- What the dashboard needs to show the morning.

-- Why a link was followed, and why a page is a find.

-- How a link was chosen among those that waited: crawler.Choice as JSON, '' for start pages and for fetches of before.
ALTER TABLE fetches ADD COLUMN chosen TEXT NOT NULL DEFAULT '';

-- The words and the passage for which a page is a find, and the marked page that shares them.
CREATE TABLE reasons (
    find_id    INTEGER PRIMARY KEY REFERENCES finds(id) ON DELETE CASCADE,
    words      TEXT    NOT NULL,            -- JSON: words and phrases as the page writes them, the most telling first
    passage    TEXT    NOT NULL,
    like_url   TEXT    NOT NULL DEFAULT '', -- '' when no marked page is like it, or when that page was erased
    like_title TEXT    NOT NULL DEFAULT '',
    like_at    INTEGER NOT NULL DEFAULT 0   -- when the person marked it, 0 when that is not known
) STRICT;
CREATE INDEX reasons_like ON reasons(like_url) WHERE like_url <> '';

-- Marks: what was put off, refused for a site or a topic, and what was seen.

-- An action is what one press of the person did: marks on finds, or a refused site. Undoing it appends feedback.
CREATE TABLE actions (
    id        INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL,
    kind      TEXT    NOT NULL,               -- the mark given, 'refuse' or 'allow'
    site      TEXT    NOT NULL DEFAULT '',    -- refuse, allow: the site
    undone_at INTEGER
) STRICT;
CREATE INDEX actions_site ON actions(site) WHERE site <> '';

-- Crawls never request a page of these sites, nor of hosts below them.
CREATE TABLE refused (
    site TEXT    PRIMARY KEY,
    at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE feedback_new (
    id        INTEGER PRIMARY KEY,
    find_id   INTEGER NOT NULL REFERENCES finds(id) ON DELETE CASCADE,
    mark      TEXT    NOT NULL CHECK (mark IN ('useful', 'not-useful', 'later', 'off-topic', 'none')), -- none: taken back
    at        INTEGER NOT NULL,
    action_id INTEGER REFERENCES actions(id), -- that gave the mark; NULL for marks from before there were actions, and for undoing
    undoes    INTEGER REFERENCES actions(id), -- the action that was undone
    teaches   INTEGER NOT NULL DEFAULT 1      -- whether a training learns anything from it: not from 'later' after 'none'
) STRICT;
INSERT INTO feedback_new (id, find_id, mark, at) SELECT id, find_id, mark, at FROM feedback;
DROP TABLE feedback;
ALTER TABLE feedback_new RENAME TO feedback;
CREATE INDEX feedback_find ON feedback(find_id, id);
CREATE INDEX feedback_action ON feedback(action_id) WHERE action_id IS NOT NULL;
CREATE INDEX feedback_undoes ON feedback(undoes) WHERE undoes IS NOT NULL;

-- What decides in which list a find is. Triggers keep it right, so that lists and counts read few rows.
ALTER TABLE finds ADD COLUMN mark    TEXT    NOT NULL DEFAULT 'none'; -- the last one
ALTER TABLE finds ADD COLUMN visited INTEGER NOT NULL DEFAULT 0;      -- by the person
ALTER TABLE finds ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;      -- its site is refused
ALTER TABLE finds ADD COLUMN asked   INTEGER NOT NULL DEFAULT 0;      -- no find: a fetched page that the person was asked about
ALTER TABLE finds ADD COLUMN seen_at INTEGER;                         -- when its card was first on the screen
ALTER TABLE finds ADD COLUMN list TEXT AS (CASE WHEN asked THEN 'asked' WHEN refused THEN 'refused' WHEN mark <> 'none' THEN mark
    WHEN visited THEN 'visited' WHEN seen_at IS NULL THEN 'new' ELSE 'seen' END) VIRTUAL;
UPDATE finds SET mark = coalesce((SELECT f.mark FROM feedback f WHERE f.find_id = finds.id ORDER BY f.id DESC LIMIT 1), 'none'),
    visited = EXISTS (SELECT 1 FROM pages WHERE pages.url = finds.url);
-- Finds of earlier nights were there to be seen.
UPDATE finds SET seen_at = found_at WHERE crawl_id IN (SELECT c.id FROM crawls c JOIN
    (SELECT topic_id, min(created_at) AS since FROM crawls
     WHERE night <> '' AND (topic_id, night) IN (SELECT topic_id, max(night) FROM crawls GROUP BY topic_id)
     GROUP BY topic_id) n ON n.topic_id = c.topic_id WHERE c.created_at < n.since);
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
INSERT INTO find_counts (topic_id, list, finds) SELECT topic_id, list, count(*) FROM finds GROUP BY topic_id, list;

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
CREATE TRIGGER feedback_given AFTER INSERT ON feedback BEGIN
    UPDATE finds SET mark = NEW.mark WHERE id = NEW.find_id;
END;
CREATE TRIGGER pages_visited AFTER INSERT ON pages BEGIN
    UPDATE finds SET visited = 1 WHERE url = NEW.url;
END;
CREATE TRIGGER pages_forgotten AFTER DELETE ON pages BEGIN
    UPDATE finds SET visited = 0 WHERE url = OLD.url;
END;

-- The pages of a topic's last crawl whose marks would teach most.
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

-- Pictures whose layout is computed once.
-- What the page of a session shows of its web graph: pages, links, moves and where the pages are drawn.
CREATE TABLE pictures (
    session_id INTEGER PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
    of         TEXT    NOT NULL, -- the state of the session's events that it was made of, and the version of its form
    body       BLOB    NOT NULL  -- gzip of JSON
) STRICT;
-- A picture contains titles and addresses. It goes when an event of its session is erased or changed, whatever did that.
CREATE TRIGGER pictures_erased AFTER DELETE ON events BEGIN DELETE FROM pictures WHERE session_id = OLD.session_id; END;
CREATE TRIGGER pictures_changed AFTER UPDATE ON events BEGIN DELETE FROM pictures WHERE session_id IN (OLD.session_id, NEW.session_id); END;
-- What the page of a model shows of its concept graph. It goes with the data of the model's version.
CREATE TABLE model_pictures (
    model_id INTEGER PRIMARY KEY REFERENCES models(id) ON DELETE CASCADE,
    of       TEXT    NOT NULL, -- the version of its form
    body     BLOB    NOT NULL  -- gzip of JSON
) STRICT;
CREATE TRIGGER model_pictures_changed AFTER UPDATE OF bundle ON models BEGIN DELETE FROM model_pictures WHERE model_id = NEW.id; END;

-- How many useful pages each page of a topic's sessions led to, as it was counted last; see store.StartLeads.
CREATE TABLE leads (
    topic_id INTEGER PRIMARY KEY REFERENCES topics(id) ON DELETE CASCADE,
    mark     TEXT    NOT NULL, -- the state of the sessions that it was counted of
    led      TEXT    NOT NULL  -- JSON: address to number
) STRICT;
CREATE TRIGGER leads_erased AFTER DELETE ON visits BEGIN DELETE FROM leads; END;
CREATE TRIGGER leads_unmarked AFTER DELETE ON marks BEGIN DELETE FROM leads; END;

-- Search over everything visited and crawled.
-- search_entries has a row for each page that can be found, search_words its words (as daemon/search/words makes them) and
-- marks to filter by. The text itself is not stored a second time. search_queue lists the addresses whose rows must be
-- written anew; an address that is queued again gets a higher id.
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
-- Deleted words stay in the file until search_words is merged: deleted counts deletions, merged those that are gone.
CREATE TABLE search_state (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    deleted INTEGER NOT NULL DEFAULT 0,
    merged  INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO search_state (id) VALUES (1);
CREATE INDEX fetches_final ON fetches(final_url);
CREATE INDEX fetches_moved ON fetches(url) WHERE url <> final_url;
CREATE INDEX finds_url ON finds(url);
-- A trigger has no INSERT OR REPLACE: the statement that fires it would decide what happens on a conflict.
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
-- What is erased cannot be found from that moment on. If something else is known of the address, it is read anew.
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
-- What was stored before there was a search, oldest first.
INSERT INTO search_queue (url) SELECT url FROM pages UNION SELECT final_url FROM fetches WHERE outcome = 'ok';

-- Tokens for programs that read. A token is shown once; its hash is all that is kept of it. Revoking deletes the row.
CREATE TABLE tokens (
    id         INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE,                            -- the part of the token that names its row
    hash       BLOB    NOT NULL,                                   -- SHA-256 of the token
    name       TEXT    NOT NULL,
    scope      TEXT    NOT NULL CHECK (scope IN ('feed', 'read')),
    topic_id   INTEGER REFERENCES topics(id) ON DELETE CASCADE,    -- of a feed; NULL is every topic
    created_at INTEGER NOT NULL,
    used_at    INTEGER
) STRICT;
CREATE INDEX tokens_topic ON tokens(topic_id) WHERE topic_id IS NOT NULL;

-- Changes that can be undone.

-- A session's own name, '' for its topic and date.
ALTER TABLE sessions ADD COLUMN title TEXT NOT NULL DEFAULT '';

-- Discarded sessions. They have no row in sessions, so that they hold no topic.
CREATE TABLE discarded (
    uuid      TEXT    PRIMARY KEY,
    id        INTEGER NOT NULL,               -- that it had in sessions
    client    TEXT    NOT NULL,
    ended_seq INTEGER NOT NULL                -- seq of the discard
) STRICT, WITHOUT ROWID;

CREATE INDEX discarded_client ON discarded(client, id);

INSERT INTO discarded (uuid, id, client, ended_seq) SELECT uuid, id, client, ended_seq FROM sessions WHERE status = 'discarded';
CREATE TEMP TABLE left_topics AS SELECT DISTINCT topic_id FROM sessions WHERE status = 'discarded';
DELETE FROM sessions WHERE status = 'discarded';
DELETE FROM topics WHERE id IN (SELECT topic_id FROM left_topics)
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = topics.id)
    AND NOT EXISTS (SELECT 1 FROM models WHERE topic_id = topics.id)
    AND NOT EXISTS (SELECT 1 FROM crawls WHERE topic_id = topics.id)
    AND NOT EXISTS (SELECT 1 FROM starts WHERE topic_id = topics.id)
    AND NOT EXISTS (SELECT 1 FROM combined WHERE topic_id = topics.id OR member_id = topics.id);
DROP TABLE left_topics;

-- Changes that the person made and can undo. data has nothing of a page.
CREATE TABLE changes (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    kind   TEXT    NOT NULL,                  -- store.ChangeName, …
    data   TEXT    NOT NULL,                  -- JSON; by kind
    undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
) STRICT;
