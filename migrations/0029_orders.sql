-- Programs that the person allows to: they ask for searches, and mark finds.
ALTER TABLE tokens ADD COLUMN may TEXT NOT NULL DEFAULT '' CHECK (may IN ('', 'ask', 'act')); -- ask: each search waits for the person's yes
ALTER TABLE tokens ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;                               -- that it may ask for within a day

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
