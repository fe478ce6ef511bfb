package store

import (
	"context"
	"database/sql"

	"nightjar/daemon/db"
)

// ForgetLearned deletes what strategies learned in the crawls of erased models, since it is based on these models.
func ForgetLearned(ctx context.Context, tx *sql.Tx) error {
	return forgetQueues(ctx, tx, `SELECT crawls.queue FROM crawls JOIN models ON models.id = model_id WHERE length(bundle) = 0`)
}

// forgetQueues deletes what was learned from the queues that a query selects. Their next turn reads the stored pages again.
func forgetQueues(ctx context.Context, tx *sql.Tx, queues string, args ...any) error {
	for _, text := range []string{`UPDATE crawls SET valued = 0 WHERE queue IN (`, `DELETE FROM learned WHERE crawl_id IN (`} {
		if _, err := tx.ExecContext(ctx, text+queues+`)`, args...); err != nil {
			return err
		}
	}
	return nil
}

// EraseLearned deletes what crawls learned from a host's pages: the state of every queue from which one was fetched or in which one
// waits, and what is stored about the links on these pages, which holds their words.
func EraseLearned(ctx context.Context, tx *sql.Tx, ids, frontier []int64) error {
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, `UPDATE fetches SET anchor = '', why = '[]' WHERE parent_id = ?`, id); err != nil {
			return err
		}
	}
	fetches := db.JSONList(ids)
	const erased = `FROM fetches f JOIN crawls c ON c.id = f.crawl_id WHERE f.id IN (SELECT value FROM json_each(?))`
	if err := db.ExecAll(ctx, tx, []string{
		`UPDATE frontier SET anchor = '', note = NULL WHERE (crawl_id, parent_n) IN (SELECT c.queue, f.n ` + erased + `)`,
		// What a strategy that is made of two keeps about a link may come from any page of the queue.
		`UPDATE frontier SET note = NULL WHERE note IS NOT NULL AND crawl_id IN (SELECT c.queue ` + erased + `)
			AND EXISTS (SELECT 1 FROM crawls t WHERE t.queue = frontier.crawl_id AND json_extract(t.options, '$.second') <> '')`,
	}, fetches); err != nil {
		return err
	}
	return forgetQueues(ctx, tx, `SELECT c.queue `+erased+` UNION SELECT value FROM json_each(?)`, fetches, db.JSONList(db.Distinct(frontier)))
}
