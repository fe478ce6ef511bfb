package maps

import (
	"context"

	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
)

// TopicOfPages returns the topic that learns from pages as from the positive pages of a document with this key, and makes it
// if there is none. They are its ticked start pages, except for addresses that are never fetched.
func TopicOfPages(ctx context.Context, d *db.DB, key, name string, pages []trainingdata.Positive) (topic store.Topic, err error) {
	doc, err := AddDocument(ctx, d, Document{Key: key, Title: name}, nil, ReadDocument{})
	if err != nil {
		return store.Topic{}, err
	}
	if err := trainingdata.PutPositives(ctx, d, doc.ID, pages); err != nil {
		return store.Topic{}, err
	}
	if topic, err = DocumentTopic(ctx, d, doc.ID); err != nil {
		return store.Topic{}, err
	}
	if err := OwnTopic(ctx, d, topic.ID); err != nil {
		return store.Topic{}, err
	}
	err = d.Commit(ctx, func(w *db.Work) {
		for _, p := range pages {
			if weburl.Secret(p.URL) || weburl.Action(p.URL) {
				continue
			}
			store.PutStart(w, topic.ID, p.URL, store.StartAdded, true, d.Now())
		}
	})
	return topic, db.Wrap(err, "store start pages of topic %d", topic.ID)
}

// OwnTopic makes a topic that was made for a map one of the person's. It changes nothing of one that is.
func OwnTopic(ctx context.Context, d *db.DB, id int64) error {
	err := d.Exec(ctx, `UPDATE topics SET for_map = 0 WHERE id = ? AND for_map = 1`, id)
	return db.Wrap(err, "make topic %d one of the person's", id)
}

// IsOwnTopic reports whether a topic is one of the person's, not only made for a map. There is none with id 0.
func IsOwnTopic(ctx context.Context, d *db.DB, id int64) (own bool, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM own_topics WHERE id = ?)`, id).Scan(&own)
	return own, db.Wrap(err, "look for topic %d", id)
}
