package db

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"nightjar/crawler/failpoint"
)

// When fsync fails, Linux forgets the pages that it could not write, and the next fsync succeeds without them. A write-ahead log
// with such a hole ends there after a power cut, with all that was committed behind the hole. Therefore no transaction begins after
// a commit or a checkpoint failed until a checkpoint has moved the whole log into the file, and the log begins anew. SQLite's own
// checkpoints are off: they do not tell that they failed.

// writeLog is what is known of the write-ahead log.
type writeLog struct {
	file  *os.File    // nil until it is needed
	doubt atomic.Bool // the disk may lack some of it
}

// maxLog is the number of frames from which on the log is moved into the file after each commit; 16 MB.
const maxLog = 4000

// Places in the log ([FILEFORMAT] §4.1).
const (
	logHeader   = 32
	logSalts    = 16
	frameSalts  = 8
	frameHeader = 24
	pageSize    = 4096
)

var errDoubt = errors.New("the disk failed to keep what was written before")

// doubt notes that a commit or a checkpoint failed. Two failures are harmless: a full disk says so when SQLite writes, and a lock
// before it does.
func (d *DB) doubt(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil && !IsFull(err) && !IsLocked(err) {
		d.log.doubt.Store(true)
	}
}

// MakeSure returns an error while nothing can be stored because the disk may lack some of the log.
func (d *DB) MakeSure(ctx context.Context) error { return d.makeSure(ctx, d.Writer) }

// makeSure lets the log begin anew if the disk may lack some of it. When that is not possible now, the error is one of IsFailing.
func (d *DB) makeSure(ctx context.Context, on connection) error {
	if !d.log.doubt.Load() {
		return nil
	}
	whole, err := checkpoint(ctx, on, "TRUNCATE")
	if err == nil && !whole {
		err = errors.New("somebody reads")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errDoubt, err)
	}
	d.log.doubt.Store(false)
	return nil
}

// shorten moves the log into the file once it is long, so that it begins anew with the next transaction.
func (d *DB) shorten(ctx context.Context, on connection) {
	ctx = context.WithoutCancel(ctx)
	long, err := d.log.long(d.path)
	if err == nil && long {
		_, err = checkpoint(ctx, on, "PASSIVE")
	}
	d.doubt(ctx, err)
}

// long reports whether the log has maxLog frames: whether the last of these has the salts of the log's header.
func (l *writeLog) long(path string) (bool, error) {
	if l.file == nil {
		file, err := os.Open(path + "-wal") // SQLite locks the other two files, but not this one: closing it ends no lock
		if err != nil {
			return false, err
		}
		l.file = file
	}
	var now, last [8]byte
	if n, _ := l.file.ReadAt(last[:], logHeader+(maxLog-1)*(frameHeader+pageSize)+frameSalts); n < len(last) {
		return false, nil // it is shorter
	}
	_, err := l.file.ReadAt(now[:], logSalts)
	return bytes.Equal(now[:], last[:]), err
}

func (l *writeLog) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Checkpoint moves the write-ahead log into the file and empties it. While somebody reads, some of it stays for the next one.
func (d *DB) Checkpoint(ctx context.Context) error {
	failpoint.Here("store.checkpoint")
	_, err := checkpoint(ctx, d.Writer, "TRUNCATE")
	d.doubt(ctx, err)
	return err
}

// checkpoint moves what it can of the log into the file, and reports whether that was all. Databases that are attached to read them
// stay as they are.
func checkpoint(ctx context.Context, on connection, how string) (whole bool, err error) {
	var busy, frames, moved int
	err = on.QueryRowContext(ctx, "PRAGMA main.wal_checkpoint("+how+")").Scan(&busy, &frames, &moved)
	return busy == 0 && frames == moved, err
}
