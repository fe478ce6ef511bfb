package safekeeping

import (
	"context"
	"time"

	"nightjar/daemon/store"
)

// Damage says what is wrong with a database.
type Damage struct {
	Path   string    // of the file
	Found  time.Time // when it was found
	Faults []string  // in SQLite's words or ours, at least one
}

// Part is what can still be read of one kind of data.
type Part struct {
	Name string
	Rows int   // that can be counted
	Err  error // why it cannot be read; nil if it can
}

// Readable counts what can be read of a damaged database, without changing it. A count that needs longer than ctx says so
// by its error.
func Readable(ctx context.Context, path string) []Part {
	s, err := store.Look(ctx, path)
	if err != nil {
		return nil
	}
	defer func() { _ = s.Close() }() // it only reads
	var all []Part
	for _, c := range Countable {
		n, err := CountRows(ctx, s.DB, c.Table)
		all = append(all, Part{Name: c.Name, Rows: n, Err: err})
	}
	return all
}
