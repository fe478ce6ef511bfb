// Package store has the statements of all parts on the database that package db opens. Each exported method is one transaction,
// composed of unexported helpers that take the transaction, most of them as a work, which stops at its first error.
package store

import (
	"context"
	"sync"
	"time"

	"nightjar/daemon/db"
)

// Store is an open database.
type Store struct {
	*db.DB
	Listen string // ADDR:PORT of the dashboard, whose pages are not stored; set before the store is used, may be ""
	hosts  *HostMemory

	importing sync.Mutex // held by the import that is going on
}

// options are what the database needs to know of the statements here.
var options = db.Options{Often: often, Tables: []string{"topics", "sessions", "events", "settings"}, Views: []db.View{notImporting},
	Scrub: []func(context.Context, *db.DB, time.Duration) error{forgetLinks, mergeSearch}}

// Open opens the database at path, creates it if needed and migrates it to the newest schema; see db.Open.
func Open(ctx context.Context, path string) (*Store, error) {
	d, err := db.Open(ctx, path, options)
	if err != nil {
		return nil, err
	}
	s := &Store{DB: d}
	s.hosts = newHostMemory(s)
	return s, nil
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

// often are the statements of crawls, which are prepared once.
var often = []string{
	insertFetch, InsertContent, insertEntry, setEntry, setLastSeq, holdEntry, finishEntry, dropEntry, beginEntry, countContact, setTotals, openHost, keepHost,
	visitedBefore, listRefused, insertFind, grantTask, arriveTask, moveTask, commitTask, crawlStatus,
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
