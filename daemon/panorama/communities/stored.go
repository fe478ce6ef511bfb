package communities

import (
	"context"
	"errors"
	"time"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
)

// lostCrawl returns the crawl that was started for a map of a topic at or after a time, and that no map shows, since the
// program was killed in between; 0 when there is none. One that ended without a page does not count.
func lostCrawl(ctx context.Context, d *db.DB, topic int64, strategy string, since time.Time) (int64, error) {
	id, err := db.Found(db.ScanID(d.Readers.QueryRowContext(ctx, `SELECT id FROM crawls c WHERE topic_id = ?1 AND night = '' AND strategy = ?2 AND created_at >= ?3
		AND NOT EXISTS (SELECT 1 FROM maps WHERE crawl_id = c.id)
		AND (status <> 'ended' OR EXISTS (SELECT 1 FROM fetches WHERE crawl_id = c.id AND outcome = 'ok'))
		ORDER BY id DESC LIMIT 1`, topic, strategy, db.Millis(since))))
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	return id, db.Wrap(err, "look for the crawl of a map")
}

// usefulPages lists the addresses of the pages that the person marked Useful for a topic: in its submitted sessions and among
// its finds, those of its members included.
func usefulPages(ctx context.Context, d *db.DB, topic int64) ([]string, error) {
	all, err := db.Query(ctx, d.Readers, db.ScanText, `
		SELECT p.url FROM sessions s JOIN marks m ON m.session_id = s.id JOIN pages p ON p.id = m.page_id
			WHERE s.status = 'submitted' AND s.topic_id IN `+topics.WithMembers+` AND m.useful = 1
		UNION SELECT url FROM finds WHERE topic_id IN `+topics.WithMembers+` AND mark = 'useful' ORDER BY 1`, topic)
	return all, db.Wrap(err, "list the useful pages of topic %d", topic)
}
