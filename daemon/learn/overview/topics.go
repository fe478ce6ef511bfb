package overview

import (
	"context"

	"nightjar/daemon/db"
)

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

// Topics lists the topics by name, without those that were only made for maps.
func Topics(ctx context.Context, d *db.DB) ([]TopicView, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[TopicView], `
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
