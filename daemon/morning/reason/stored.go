package reason

import (
	"context"
	"database/sql"
	"time"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/morning/finds"
)

// Put stores why a page is a find, replacing any earlier reason. A missing find is not an error, nor is one whose model was emptied
// meanwhile since it had learned from a page that was erased: the reason may name that page, and is not stored.
func Put(ctx context.Context, d *db.DB, findID int64, r finds.Reason) error {
	var like finds.LikePage
	var at int64
	if r.Like != nil {
		if like = *r.Like; !like.MarkedAt.IsZero() {
			at = db.Millis(like.MarkedAt)
		}
	}
	err := d.WriteDerived(ctx, func(tx *sql.Tx) error {
		return db.Execute(ctx, tx, `INSERT INTO reasons (find_id, words, passage, like_url, like_title, like_at)
			SELECT f.id, ?2, ?3, ?4, ?5, ?6 FROM finds f JOIN crawls c ON c.id = f.crawl_id JOIN models m ON m.id = c.model_id
			WHERE f.id = ?1 AND length(m.bundle) > 0
			ON CONFLICT (find_id) DO UPDATE SET words = excluded.words, passage = excluded.passage, like_url = excluded.like_url,
				like_title = excluded.like_title, like_at = excluded.like_at
			WHERE (words, passage, like_url, like_title, like_at) IS NOT
				(excluded.words, excluded.passage, excluded.like_url, excluded.like_title, excluded.like_at)`,
			findID, db.JSONList(r.Words), r.Passage, like.URL, like.Title, at)
	})
	return db.Wrap(err, "store the reason of find %d", findID)
}

// Without lists finds whose reason was not computed yet, newest first: up to limit ids below before, 0 for any.
func Without(ctx context.Context, d *db.DB, before int64, limit int) ([]int64, error) {
	ids, err := db.Query(ctx, d.Readers, db.ScanID, `
		SELECT id FROM finds WHERE (?1 = 0 OR id < ?1) AND NOT EXISTS (SELECT 1 FROM reasons WHERE find_id = finds.id)
		ORDER BY id DESC LIMIT ?2`, before, limit)
	return ids, db.Wrap(err, "list finds without a reason")
}

// With lists finds that have a reason, as WithoutReason lists the others.
func With(ctx context.Context, d *db.DB, before int64, limit int) ([]int64, error) {
	ids, err := db.Query(ctx, d.Readers, db.ScanID, `
		SELECT find_id FROM reasons WHERE ?1 = 0 OR find_id < ?1 ORDER BY find_id DESC LIMIT ?2`, before, limit)
	return ids, db.Wrap(err, "list finds with a reason")
}

// OfCrawl lists the finds of a crawl that have a reason: up to limit ids above after.
func OfCrawl(ctx context.Context, d *db.DB, crawl, after int64, limit int) ([]int64, error) {
	ids, err := db.Query(ctx, d.Readers, db.ScanID, `
		SELECT f.id FROM finds f CROSS JOIN reasons r ON r.find_id = f.id WHERE f.crawl_id = ? AND f.id > ? ORDER BY f.id LIMIT ?`, crawl, after, limit)
	return ids, db.Wrap(err, "list the finds of crawl %d with a reason", crawl)
}

// MarkedAt returns when the person last marked a page Useful, in a session of the topic or of its members or as a find of
// theirs; the zero time when never.
func MarkedAt(ctx context.Context, d *db.DB, topicID int64, url string) (time.Time, error) {
	at, err := db.Single[sql.NullInt64](ctx, d.Readers, `
		SELECT max(at) FROM (
			SELECT e.at FROM pages p JOIN visits v ON v.page_id = p.id JOIN sessions s ON s.id = v.session_id
			JOIN events e ON e.page = v.load AND e.type = 'useful'
			WHERE p.url = ?2 AND s.topic_id IN `+topics.WithMembers+`
			UNION ALL
			SELECT b.at FROM finds f JOIN feedback b ON b.find_id = f.id AND b.mark = 'useful'
			WHERE f.url = ?2 AND f.topic_id IN `+topics.WithMembers+`)`, topicID, url)
	return db.Moment(at), db.Wrap(err, "read when a page was marked")
}
