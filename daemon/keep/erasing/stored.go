package erasing

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Steps of an erasing, in order.
const (
	StepRows     = "rows"     // what is stored about the site
	StepContents = "contents" // links to it in stored pages
	StepArchive  = "archive"  // it and links to it in recordings
	StepScrub    = "scrub"    // addresses in other texts, and what the files still have of deleted rows
	StepCheck    = "check"    // look through all again
	StepDone     = "done"
)

// Erasing is a site that is being erased or was. It goes on after a restart.
type Erasing struct {
	ID      int64
	Host    string // "" when it is done: nothing of the site is kept
	Step    string
	After   []byte // StepContents, StepCheck: hash of the last content that was looked at
	Counts  Counts
	Problem string // why it waits, in words
	Began   time.Time
	Ended   time.Time // zero until then
}

// Counts says what an erasing did.
type Counts struct {
	Total      int     `json:"total"`      // contents that are looked through
	Looked     int     `json:"looked"`     // of them so far
	Changed    int     `json:"changed"`    // that linked to the site
	Unreadable int     `json:"unreadable"` // that are damaged, and may still do
	Records    int     `json:"records"`    // deleted from recordings
	Rewritten  int     `json:"rewritten"`  // of recordings, that linked to the site
	Texts      int     `json:"texts"`      // other texts from which its address was taken
	Topics     []int64 `json:"topics,omitempty"`
	Rounds     int     `json:"rounds"`   // of looking through all
	Found      int     `json:"found"`    // by the last of them; it was erased, too
	Left       int     `json:"left"`     // values with an address of the site that could not be erased
	Mentions   int     `json:"mentions"` // values with its bare name, which others wrote
}

const selectErasing = `SELECT id, host, step, after, counts, problem, began_at, ended_at FROM erasings `

// Begin stores a request to erase a site. If it is already being erased, its row is returned.
func Begin(ctx context.Context, d *db.DB, host string) (e Erasing, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		if !w.Has(`SELECT EXISTS (SELECT 1 FROM erasings WHERE host = ?)`, host) {
			w.Exec(`INSERT INTO erasings (host, step, began_at) VALUES (?, 'rows', ?)`, host, db.Millis(d.Now()))
		}
		e = db.First(w, db.Fields[Erasing], selectErasing+`WHERE host = ?`, host)
	})
	return e, db.Wrap(err, "begin to erase %s", host)
}

// Open lists the sites that are being erased, oldest first.
func Open(ctx context.Context, d *db.DB) ([]Erasing, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Erasing], selectErasing+`WHERE step <> 'done' ORDER BY id`)
	return all, db.Wrap(err, "list what is being erased")
}

// Last returns the erasing that ended last, or ErrNotFound.
func Last(ctx context.Context, d *db.DB) (Erasing, error) {
	return db.Found(db.Fields[Erasing](d.Readers.QueryRowContext(ctx, selectErasing+`WHERE step = 'done' ORDER BY ended_at DESC, id DESC LIMIT 1`)))
}

// Put stores the progress of an erasing.
func Put(ctx context.Context, d *db.DB, e Erasing) error {
	err := d.Commit(ctx, func(w *db.Work) { putErasing(w, e) })
	return db.Wrap(err, "note how far erasing is")
}

func putErasing(w *db.Work, e Erasing) {
	w.Exec(`UPDATE erasings SET host = ?, step = ?, after = ?, counts = ?, problem = ?, ended_at = ? WHERE id = ?`,
		e.Host, e.Step, append([]byte{}, e.After...), db.JSONOf(e.Counts), e.Problem, db.OrNull(e.Ended), e.ID)
}

// Rows is the first step of an erasing: Host without what rewrites the file. Then the step is StepContents.
func Rows(ctx context.Context, s *store.Store, wings []Wing, e *Erasing) error {
	next := *e
	_, err := eraseRowsOf(ctx, s, wings, e.Host, func(w *db.Work, topics []int64) {
		next.Step, next.After, next.Problem = StepContents, nil, ""
		next.Counts.Topics = db.Distinct(append(next.Counts.Topics, topics...))
		putErasing(w, next)
	})
	if err != nil {
		return err
	}
	*e = next
	failpoint.Here("erasing.rows-deleted")
	return nil
}

// unlinkMore takes a site out of the next contents, for StepContents and StepCheck, and reports whether all were looked at.
func unlinkMore(ctx context.Context, d *db.DB, wings []Wing, e *Erasing, unlink func(html []byte) (unlinkedPage, bool)) (done bool, err error) {
	next := *e
	if len(next.After) == 0 {
		next.Counts.Looked, next.Counts.Unreadable = 0, 0
		if err := d.Readers.QueryRowContext(ctx, `SELECT count(*) FROM contents`).Scan(&next.Counts.Total); err != nil {
			return false, fmt.Errorf("count stored pages: %w", err)
		}
	}
	last, _, err := unlinkContents(ctx, d, wings, e.After, unlink, func(w *db.Work, last []byte, n unlinks) {
		next.After = last
		next.Counts.Looked += n.Looked
		next.Counts.Changed += n.Changed
		next.Counts.Found += n.Changed
		next.Counts.Unreadable += n.Unreadable
		next.Counts.Topics = db.Distinct(append(next.Counts.Topics, n.Topics...))
		putErasing(w, next)
	})
	if err != nil {
		return false, err
	}
	*e = next
	return last == nil, nil
}
