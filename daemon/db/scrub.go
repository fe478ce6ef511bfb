package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler/failpoint"
)

// Erasures returns a number that changes when an erasure starts and when it ends. Data that was read before the number
// changed may have been erased.
func (d *DB) Erasures() int64 { return d.erasures.Load() }

// Erasing notes that an erasure starts. The returned function notes its end.
func (d *DB) Erasing() (end func()) {
	d.underWay.Add(1)
	d.erasures.Add(1)
	return func() {
		d.erasures.Add(1)
		d.underWay.Add(-1)
	}
}

// ErrErased says that what was read may have been erased meanwhile: it must be read again.
var ErrErased = errors.New("something was erased meanwhile")

// Unerased fails with ErrErased unless nothing was erased since Erasures was the given number, and nothing is being erased. A
// transaction that stores what was made of data read then begins with it: an erasure that starts later finds what it stores.
func (w *Work) Unerased(d *DB, erasures int64) {
	if d.underWay.Load() > 0 || d.Erasures() != erasures {
		w.Fail(ErrErased)
	}
}

// ScrubStep deletes what was made of erased data, and stops after about the duration most. What is left then is deleted later.
type ScrubStep func(ctx context.Context, d *DB, most time.Duration) error

// How long the steps of Options.Scrub may take at once.
const (
	soon  = 2 * time.Second
	fully = time.Minute
)

// ScrubSoon moves the write-ahead log into the file and empties it, so that erased data is in neither: secure_delete
// overwrites it in the file, and the steps of Options.Scrub delete what was made of it. While another connection reads, or
// when there is much of it, the rest is left to later: to the next checkpoint, and to work in the background.
func (d *DB) ScrubSoon(ctx context.Context) error {
	if err := d.scrubSteps(ctx, soon); err != nil {
		return err
	}
	return d.Checkpoint(ctx)
}

// Scrub rewrites the file without deleted data, and empties the write-ahead log.
func (d *DB) Scrub(ctx context.Context) error {
	if err := d.scrubSteps(ctx, fully); err != nil {
		return err
	}
	for _, text := range []string{`VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`} {
		failpoint.Here("store.scrub-step")
		if _, err := d.Writer.ExecContext(ctx, text); err != nil {
			d.Ended(err)
			return fmt.Errorf("scrub the database file: %w", err)
		}
	}
	return nil
}

func (d *DB) scrubSteps(ctx context.Context, most time.Duration) error {
	for _, step := range d.scrubs {
		if err := step(ctx, d, most); err != nil {
			return err
		}
	}
	return nil
}
