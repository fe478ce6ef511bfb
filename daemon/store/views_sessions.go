package store

import (
	"context"
	"time"

	"nightjar/daemon/db"
)

// StartTitles returns the titles of a topic's start pages that the person visited, by address.
func (s *Store) StartTitles(ctx context.Context, topicID int64) (map[string]string, error) {
	titles, err := db.Pairs[string, string](ctx, s.Readers,
		`SELECT p.url, p.title FROM starts s JOIN pages p ON p.url = s.url WHERE s.topic_id = ?`, topicID)
	return titles, db.Wrap(err, "read titles of start pages")
}

// TopicView is a topic as the dashboard shows it.
type TopicView struct {
	ID        int64
	Name      string
	Sessions  int
	Documents int // that it crawls for
	Version   int // of the newest model, or 0
	Ticked    int // start pages
	Finds     int
	CrawlID   int64 // the crawl that has not ended, or 0

	Members []string // names of a combined topic's members; Sessions and Documents count theirs too
}

// TopicViews lists the topics by name, without those that were only made for maps.
func (s *Store) TopicViews(ctx context.Context) ([]TopicView, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[TopicView], `
		SELECT t.id, t.name,
		       (SELECT count(*) FROM sessions WHERE status <> 'discarded' AND (topic_id = t.id
		           OR topic_id IN (SELECT member_id FROM combined WHERE topic_id = t.id))),
		       (SELECT count(*) FROM documents WHERE topic_id = t.id
		           OR topic_id IN (SELECT member_id FROM combined WHERE topic_id = t.id)),
		       coalesce((SELECT max(version) FROM models WHERE topic_id = t.id), 0),
		       (SELECT count(*) FROM starts WHERE topic_id = t.id AND ticked = 1),
		       (SELECT coalesce(sum(finds), 0) FROM find_counts WHERE topic_id = t.id AND list NOT IN ('asked', 'refused')),
		       coalesce((SELECT max(id) FROM crawls WHERE topic_id = t.id AND status <> 'ended'), 0),
		       (SELECT json_group_array(name) FROM (SELECT m.name FROM combined c JOIN topics m ON m.id = c.member_id
		           WHERE c.topic_id = t.id ORDER BY m.name))
		FROM own_topics t ORDER BY t.name`)
	return all, db.Wrap(err, "list topics")
}

// BrowserView is a paired browser as the dashboard shows it.
type BrowserView struct {
	Client   string
	Name     string
	Origin   string
	PairedAt time.Time
	SeenAt   time.Time
}

// BrowserViews lists the browsers that are paired and not revoked.
func (s *Store) BrowserViews(ctx context.Context) ([]BrowserView, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[BrowserView], `SELECT client, name, origin, paired_at, seen_at FROM browsers WHERE revoked_at IS NULL ORDER BY paired_at`)
	return all, db.Wrap(err, "list browsers")
}
