package store

import (
	"context"
	"errors"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// failed reports whether an error is one of the database with a primary code among these (https://sqlite.org/rescode.html).
func failed(err error, codes ...int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(codes, e.Code()&0xff)
}

// IsFull reports whether a write failed because the disk is full. Nothing of that write was stored and the database is
// intact, so the write can be retried when there is room.
func IsFull(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE {
		return true // there is no room for the index of the write-ahead log
	}
	return failed(err, sqlite3.SQLITE_FULL)
}

// IsReadOnly reports whether a statement failed because the database, or the folder that it is in, may not be written.
func IsReadOnly(err error) bool {
	return failed(err, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH)
}

// IsLocked reports whether a statement failed because another program holds the database for longer than was waited.
func IsLocked(err error) bool { return failed(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) }

// IsFailing reports whether the system could not read or write the file, for another reason than a full disk.
func IsFailing(err error) bool { return failed(err, sqlite3.SQLITE_IOERR) && !IsFull(err) }

// Unwritable reports whether a write failed because nothing can be stored now, whatever it is. What is only kept to save work
// may go unkept then.
func Unwritable(err error) bool {
	return IsFull(err) || IsReadOnly(err) || IsLocked(err) || IsFailing(err)
}

// wrote tells how a write ended.
func (s *Store) wrote(err error) {
	if s.Wrote != nil {
		s.Wrote(err)
	}
}

// room is how many bytes TryWrite writes: enough for a batch of events or the rows of a fetch.
const room = 1 << 20

// TryWrite stores something that needs about 1 MB and deletes it again. It returns nil when there is room and nothing else
// keeps the store from writing. It tells Wrote nothing.
func (s *Store) TryWrite(ctx context.Context) error {
	for _, text := range []string{
		`INSERT OR REPLACE INTO settings (key, value) VALUES ('room', printf('%.*c', ?, 'x'))`,
		`DELETE FROM settings WHERE key = 'room' AND length(value) <= ?`,
	} {
		if _, err := s.w.ExecContext(ctx, text, room); err != nil {
			return err
		}
	}
	return nil
}
