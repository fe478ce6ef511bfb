package startpages

import (
	"context"

	"nightjar/daemon/db"
)

// Titles returns the titles of a topic's start pages that the person visited, by address.
func Titles(ctx context.Context, d *db.DB, topicID int64) (map[string]string, error) {
	titles, err := db.Pairs[string, string](ctx, d.Readers,
		`SELECT p.url, p.title FROM starts s JOIN pages p ON p.url = s.url WHERE s.topic_id = ?`, topicID)
	return titles, db.Wrap(err, "read titles of start pages")
}
