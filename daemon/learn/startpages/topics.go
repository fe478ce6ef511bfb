package startpages

import (
	"context"

	"nightjar/daemon/db"
)

// Topics lists the ids of the topics that have a model and a ticked start page. One whose sessions were
// all moved away is not crawled by itself: what its model learned from is elsewhere.
func Topics(ctx context.Context, d *db.DB) ([]int64, error) {
	return db.Query(ctx, d.Readers, db.ScanID, `SELECT id FROM own_topics WHERE EXISTS (SELECT 1 FROM models WHERE topic_id = own_topics.id)
		AND EXISTS (SELECT 1 FROM starts WHERE topic_id = own_topics.id AND ticked = 1)
		AND (EXISTS (SELECT 1 FROM sessions WHERE status = 'submitted' AND (topic_id = own_topics.id
				OR topic_id IN (SELECT member_id FROM combined WHERE combined.topic_id = own_topics.id)))
			OR (SELECT coalesce(json_array_length(facts, '$.sessions'), 0) = 0 OR coalesce(json_extract(facts, '$.imported'), 0)
				FROM models WHERE topic_id = own_topics.id ORDER BY version DESC LIMIT 1))
		ORDER BY id`)
}
