package store

import (
	"context"
	"database/sql"
	"fmt"

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
	if err != nil {
		return Topic{}, fmt.Errorf("store start pages of topic %d: %w", topic.ID, err)
	}
	return topic, nil
}
