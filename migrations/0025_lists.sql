-- What the sitemaps of hosts list. Two topics may want the list of a host on the same day, and it is asked for once.
CREATE TABLE lists (
    host TEXT    PRIMARY KEY,  -- weburl.Host
    at   INTEGER NOT NULL,     -- when the first of its sitemaps was read
    list BLOB    NOT NULL      -- gzip of JSON: fetch.HostList
) STRICT;

ALTER TABLE hosts DROP COLUMN sitemaps_at;
ALTER TABLE hosts DROP COLUMN sitemaps;
