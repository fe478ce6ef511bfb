package store

import (
	"context"
	"database/sql"
	"fmt"
)

// linkBudget is the number of rows that a transaction on links changes before it ends, so that other writers do not wait.
const linkBudget = 4000

// linkPiece is the number of rows after which a transaction on links looks whether events wait to be stored, and ends then.
const linkPiece = 400

// PageLinks are the links of a page, which replace those that are stored of it.
type PageLinks struct {
	LinkSource
	Links []Link
}

// PutLinks stores the links of pages. It leaves out pages that were queued again or erased since LinkQueue returned them. A
// page that is still known but whose content was thrown away keeps its links; one that is gone loses them. Ends are the
// addresses that links lead to, as far as that is known; a link to the page itself is none. Links that end at an address of
// the queue that is now known to lead elsewhere are moved there. Many links take several transactions: when one of them fails
// or the process dies, the page is still queued.
func (s *Store) PutLinks(ctx context.Context, all []PageLinks) error {
	jobs := make([]*linkJob, len(all))
	for i, p := range all {
		jobs[i] = &linkJob{PageLinks: p}
	}
	whole := context.WithoutCancel(ctx) // otherwise each statement starts a goroutine; the transaction ends with ctx
	if err := s.runLinks(ctx, jobs, func(w *linkWriter, j *linkJob) (bool, error) { return w.put(whole, j) }); err != nil {
		return fmt.Errorf("store the links of %d pages: %w", len(all), err)
	}
	return nil
}

// linkJob is one page in PutLinks.
type linkJob struct {
	PageLinks
	begun bool  // its old links are being deleted, and groupings were dropped
	done  int   // links that are stored
	page  int64 // for dropPage
}

// runLinks does jobs in transactions of about linkBudget rows. do reports whether a job is finished; it is called again for one
// that is not.
func (s *Store) runLinks(ctx context.Context, jobs []*linkJob, do func(*linkWriter, *linkJob) (bool, error)) error {
	for len(jobs) > 0 { // each transaction does a part at least
		err := s.writeDerived(ctx, func(tx *sql.Tx) error {
			w := &linkWriter{tx: tx, left: linkBudget, often: map[string]*sql.Stmt{}, words: map[string]int64{}, pages: map[string]int64{}}
			for begun := false; len(jobs) > 0 && w.left > 0 && !(begun && s.turns.wanted()); begun = true {
				done, err := do(w, jobs[0])
				if err != nil {
					return err
				}
				if done {
					jobs = jobs[1:]
				}
			}
			return w.prune(ctx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// linkWriter is one transaction on links.
type linkWriter struct {
	tx                 *sql.Tx
	often              map[string]*sql.Stmt // prepared statements by their text
	left               int                  // rows that it may still change
	words, pages       map[string]int64     // ids of rows that it wrote or read
	oldWords, oldPages []int64              // that may have lost their last link
}

// stmt returns a prepared statement, which ends with the transaction. A page has many links.
func (w *linkWriter) stmt(ctx context.Context, text string) (*sql.Stmt, error) {
	if w.often[text] != nil {
		return w.often[text], nil
	}
	made, err := w.tx.PrepareContext(ctx, text)
	if err == nil {
		w.often[text] = made
	}
	return made, err
}

// piece is the number of rows to change before the next look at what waits.
func (w *linkWriter) piece() int { return min(w.left, linkPiece) }

// put does a part of a job and reports whether that was the last one.
func (w *linkWriter) put(ctx context.Context, j *linkJob) (done bool, err error) {
	w.left-- // so that a queue of pages without links ends, too
	lost, err := single[bool](ctx, w.tx, `SELECT lost FROM link_queue WHERE id = ?`, j.QueueID)
	if err != nil {
		return optional(err) == nil, optional(err)
	}
	if done, err := w.move(ctx, j.URL); err != nil || !done {
		return false, err
	}
	forget := j.Hash != nil
	if !forget {
		if forget, err = w.gone(ctx, j.URL, lost); err != nil {
			return false, err
		}
	}
	if forget && j.done == 0 {
		if done, err := w.clear(ctx, j, lost); err != nil || !done {
			return false, err
		}
	}
	if j.Hash != nil {
		if done, err := w.insert(ctx, j); err != nil || !done {
			return false, err
		}
	}
	_, err = w.tx.ExecContext(ctx, `DELETE FROM link_queue WHERE id = ?`, j.QueueID)
	return true, err
}
