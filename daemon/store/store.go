// Package store has the statements of all parts on the database that package db opens. Each exported method is one transaction,
// composed of unexported helpers that take the transaction, most of them as a work, which stops at its first error.
package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"nightjar/daemon/db"
)

// Store is an open database.
type Store struct {
	*db.DB
	Listen string // ADDR:PORT of the dashboard, whose pages are not stored; set before the store is used, may be ""
	hosts  *HostMemory

	importing sync.Mutex   // held by the import that is going on
	erasures  atomic.Int64 // starts and ends of erasures so far
}

// options are what the database needs to know of the statements here.
var options = db.Options{Often: often, Tables: []string{"topics", "sessions", "events", "settings"}, Views: []db.View{notImporting}}

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
	insertFetch, insertContent, insertEntry, setEntry, setLastSeq, holdEntry, finishEntry, dropEntry, beginEntry, countContact, setTotals, openHost, keepHost,
	visitedBefore, listRefused, insertFind, grantTask, arriveTask, moveTask, commitTask, crawlStatus,
}

// Erasures returns a number that changes when an erasure starts and when it ends. Data that was read before the number
// changed may have been erased.
func (s *Store) Erasures() int64 { return s.erasures.Load() }

// erasing notes that an erasure starts. The returned function notes its end.
func (s *Store) erasing() (end func()) {
	s.erasures.Add(1)
	return func() { s.erasures.Add(1) }
}

// scrub moves the write-ahead log into the file and empties it, so that erased data is in neither: secure_delete
// overwrites it in the file, erased pages lose their links, and erased words leave the search index. While another connection
// reads, or when there is much of it, the rest is left to later: to the next checkpoint, and to PutLinks and MergeSearch in the
// background.
func (s *Store) scrub(ctx context.Context) error {
	if err := s.forgetLinks(ctx, 2*time.Second); err != nil {
		return err
	}
	if _, err := s.MergeSearch(ctx, 2*time.Second); err != nil {
		return err
	}
	return s.Checkpoint(ctx)
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
