package store

import (
	"context"
	"errors"
	"time"
)

// LostCrawl returns the crawl that was started for a map of a topic at or after a time, and that no map shows, since the
// program was killed in between; 0 when there is none. One that ended without a page does not count.
func (s *Store) LostCrawl(ctx context.Context, topic int64, strategy string, since time.Time) (int64, error) {
	id, err := found(scanID(s.r.QueryRowContext(ctx, `SELECT id FROM crawls c WHERE topic_id = ?1 AND night = '' AND strategy = ?2 AND created_at >= ?3
		AND NOT EXISTS (SELECT 1 FROM maps WHERE crawl_id = c.id)
		AND (status <> 'ended' OR EXISTS (SELECT 1 FROM fetches WHERE crawl_id = c.id AND outcome = 'ok'))
		ORDER BY id DESC LIMIT 1`, topic, strategy, millis(since))))
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	return id, wrap(err, "look for the crawl of a map")
}

// UsefulPages lists the addresses of the pages that the person marked Useful for a topic: in its submitted sessions and among
// its finds, those of its members included.
func (s *Store) UsefulPages(ctx context.Context, topic int64) ([]string, error) {
	all, err := query(ctx, s.r, scanText, `
		SELECT p.url FROM sessions s JOIN marks m ON m.session_id = s.id JOIN pages p ON p.id = m.page_id
			WHERE s.status = 'submitted' AND s.topic_id IN `+parts+` AND m.useful = 1
		UNION SELECT url FROM finds WHERE topic_id IN `+parts+` AND mark = 'useful' ORDER BY 1`, topic)
	return all, wrap(err, "list the useful pages of topic %d", topic)
}

// RetryDocumentPages forgets the requests for positive pages of a document that failed for a reason that may have passed, so
// that they are requested again.
func (s *Store) RetryDocumentPages(ctx context.Context, document int64) error {
	err := s.exec(ctx, `DELETE FROM document_pages WHERE document_id = ? AND content_hash IS NULL
		AND outcome IN ('network', 'timeout', 'later', 'canceled')`, document)
	return wrap(err, "forget failed requests of document %d", document)
}
