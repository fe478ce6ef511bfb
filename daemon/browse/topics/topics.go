// Package topics has the topics of sessions, combined topics, and the names of their pages, the milestones.
package topics

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

// ErrName says that a name is empty or too long for a topic.
var ErrName = fmt.Errorf("a topic needs a name of at most %d characters", protocol.MaxTopic)

const (
	Select   = "SELECT id, name, created_at FROM topics "
	ownTopic = "SELECT id, name, created_at FROM own_topics " // for lists: a topic made for a map is none that people see
)

// List lists the topics by name, without those that were only made for maps.
func List(ctx context.Context, d *db.DB) ([]Topic, error) {
	return db.Query(ctx, d.Readers, db.Fields[Topic], ownTopic+"ORDER BY name")
}

// Every is List with those that were made for maps.
func Every(ctx context.Context, d *db.DB) ([]Topic, error) {
	return db.Query(ctx, d.Readers, db.Fields[Topic], Select+"ORDER BY name")
}

// Recent lists the topics, the one with the newest session first, and those without one by name.
func Recent(ctx context.Context, d *db.DB) ([]Topic, error) {
	return db.Query(ctx, d.Readers, db.Fields[Topic], ownTopic+"ORDER BY coalesce((SELECT max(s.id) FROM sessions s WHERE s.topic_id = own_topics.id), 0) DESC, name")
}

// ByID returns one topic, or ErrNotFound.
func ByID(ctx context.Context, d *db.DB, id int64) (Topic, error) {
	return db.Found(db.Fields[Topic](d.Readers.QueryRowContext(ctx, Select+"WHERE id = ?", id)))
}

// ByName returns one topic, or ErrNotFound. The case of ASCII letters does not matter.
func ByName(ctx context.Context, d *db.DB, name string) (Topic, error) {
	return db.Found(db.Fields[Topic](d.Readers.QueryRowContext(ctx, Select+"WHERE name = ?", name)))
}

// Create returns the topic with this name, and creates it if needed.
func Create(ctx context.Context, d *db.DB, name string) (Topic, error) {
	name, err := CleanName(name)
	if err != nil {
		return Topic{}, err
	}
	var t Topic
	err = d.Commit(ctx, func(w *db.Work) {
		id := Ensure(w, name, d.Now())
		t = db.First(w, db.Fields[Topic], Select+"WHERE id = ?", id)
	})
	return t, err
}

// Ensure makes a topic with a name that the person gave, unless there is one. One that was made for a map becomes theirs.
func Ensure(w *db.Work, name string, now time.Time) int64 {
	w.Exec(`INSERT INTO topics (name, created_at) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET for_map = 0 WHERE for_map = 1`, name, db.Millis(now))
	return db.Value[int64](w, "SELECT id FROM topics WHERE name = ?", name)
}

// DropIdle deletes a topic of which nothing is left that a person would miss: no session, document, map, crawl, find,
// model, start page that the person chose, and no combined topic.
func DropIdle(w *db.Work, id int64) {
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
