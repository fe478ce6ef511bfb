package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
)

// putLearned keeps what a crawl's strategy has learned, in place of what was kept before, when the fetch brought it.
// Nothing is kept of a crawl whose model was erased meanwhile: it cannot go on, and what it learned began with the model.
func putLearned(ctx context.Context, tx *sql.Tx, crawlID int64, f *crawler.Fetch) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO learned (crawl_id, state)
		SELECT crawls.id, ?2 FROM crawls JOIN models ON models.id = model_id WHERE crawls.id = ?1 AND length(bundle) > 0
		ON CONFLICT (crawl_id) DO UPDATE SET state = excluded.state`, crawlID, f.Learned)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE crawls SET learned_at = ?2,
		learned_pages = (SELECT count(*) FROM fetches WHERE crawl_id = ?1 AND outcome = 'ok') WHERE id = ?1`, crawlID, millis(f.At))
	return err
}

// readLearned reads what the crawl's strategy had learned, nil when that was nothing.
func readLearned(ctx context.Context, q queryer, id int64, r *crawler.Resume) error {
	err := q.QueryRowContext(ctx, "SELECT state FROM learned WHERE crawl_id = ?", id).Scan(&r.Learned)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// dropLearned forgets what the strategy of a crawl had learned and noted of links: nothing goes on from it any more, and
// it holds words of pages.
func dropLearned(ctx context.Context, tx *sql.Tx, crawlID int64) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM learned WHERE crawl_id = ?", crawlID); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "UPDATE frontier SET note = NULL WHERE crawl_id = ? AND note IS NOT NULL", crawlID)
	return err
}

// forgetLearned forgets what was learned in the crawls of models that were emptied: it began with what they knew.
func forgetLearned(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM learned WHERE crawl_id IN
		(SELECT crawls.id FROM crawls JOIN models ON models.id = model_id WHERE length(bundle) = 0)`)
	return err
}

// eraseLearned forgets what crawls learned from a host's pages: the state of every crawl that fetched or queued one, and
// what is kept of the links on them, which is words of those pages.
func (t traces) eraseLearned(ctx context.Context, tx *sql.Tx) error {
	for _, id := range t.fetches {
		for _, text := range []string{
			`DELETE FROM learned WHERE crawl_id = (SELECT crawl_id FROM fetches WHERE id = ?)`,
			`UPDATE fetches SET anchor = '', why = '[]' WHERE parent_id = ?`,
		} {
			if _, err := tx.ExecContext(ctx, text, id); err != nil {
				return err
			}
		}
	}
	ids, err := json.Marshal(append([]int64{}, t.fetches...))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE frontier SET anchor = '', note = NULL WHERE (crawl_id, parent_n) IN
		(SELECT crawl_id, n FROM fetches WHERE id IN (SELECT value FROM json_each(?)))`, string(ids))
	if err != nil {
		return err
	}
	for _, k := range t.frontier {
		if _, err := tx.ExecContext(ctx, "DELETE FROM learned WHERE crawl_id = ?", k.id); err != nil {
			return err
		}
	}
	return nil
}

// reasons is the parts of what a link was worth as the store keeps them; none is []. A part that is no number is left out.
func reasons(why []strategy.Reason) (string, error) {
	why = slices.DeleteFunc(slices.Clone(why), func(r strategy.Reason) bool {
		return math.IsNaN(r.Value) || math.IsInf(r.Value, 0)
	})
	if len(why) == 0 {
		return "[]", nil
	}
	text, err := json.Marshal(why)
	return string(text), err
}

// MarkChange is the person's word on a find as it was said at some time.
type MarkChange struct {
	ID   int64 // of the word; later ones are larger
	Mark strategy.Mark
}

// marksSince looks at the marks first and then for their finds: CROSS JOIN keeps SQLite to that order.
const marksSince = `SELECT feedback.id, finds.url, mark FROM feedback CROSS JOIN finds ON finds.id = find_id
	WHERE feedback.id > ?2 AND finds.topic_id IN ` + parts + ` ORDER BY feedback.id`

// MarksSince lists the words on finds of a topic, and of the topics it is made of, that were said after the one with the
// given id (0: all), oldest first. A word that a later one replaced is there too. When
// there is none it costs no more than a look at the end of a table.
func (s *Store) MarksSince(ctx context.Context, topicID, after int64) ([]MarkChange, error) {
	all, err := query(ctx, s.r, func(row scanner) (MarkChange, error) {
		var m MarkChange
		var mark string
		err := row.Scan(&m.ID, &m.Mark.URL, &mark)
		m.Mark.Useful, m.Mark.Gone = mark == MarkUseful, mark == MarkNone
		return m, err
	}, marksSince, topicID, after)
	if err != nil {
		return nil, fmt.Errorf("list marks of topic %d: %w", topicID, err)
	}
	return all, nil
}
