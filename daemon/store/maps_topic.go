package store

import (
	"context"
	"database/sql"

	"nightjar/crawler/weburl"
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
	err = s.write(ctx, func(tx *sql.Tx) error {
		for _, p := range pages {
			if weburl.Secret(p.URL) || weburl.Action(p.URL) {
				continue
			}
			if err := putStart(ctx, tx, topic.ID, p.URL, StartAdded, true, s.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	return topic, wrap(err, "store start pages of topic %d", topic.ID)
}

// OwnTopic makes a topic that was made for a map one of the person's. It changes nothing of one that is.
func (s *Store) OwnTopic(ctx context.Context, id int64) error {
	err := s.exec(ctx, `UPDATE topics SET for_map = 0 WHERE id = ? AND for_map = 1`, id)
	return wrap(err, "make topic %d one of the person's", id)
}

// IsOwnTopic reports whether a topic is one of the person's, not only made for a map. There is none with id 0.
func (s *Store) IsOwnTopic(ctx context.Context, id int64) (own bool, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM own_topics WHERE id = ?)`, id).Scan(&own)
	return own, wrap(err, "look for topic %d", id)
}
