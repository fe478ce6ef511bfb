package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// mergeStep is the amount of the index that one transaction of a merge writes, in pages of the file. Other writers wait
// for about a tenth of a second.
const mergeStep = 500

// MergeSearch rewrites the search index without the words of deleted pages, if there are any. FTS5 only marks them as
// deleted until then. It works in small transactions, so that other writers go on, and stops after about the duration
// d; done says whether the deleted words are gone.
func (s *Store) MergeSearch(ctx context.Context, d time.Duration) (done bool, err error) {
	var deleted, merged int64
	err = s.r.QueryRowContext(ctx, `SELECT deleted, merged FROM search_state WHERE id = 1`).Scan(&deleted, &merged)
	if err != nil || deleted == merged {
		return err == nil, missing(err, "merge search index")
	}
	for end, step := time.Now().Add(d), -mergeStep; ; step = mergeStep { // a negative number begins the merge
		more, err := s.mergeStep(ctx, step)
		if err != nil {
			return false, fmt.Errorf("merge search index: %w", err)
		}
		if !more {
			break
		}
		if time.Now().After(end) {
			return false, nil
		}
	}
	if err = s.exec(ctx, `UPDATE search_state SET merged = ? WHERE id = 1`, deleted); err != nil {
		return false, fmt.Errorf("merge search index: %w", err)
	}
	return true, s.Checkpoint(ctx)
}

// mergeStep writes a part of the merged index and reports whether there is more to do. See the FTS5 command merge: a run
// that changes fewer than two rows had nothing to do.
func (s *Store) mergeStep(ctx context.Context, pages int) (more bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		const changes = `SELECT total_changes()`
		var before, after int64
		if err := tx.QueryRowContext(ctx, changes).Scan(&before); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO search_words (search_words, rank) VALUES ('merge', ?)`, pages); err != nil {
			return err
		}
		err := tx.QueryRowContext(ctx, changes).Scan(&after)
		more = after-before >= 2
		return err
	})
	return more, err
}
