package links

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"nightjar/daemon/db"
)

// Forget deletes the links of pages whose content was erased, and stops after about the duration most. What is left then is
// done by Put.
func Forget(ctx context.Context, d *db.DB, most time.Duration) error {
	for end := time.Now().Add(most); time.Now().Before(end); {
		lost, err := db.Query(ctx, d.Readers, func(row db.Scanner) (*linkJob, error) {
			var j linkJob
			return &j, row.Scan(&j.QueueID, &j.URL, &j.Hash)
		}, `SELECT known.id, known.url, `+linkHash+` FROM (SELECT id, url FROM link_queue WHERE lost = 1 ORDER BY id LIMIT 100) known`)
		if err == nil && len(lost) > 0 {
			err = runLinks(ctx, d, lost, (*linkWriter).forget)
		}
		if err != nil {
			return fmt.Errorf("forget the links of erased pages: %w", err)
		}
		if len(lost) == 0 {
			break
		}
	}
	return nil
}

// forget deletes links of a page if they are not of the content that is stored now. If any is, the page still waits to be read.
func (w *linkWriter) forget(j *linkJob) (done bool) {
	w.left--
	id, hash := w.pageID(j.URL)
	if id != 0 && (j.begun || hash == nil || !bytes.Equal(hash, j.Hash)) {
		if !w.clear(j, true) {
			return false
		}
	}
	text := `UPDATE link_queue SET lost = 0 WHERE id = ?`
	if j.Hash == nil {
		text = `DELETE FROM link_queue WHERE id = ?`
	}
	w.Exec(text, j.QueueID)
	return true
}
