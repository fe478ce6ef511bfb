// Package store opens the database, and has the statements that several wings need: settings, contents of pages, marks of finds.
package store

import (
	"context"
	"slices"
	"sync"

	"nightjar/daemon/db"
)

// Store is an open database.
type Store struct {
	*db.DB
	Listen string // as in Options

	Importing sync.Mutex // held by the import that is going on
}

// Options of a store that is written to.
type Options struct {
	Listen string         // ADDR:PORT of the dashboard, whose pages are not stored; "" for none
	Wrote  func(error)    // called after each write with its error, nil if it was stored; may be nil
	Scrub  []db.ScrubStep // what wings delete after an erasure
}

// options are what the database needs to know of the statements here.
var options = db.Options{Tables: []string{"topics", "sessions", "events", "settings"}, Views: []db.View{notImporting},
	Scrub: []db.ScrubStep{mergeSearch}}

// notImporting hides sessions of an import that goes on from everything that only reads.
var notImporting = db.View{
	Needs: `SELECT importing FROM main.sessions LIMIT 0`,
	Make:  `CREATE TEMP VIEW sessions AS SELECT * FROM main.sessions WHERE importing = 0`,
}

// Open is OpenWith without options.
func Open(ctx context.Context, path string) (*Store, error) { return OpenWith(ctx, path, Options{}) }

// OpenWith opens the database at path, creates it if needed and migrates it to the newest schema; see db.Open.
func OpenWith(ctx context.Context, path string, o Options) (*Store, error) {
	all := options
	all.Scrub = slices.Concat(o.Scrub, options.Scrub)
	d, err := db.Open(ctx, path, all)
	if err != nil {
		return nil, err
	}
	d.Wrote = o.Wrote
	return &Store{DB: d, Listen: o.Listen}, nil
}

// Look opens the database at path only to read it; see db.Look.
func Look(ctx context.Context, path string) (*Store, error) {
	d, err := db.Look(ctx, path, options)
	if err != nil {
		return nil, err
	}
	return &Store{DB: d}, nil
}

// OpenReadOnly is Look for a database with the schema of this program; see db.OpenReadOnly.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	d, err := db.OpenReadOnly(ctx, path, options)
	if err != nil {
		return nil, err
	}
	return &Store{DB: d}, nil
}

// What callers of the statements here need of package db.
var (
	ErrNotFound    = db.ErrNotFound
	ErrNewer       = db.ErrNewer
	ErrOlder       = db.ErrOlder
	ErrNotNightjar = db.ErrNotNightjar

	Damaged    = db.Damaged
	FileURL    = db.FileURL
	IsFailing  = db.IsFailing
	IsFull     = db.IsFull
	IsLocked   = db.IsLocked
	IsReadOnly = db.IsReadOnly
	Unwritable = db.Unwritable
)

// Damage is db.Damage.
type Damage = db.Damage
