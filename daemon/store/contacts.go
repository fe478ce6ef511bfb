package store

import (
	"context"
	"database/sql"
	"fmt"

	"nightjar/crawler/fetch"
)

// PutBack notes that fetches that were begun are to be tried again as if they never had been, and keeps in the ledger
// what was asked for them.
func (j *Journal) PutBack(ctx context.Context, urls []string, exchanges []fetch.Exchange) error {
	err := j.s.write(ctx, func(tx *sql.Tx) error {
		for _, u := range urls {
			if _, err := tx.ExecContext(ctx, `UPDATE frontier SET attempts = 0
				WHERE crawl_id = ? AND url = ? AND status = 'queued'`, j.crawlID, u); err != nil {
				return err
			}
		}
		return putContacts(ctx, tx, j.crawlID, exchanges)
	})
	if err != nil {
		return fmt.Errorf("put back links of crawl %d: %w", j.crawlID, err)
	}
	return nil
}

// putContacts adds exchanges to the ledger of a crawl.
func putContacts(ctx context.Context, tx *sql.Tx, crawlID int64, exchanges []fetch.Exchange) error {
	for _, e := range exchanges {
		_, err := tx.ExecContext(ctx, `INSERT INTO contacts (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at)
			VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?6)
			ON CONFLICT (crawl_id, host, purpose) DO UPDATE SET requests = requests + 1, failed = failed + excluded.failed,
				bytes = bytes + excluded.bytes, last_at = excluded.last_at`,
			crawlID, hostOf(e.URL), string(e.Purpose), e.Reason != "", e.Bytes, millis(e.At))
		if err != nil {
			return err
		}
	}
	return nil
}
