package store

import (
	"context"
	"fmt"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
)

// Topic is what sessions are about. Each topic has one model.
type Topic struct {
	ID        int64
	Name      string
	CreatedAt time.Time
}

// ErrTopicName says that a name is empty or too long for a topic.
var ErrTopicName = fmt.Errorf("a topic needs a name of at most %d characters", protocol.MaxTopic)

const (
	SelectTopic = "SELECT id, name, created_at FROM topics "
	ownTopic    = "SELECT id, name, created_at FROM own_topics " // for lists: a topic made for a map is none that people see
)

// Topics lists the topics by name, without those that were only made for maps.
func (s *Store) Topics(ctx context.Context) ([]Topic, error) {
	return db.Query(ctx, s.Readers, db.Fields[Topic], ownTopic+"ORDER BY name")
}

// EveryTopic is Topics with those that were made for maps.
func (s *Store) EveryTopic(ctx context.Context) ([]Topic, error) {
	return db.Query(ctx, s.Readers, db.Fields[Topic], SelectTopic+"ORDER BY name")
}

// RecentTopics lists the topics, the one with the newest session first, and those without one by name.
func (s *Store) RecentTopics(ctx context.Context) ([]Topic, error) {
	return db.Query(ctx, s.Readers, db.Fields[Topic], ownTopic+"ORDER BY coalesce((SELECT max(s.id) FROM sessions s WHERE s.topic_id = own_topics.id), 0) DESC, name")
}

// TopicByID returns one topic, or ErrNotFound.
func (s *Store) TopicByID(ctx context.Context, id int64) (Topic, error) {
	return db.Found(db.Fields[Topic](s.Readers.QueryRowContext(ctx, SelectTopic+"WHERE id = ?", id)))
}

// TopicByName returns one topic, or ErrNotFound. The case of ASCII letters does not matter.
func (s *Store) TopicByName(ctx context.Context, name string) (Topic, error) {
	return db.Found(db.Fields[Topic](s.Readers.QueryRowContext(ctx, SelectTopic+"WHERE name = ?", name)))
}

// CreateTopic returns the topic with this name, and creates it if needed.
func (s *Store) CreateTopic(ctx context.Context, name string) (Topic, error) {
	name, err := TopicName(name)
	if err != nil {
		return Topic{}, err
	}
	var t Topic
	err = s.Commit(ctx, func(w *db.Work) {
		id := ensureTopic(w, name, s.Now())
		t = db.First(w, db.Fields[Topic], SelectTopic+"WHERE id = ?", id)
	})
	return t, err
}

// ensureTopic makes a topic with a name that the person gave, unless there is one. One that was made for a map becomes theirs.
func ensureTopic(w *db.Work, name string, now time.Time) int64 {
	w.Exec(`INSERT INTO topics (name, created_at) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET for_map = 0 WHERE for_map = 1`, name, db.Millis(now))
	return db.Value[int64](w, "SELECT id FROM topics WHERE name = ?", name)
}

// dropIdleTopic deletes a topic of which nothing is left that a person would miss: no session, document, map, crawl, find,
// model, start page that the person chose, and no combined topic.
func dropIdleTopic(w *db.Work, id int64) {
	w.Exec(`DELETE FROM topics WHERE id = ?1
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = ?1)
		AND NOT EXISTS (SELECT 1 FROM documents WHERE topic_id = ?1)
		AND NOT EXISTS (SELECT 1 FROM maps WHERE topic_id = ?1)
		AND NOT EXISTS (SELECT 1 FROM crawls WHERE topic_id = ?1)
		AND NOT EXISTS (SELECT 1 FROM finds WHERE topic_id = ?1)
		AND NOT EXISTS (SELECT 1 FROM models WHERE topic_id = ?1 AND length(bundle) > 0)
		AND NOT EXISTS (SELECT 1 FROM starts WHERE topic_id = ?1 AND (ticked = 1 OR source = 'added'))
		AND NOT EXISTS (SELECT 1 FROM combined WHERE topic_id = ?1 OR member_id = ?1)`, id)
}

// LeftTopics lists the topics that a change of sessions left without any, but with models, crawls or finds: the topic that
// a session was moved from, unless a document has it. The list is empty when the change was undone, and for no such change.
func (s *Store) LeftTopics(ctx context.Context, change int64) ([]Topic, error) {
	return db.Query(ctx, s.Readers, db.Fields[Topic], SelectTopic+`WHERE name IN (SELECT b.value ->> 'topic' FROM changes c, json_each(c.data, '$.before') b
			WHERE c.id = ? AND c.undone = 0 AND c.kind <> '`+changeSettings+`')
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = topics.id)
		AND NOT EXISTS (SELECT 1 FROM documents WHERE topic_id = topics.id)
		AND NOT EXISTS (SELECT 1 FROM combined WHERE topic_id = topics.id) ORDER BY name`, change)
}
