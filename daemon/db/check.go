package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A check has a connection of its own. FTS5 remembers the structure of the search index that a connection searched, and its
// check does not look whether another connection has changed it since: on a pool that searches, a sound index looks damaged.
// What a check finds is only damage when a second one, with another new connection, finds faults, too.

// Damage is the error of a check: SQLite found the database file damaged, twice.
type Damage struct{ Faults []string }

func (d *Damage) Error() string { return "the database is damaged: " + strings.Join(d.Faults, "; ") }

// Damaged reports whether an error says that a file is damaged or not a database. Only errors that SQLite classifies so count.
// The error of a single statement is a reason to check the file; that of a Check has been confirmed.
func Damaged(err error) bool {
	if _, ok := errors.AsType[*Damage](err); ok {
		return true
	}
	if Failed(err, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) {
		return true
	}
	// FTS5 has no code of its own for an index whose settings are damaged.
	_, ok := errors.AsType[*sqlite.Error](err)
	return ok && strings.Contains(err.Error(), "invalid fts5 file format")
}

// maxFaults bounds the faults that a check lists.
const maxFaults = 5

// Check checks the whole file: its structure, its indexes and all foreign keys. The error is a *Damage when the file is damaged;
// another one says why the check could not be made, or that rows refer to missing ones.
func (d *DB) Check(ctx context.Context) error {
	if err := CheckFile(ctx, toLook(d.path)); err != nil {
		return err
	}
	return CheckReferences(ctx, d.Readers)
}

// CheckFile checks the structure and the indexes of a database file. The error is a *Damage when it is damaged.
func CheckFile(ctx context.Context, source string) error {
	faults, err := Confirmed(ctx, func() ([]string, error) { return FaultsAlone(ctx, source, Full) })
	if err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if len(faults) > 0 {
		return &Damage{faults}
	}
	return nil
}

// QuickCheck checks the structure of the database file and returns its first faults, none when it is sound. It reads the
// whole file, except for the contents of indexes; when ctx ends first, it returns the error of ctx.
func (d *DB) QuickCheck(ctx context.Context) (faults []string, err error) {
	return Confirmed(ctx, func() ([]string, error) { return FaultsAlone(ctx, toLook(d.path), Quick) })
}

// Confirmed makes a check, and makes it again when it finds faults. It returns those of the second time.
func Confirmed(ctx context.Context, check func() ([]string, error)) (faults []string, err error) {
	if faults, err = check(); err == nil && len(faults) > 0 {
		faults, err = check()
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return faults, err
}

// FaultsAlone makes a check with a connection that is opened for it and closed after it.
func FaultsAlone(ctx context.Context, source, check string) (faults []string, err error) {
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	faults, err = FaultsOf(ctx, db, check)
	return faults, errors.Join(err, db.Close())
}

// The checks of SQLite.
const (
	Quick = "quick_check"
	Full  = "integrity_check"
)

// FaultsOf makes one of SQLite's checks.
func FaultsOf(ctx context.Context, q Queryer, check string) ([]string, error) {
	words, err := Query(ctx, q, ScanText, fmt.Sprintf("PRAGMA %s(%d)", check, maxFaults))
	if err != nil {
		return OrFault(err)
	}
	if len(words) == 1 && words[0] == "ok" {
		return nil, nil
	}
	var faults []string
	for line := range strings.Lines(strings.Join(words, "\n")) { // the first row has several, and a headline
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "***") {
			continue
		}
		if notRead(line) {
			return nil, fmt.Errorf("the file could not be read: %s", line)
		}
		faults = append(faults, line)
	}
	return faults, nil
}

// OrFault makes a fault of an error that says that the file is damaged.
func OrFault(err error) ([]string, error) {
	if Damaged(err) {
		return []string{err.Error()}, nil
	}
	return nil, err
}

// unreadPage is a row of a check that gives the error of reading a page.
var unreadPage = regexp.MustCompile(`unable to get the page\. error code=(\d+)`)

// notRead reports whether a row of a check says that a page could not be read, or the search index not be looked through, for a
// reason that is no damage: SQLite lists these among the faults. What it says of other pages then means nothing.
func notRead(line string) bool {
	if page := unreadPage.FindStringSubmatch(line); page != nil {
		code, err := strconv.Atoi(page[1])
		return err == nil && code&0xff != sqlite3.SQLITE_CORRUPT && code&0xff != sqlite3.SQLITE_NOTADB
	}
	return strings.Contains(line, "failed to get page ") || strings.HasPrefix(line, "unable to validate the inverted index ")
}

// CheckReferences returns an error when rows refer to missing ones.
func CheckReferences(ctx context.Context, q Queryer) error {
	broken, err := Query(ctx, q, ScanText, "SELECT \"table\" FROM pragma_foreign_key_check")
	if err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if len(broken) > 0 {
		return fmt.Errorf("check database: %d rows refer to missing rows, the first in table %s", len(broken), broken[0])
	}
	return nil
}
