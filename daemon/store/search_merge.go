package store

import (
	"context"
	"fmt"
	"time"

	"nightjar/daemon/db"
)

// mergeStep is the amount of the index that one transaction of a merge writes, in pages of the file. Other writers wait
// for about a tenth of a second.
const mergeStep = 500

// MergeSearch rewrites the search index without the words of deleted pages, if there are any. FTS5 only marks them as
// deleted until then. It works in small transactions, so that other writers go on, and stops after about the duration
// most; done says whether the deleted words are gone.
func MergeSearch(ctx context.Context, d *db.DB, most time.Duration) (done bool, err error) {
	var deleted, merged int64
	err = d.Readers.QueryRowContext(ctx, `SELECT deleted, merged FROM search_state WHERE id = 1`).Scan(&deleted, &merged)
	if err != nil || deleted == merged {
		return err == nil, db.Missing(err, "merge search index")
	}
	for end, step := time.Now().Add(most), -mergeStep; ; step = mergeStep { // a negative number begins the merge
		more, err := mergeSome(ctx, d, step)
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
	if err = d.Exec(ctx, `UPDATE search_state SET merged = ? WHERE id = 1`, deleted); err != nil {
		return false, fmt.Errorf("merge search index: %w", err)
	}
	return true, d.Checkpoint(ctx)
}

// mergeSome writes a part of the merged index and reports whether there is more to do. See the FTS5 command merge: a run
// that changes fewer than two rows had nothing to do.
func mergeSome(ctx context.Context, d *db.DB, pages int) (more bool, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		const changes = `SELECT total_changes()`
		before := db.Value[int64](w, changes)
		w.Exec(`INSERT INTO search_words (search_words, rank) VALUES ('merge', ?)`, pages)
		more = db.Value[int64](w, changes)-before >= 2
	})
	return more, err
}

// mergeSearch is MergeSearch for erasing. What it leaves is merged in the background.
func mergeSearch(ctx context.Context, d *db.DB, most time.Duration) error {
	_, err := MergeSearch(ctx, d, most)
	return err
}
