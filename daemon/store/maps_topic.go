package store

import (
	"context"

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

// RetryDocumentPages forgets the requests for positive pages of a document that failed for a reason that may have passed, so
// that they are requested again.
func (s *Store) RetryDocumentPages(ctx context.Context, document int64) error {
	err := s.Exec(ctx, `DELETE FROM document_pages WHERE document_id = ? AND content_hash IS NULL
		AND outcome IN ('network', 'timeout', 'later', 'canceled')`, document)
	return db.Wrap(err, "forget failed requests of document %d", document)
}
