package store

import (
	"context"
	"errors"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

// TopicOfPages returns the topic that learns from pages as from the positive pages of a document with this key, and makes it
// if there is none. They are its ticked start pages, except for addresses that are never fetched.
func (s *Store) TopicOfPages(ctx context.Context, key, name string, pages []Positive) (topic Topic, err error) {
	d, err := s.AddDocument(ctx, Document{Key: key, Title: name}, nil, ReadDocument{})
	if err != nil {
		return Topic{}, err
	}
	if err := s.PutPositives(ctx, d.ID, pages); err != nil {
		return Topic{}, err
	}
	if topic, err = s.DocumentTopic(ctx, d.ID); err != nil {
		return Topic{}, err
	}
	if err := s.OwnTopic(ctx, topic.ID); err != nil {
		return Topic{}, err
	}
	err = s.Commit(ctx, func(w *db.Work) {
		for _, p := range pages {
			if weburl.Secret(p.URL) || weburl.Action(p.URL) {
				continue
			}
			putStart(w, topic.ID, p.URL, StartAdded, true, s.Now())
		}
	})
	return topic, db.Wrap(err, "store start pages of topic %d", topic.ID)
}

// OwnTopic makes a topic that was made for a map one of the person's. It changes nothing of one that is.
func (s *Store) OwnTopic(ctx context.Context, id int64) error {
	err := s.Exec(ctx, `UPDATE topics SET for_map = 0 WHERE id = ? AND for_map = 1`, id)
	return db.Wrap(err, "make topic %d one of the person's", id)
}

// IsOwnTopic reports whether a topic is one of the person's, not only made for a map. There is none with id 0.
func (s *Store) IsOwnTopic(ctx context.Context, id int64) (own bool, err error) {
	err = s.Readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM own_topics WHERE id = ?)`, id).Scan(&own)
	return own, db.Wrap(err, "look for topic %d", id)
}

// LostCrawl returns the crawl that was started for a map of a topic at or after a time, and that no map shows, since the
// program was killed in between; 0 when there is none. One that ended without a page does not count.
func (s *Store) LostCrawl(ctx context.Context, topic int64, strategy string, since time.Time) (int64, error) {
	id, err := db.Found(db.ScanID(s.Readers.QueryRowContext(ctx, `SELECT id FROM crawls c WHERE topic_id = ?1 AND night = '' AND strategy = ?2 AND created_at >= ?3
		AND NOT EXISTS (SELECT 1 FROM maps WHERE crawl_id = c.id)
		AND (status <> 'ended' OR EXISTS (SELECT 1 FROM fetches WHERE crawl_id = c.id AND outcome = 'ok'))
		ORDER BY id DESC LIMIT 1`, topic, strategy, db.Millis(since))))
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	return id, db.Wrap(err, "look for the crawl of a map")
}

// UsefulPages lists the addresses of the pages that the person marked Useful for a topic: in its submitted sessions and among
// its finds, those of its members included.
func (s *Store) UsefulPages(ctx context.Context, topic int64) ([]string, error) {
	all, err := db.Query(ctx, s.Readers, db.ScanText, `
		SELECT p.url FROM sessions s JOIN marks m ON m.session_id = s.id JOIN pages p ON p.id = m.page_id
			WHERE s.status = 'submitted' AND s.topic_id IN `+TopicAndMembers+` AND m.useful = 1
		UNION SELECT url FROM finds WHERE topic_id IN `+TopicAndMembers+` AND mark = 'useful' ORDER BY 1`, topic)
	return all, db.Wrap(err, "list the useful pages of topic %d", topic)
}

// RetryDocumentPages forgets the requests for positive pages of a document that failed for a reason that may have passed, so
// that they are requested again.
func (s *Store) RetryDocumentPages(ctx context.Context, document int64) error {
	err := s.Exec(ctx, `DELETE FROM document_pages WHERE document_id = ? AND content_hash IS NULL
		AND outcome IN ('network', 'timeout', 'later', 'canceled')`, document)
	return db.Wrap(err, "forget failed requests of document %d", document)
}
