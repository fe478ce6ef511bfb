package leases

import (
	"context"
	"errors"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
)

// ErrTaken says that a worker of that name was invited before and not revoked.
var ErrTaken = errors.New("there is a worker of this name already; revoke it first, or choose another name")

// Worker is a machine that may ask for tasks.
type Worker struct {
	Name    string
	Key     string    // public nkey; it is never used again once the worker is revoked
	Joined  time.Time // zero until its first hello
	Seen    time.Time // the same
	Revoked time.Time // zero while it may work
	Paused  bool      // it gets no tasks
	Program string    // version of Nightjar, of its last hello
	WorkerCounts
}

// WorkerCounts are sums over all that a worker did.
type WorkerCounts struct {
	Pages      int   // results that were accepted
	Bytes      int64 // of their requests, on the wire
	Outcomes   map[fetch.Outcome]int
	Lost       int // tasks whose lease ended without a result
	Duplicates int // results that came again
	Unknown    int // results of tasks that are not there or were cancelled
	Refused    int // results that are malformed or do not answer their task
	Compared   int // pages that this machine fetched again
	Differing  int // of them those that were different
	Error      string
	ErrorAt    time.Time // zero for no error
}

const selectWorker = `SELECT name, key, joined_at, seen_at, revoked_at, paused, program, pages, bytes, outcomes, lost,
	duplicates, unknown, refused, compared, differing, error, error_at FROM workers `

// Workers lists the workers that were invited, by name, also those that were revoked.
func Workers(ctx context.Context, d *db.DB) ([]Worker, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Worker], selectWorker+`ORDER BY name`)
	return all, db.Wrap(err, "list workers")
}

// AddWorker stores that a worker is invited. Its key replaces that of one of the same name that was revoked. The error is ErrTaken
// while there is another one.
func AddWorker(ctx context.Context, d *db.DB, name, key string) error {
	n, err := d.Change(ctx, `INSERT INTO workers (name, key, invited_at) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE
		SET key = excluded.key, invited_at = excluded.invited_at, joined_at = NULL, revoked_at = NULL, paused = 0, error = '', error_at = NULL
		WHERE revoked_at IS NOT NULL`, name, key, db.Millis(d.Now()))
	if err == nil && n == 0 {
		return ErrTaken
	}
	return db.Wrap(err, "store a worker")
}

// RevokeWorker stores that a worker may no longer work. The error is ErrNotFound if there is no such worker.
func RevokeWorker(ctx context.Context, d *db.DB, name string) error {
	return changeWorker(ctx, d, `UPDATE workers SET revoked_at = coalesce(revoked_at, ?2), key = '' WHERE name = ?1`, name, db.Millis(d.Now()))
}

// RemoveWorker deletes a worker, or returns ErrNotFound. Pages that it fetched keep its name.
func RemoveWorker(ctx context.Context, d *db.DB, name string) error {
	return changeWorker(ctx, d, `DELETE FROM workers WHERE name = ?1`, name)
}

// PauseWorker stores whether a worker gets tasks, or returns ErrNotFound.
func PauseWorker(ctx context.Context, d *db.DB, name string, paused bool) error {
	return changeWorker(ctx, d, `UPDATE workers SET paused = ?2 WHERE name = ?1`, name, paused)
}

// WorkerJoined stores that a worker said hello, or returns ErrNotFound.
func WorkerJoined(ctx context.Context, d *db.DB, name, program string) error {
	return changeWorker(ctx, d, `UPDATE workers SET joined_at = coalesce(joined_at, ?2), seen_at = ?2, program = ?3 WHERE name = ?1`,
		name, db.Millis(d.Now()), program)
}

func changeWorker(ctx context.Context, d *db.DB, text string, args ...any) error {
	return db.Wrap(d.Must(ctx, db.ErrNotFound, text, args...), "store a worker")
}

// CountWorkers adds to the sums of workers, and stores when they were seen. Those that were removed meanwhile are left out.
func CountWorkers(ctx context.Context, d *db.DB, counts map[string]WorkerCounts, seen map[string]time.Time) error {
	err := d.Commit(ctx, func(w *db.Work) {
		for name, at := range seen {
			w.Exec(`UPDATE workers SET seen_at = max(coalesce(seen_at, 0), ?2) WHERE name = ?1`, name, db.Millis(at))
		}
		for name, c := range counts {
			countWorker(w, name, c)
		}
	})
	return db.Wrap(err, "store what workers did")
}

func countWorker(w *db.Work, name string, c WorkerCounts) {
	var outcomes map[fetch.Outcome]int
	if !w.Row(`SELECT outcomes FROM workers WHERE name = ?`, name).Find(db.JSONOf(&outcomes)) {
		return
	}
	if outcomes == nil {
		outcomes = map[fetch.Outcome]int{}
	}
	for o, n := range c.Outcomes {
		outcomes[o] += n
	}
	w.Exec(`UPDATE workers SET pages = pages + ?2, bytes = bytes + ?3, outcomes = ?4, lost = lost + ?5, duplicates = duplicates + ?6,
		unknown = unknown + ?7, refused = refused + ?8, compared = compared + ?9, differing = differing + ?10,
		error = iif(?12 IS NULL, error, ?11), error_at = coalesce(?12, error_at) WHERE name = ?1`,
		name, c.Pages, c.Bytes, db.JSONOf(outcomes), c.Lost, c.Duplicates, c.Unknown, c.Refused, c.Compared, c.Differing, c.Error, db.OrNull(c.ErrorAt))
}
