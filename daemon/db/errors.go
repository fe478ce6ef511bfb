package db

import (
	"errors"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Failed reports whether an error is one of the database with a primary code among these (https://sqlite.org/rescode.html).
func Failed(err error, codes ...int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(codes, e.Code()&0xff)
}

// IsFull reports whether a write failed because the disk is full. Nothing of that write was stored and the database is
// intact, so the write can be retried when there is room.
func IsFull(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE {
		return true // there is no room for the index of the write-ahead log
	}
	return Failed(err, sqlite3.SQLITE_FULL)
}

// IsReadOnly reports whether a statement failed because the database, or the folder that it is in, may not be written.
func IsReadOnly(err error) bool {
	return Failed(err, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH)
}

// IsLocked reports whether a statement failed because another program holds the database for longer than was waited.
func IsLocked(err error) bool { return Failed(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) }

// IsFailing reports whether the system could not read or write the file, for another reason than a full disk.
func IsFailing(err error) bool {
	return errors.Is(err, errDoubt) || Failed(err, sqlite3.SQLITE_IOERR) && !IsFull(err)
}

// Unwritable reports whether a write failed because nothing can be stored now, whatever it is. What is only kept to save work
// may go unkept then.
func Unwritable(err error) bool {
	return IsFull(err) || IsReadOnly(err) || IsLocked(err) || IsFailing(err)
}

// Ended tells Wrote how a write ended.
func (d *DB) Ended(err error) {
	if d.Wrote != nil {
		d.Wrote(err)
	}
}
