package links

import (
	"context"
	"database/sql"

	"nightjar/daemon/db"
)

// linkBudget is the number of rows that a transaction on links changes before it ends, so that other writers do not wait.
const linkBudget = 4000

// linkPiece is the number of rows after which a transaction on links looks whether events wait to be stored, and ends then.
const linkPiece = 400

// PageLinks are the links of a page, which replace those that are stored of it.
type PageLinks struct {
	Source
	Links []Link
}

// Put stores the links of pages. It leaves out pages that were queued again or erased since Queue returned them. A
// page that is still known but whose content was thrown away keeps its links; one that is gone loses them. Ends are the
// addresses that links lead to, as far as that is known; a link to the page itself is none. Links that end at an address of
// the queue that is now known to lead elsewhere are moved there. Many links take several transactions: when one of them fails
// or the process dies, the page is still queued.
func Put(ctx context.Context, d *db.DB, all []PageLinks) error {
	jobs := make([]*linkJob, len(all))
	for i, p := range all {
		jobs[i] = &linkJob{PageLinks: p}
	}
	return db.Wrap(runLinks(ctx, d, jobs, (*linkWriter).put), "store the links of %d pages", len(all))
}

// linkJob is one page in Put.
type linkJob struct {
	PageLinks
	begun bool  // its old links are being deleted, and groupings were dropped
	done  int   // links that are stored
	page  int64 // for dropPage
}

// runLinks does jobs in transactions of about linkBudget rows. do reports whether a job is finished; it is called again for one
// that is not.
func runLinks(ctx context.Context, d *db.DB, jobs []*linkJob, do func(*linkWriter, *linkJob) bool) error {
	whole := context.WithoutCancel(ctx) // otherwise each statement starts a goroutine; the transaction ends with ctx
	for len(jobs) > 0 {                 // each transaction does a part at least
		err := d.WriteDerived(ctx, func(tx *sql.Tx) error {
			return db.Within(whole, tx, func(of *db.Work) {
				w := newLinkWriter(of)
				for begun := false; w.Err == nil && len(jobs) > 0 && w.left > 0 && !(begun && d.Hurry()); begun = true {
					if do(w, jobs[0]) {
						jobs = jobs[1:]
					}
				}
				w.prune()
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// newLinkWriter returns a linkWriter in a transaction.
func newLinkWriter(w *db.Work) *linkWriter {
	return &linkWriter{Work: w, left: linkBudget, words: map[string]int64{}, pages: map[string]int64{}}
}

// linkWriter is one transaction on links.
type linkWriter struct {
	*db.Work
	left               int              // rows that it may still change
	words, pages       map[string]int64 // ids of rows that it wrote or read
	oldWords, oldPages []int64          // that may have lost their last link
}

// piece is the number of rows to change before the next look at what waits.
func (w *linkWriter) piece() int { return min(w.left, linkPiece) }

// put does a part of a job and reports whether that was the last one.
func (w *linkWriter) put(j *linkJob) (done bool) {
	w.left-- // so that a queue of pages without links ends, too
	var lost bool
	if !w.Row(`SELECT lost FROM link_queue WHERE id = ?`, j.QueueID).Find(&lost) {
		return true
	}
	if !w.move(j.URL) {
		return false
	}
	if j.done == 0 && (j.Hash != nil || w.gone(j.URL, lost)) && !w.clear(j, lost) {
		return false
	}
	if j.Hash != nil && !w.insert(j) {
		return false
	}
	w.Exec(`DELETE FROM link_queue WHERE id = ?`, j.QueueID)
	return true
}
