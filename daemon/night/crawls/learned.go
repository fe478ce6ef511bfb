package crawls

import (
	"context"
	"database/sql"
	"math"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// putLearned stores the state that a crawl's strategy has learned, for its queue. It stores nothing for a crawl whose model was erased
// in the meantime: the crawl cannot continue, and its state is based on the model.
func putLearned(ctx context.Context, tx *sql.Tx, crawlID int64, state []byte) error {
	return db.Execute(ctx, tx, `INSERT INTO learned (crawl_id, state)
		SELECT crawls.queue, ?2 FROM crawls JOIN models ON models.id = model_id WHERE crawls.id = ?1 AND length(bundle) > 0
		ON CONFLICT (crawl_id) DO UPDATE SET state = excluded.state`, crawlID, state)
}

// putLearnedAt notes when the strategy of a crawl last learned.
func putLearnedAt(ctx context.Context, tx *sql.Tx, crawlID int64, f *crawler.Fetch) error {
	return db.Execute(ctx, tx, `UPDATE crawls SET learned_at = ?2,
		learned_pages = (SELECT count(*) FROM fetches WHERE crawl_id = ?1 AND outcome = 'ok') WHERE id = ?1`, crawlID, db.Millis(f.At))
}

// readLearned reads the state that the strategy of a queue's crawls learned, if any.
func readLearned(ctx context.Context, q db.Queryer, queue int64, r *crawler.Resume) error {
	return db.Optional(q.QueryRowContext(ctx, "SELECT state FROM learned WHERE crawl_id = ?", queue).Scan(&r.Learned))
}

// dropLearned deletes what the strategy of an ended crawl with a queue of its own learned and its notes about links, which hold
// words of pages.
func dropLearned(ctx context.Context, tx *sql.Tx, crawlID int64) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM learned WHERE crawl_id = ?", crawlID); err != nil {
		return err
	}
	return db.Execute(ctx, tx, "UPDATE frontier SET note = NULL WHERE crawl_id = ? AND note IS NOT NULL", crawlID)
}

// reasons returns the parts of a link's value as they are stored, without infinite values and NaN.
func reasons(why []strategy.Reason) db.JSON {
	return db.JSONOf(slices.DeleteFunc(append([]strategy.Reason{}, why...), func(r strategy.Reason) bool {
		return math.IsNaN(r.Value) || math.IsInf(r.Value, 0)
	}))
}

// MarkChange is a change of the person's mark on a find.
type MarkChange struct {
	ID   int64 // later changes have larger ids
	Mark strategy.Mark
}

// marksSince reads the marks first and then their finds; CROSS JOIN makes SQLite keep this order.
const marksSince = `SELECT feedback.id, finds.url, feedback.mark FROM feedback CROSS JOIN finds ON finds.id = find_id
	WHERE feedback.id > ?2 AND finds.topic_id IN ` + topics.WithMembers + ` ORDER BY feedback.id`

// MarksSince lists the changes of marks on finds of a topic and of its members, after the change with the given id (0:
// all), oldest first. It is cheap when there are none.
func MarksSince(ctx context.Context, d *db.DB, topicID, after int64) ([]MarkChange, error) {
	all, err := db.Query(ctx, d.Readers, func(row db.Scanner) (MarkChange, error) {
		var m MarkChange
		var mark string
		err := row.Scan(&m.ID, &m.Mark.URL, &mark)
		m.Mark.Useful = mark == store.MarkUseful
		m.Mark.Gone = mark != store.MarkUseful && mark != store.MarkNotUseful // put off or of another topic: a page as any other
		return m, err
	}, marksSince, topicID, after)
	return all, db.Wrap(err, "list marks of topic %d", topicID)
}
