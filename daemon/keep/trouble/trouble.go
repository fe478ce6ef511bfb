// Package trouble knows what keeps a daemon from storing things: a full disk, a folder that may not be written, a database
// that another program holds, a disk that fails, a damaged file. It tells them apart by the error of a failed write, keeps
// those there are now, and says what they mean and what to do.
//
// Start with Board. The store tells it how each write ended, the dashboard, the doctor and ingest read it, and Watch tries
// to write until nothing is wrong any more, so that the daemon goes on by itself.
package trouble

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"nightjar/daemon/base/terminal"
	"nightjar/daemon/store"
)

// Kind is what is wrong.
type Kind string

// The kinds.
const (
	Full     Kind = "full"      // the disk has no room
	ReadOnly Kind = "read-only" // the data folder may not be written
	Locked   Kind = "locked"    // another program holds the database
	Failing  Kind = "failing"   // the system cannot read or write the file
	Damaged  Kind = "damaged"   // the database is no sound database
)

// Of returns what an error of a read or a write says is wrong, "" when it says something else. Nothing of a write that
// failed so was stored. Damaged has to be confirmed by a check, see Board.Saw.
func Of(err error) Kind {
	switch {
	case err == nil:
		return ""
	case store.IsFull(err), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return Full
	case store.Damaged(err):
		return Damaged
	case store.IsReadOnly(err), errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return ReadOnly
	case store.IsLocked(err):
		return Locked
	case store.IsFailing(err), errors.Is(err, syscall.EIO):
		return Failing
	}
	return ""
}

// Trouble is something that is wrong now.
type Trouble struct {
	Kind  Kind
	Since time.Time
	Dir   string // the data folder
}

// words are the texts of a kind. DIR stands for the data folder, RESTORE for the command that puts a backup in place.
type words struct{ title, says, fix string }

var texts = map[Kind]words{
	Full: {"The disk is full", "The disk is full, so nothing new can be stored. What was stored is safe, browsers keep what they record, and crawls wait.",
		"Free some space on the disk of DIR. Nightjar goes on by itself."},
	ReadOnly: {"Nothing can be written", "Nightjar may not write to its data folder, so nothing new can be stored. What was stored is safe, and browsers keep what they record.",
		"Make DIR and its files writable for you. Nightjar goes on by itself."},
	Locked: {"Another program holds the database", "Another program holds the database, so nothing new can be stored. Browsers keep what they record, and crawls wait.",
		"Close the program that has the database in DIR open, such as a backup program. Nightjar goes on by itself."},
	Failing: {"The disk fails", "The system cannot read or write the database. Browsers keep what they record.",
		"Check the disk of DIR. Nightjar goes on by itself when it can be written again."},
	Damaged: {"The database is damaged", "The database is damaged, so nothing new is stored. Browsers keep what they record.",
		"Stop Nightjar, then put a backup in its place, which keeps the damaged data: RESTORE"},
}

// Title is what is wrong, as a heading.
func (t Trouble) Title() string { return texts[t.Kind].title }

// Says is what is wrong and what that means, in whole sentences.
func (t Trouble) Says() string { return texts[t.Kind].says }

// Fix is what the person can do.
func (t Trouble) Fix() string {
	fix := expand(texts[t.Kind].fix, t.Dir)
	return strings.ReplaceAll(fix, "RESTORE", terminal.On(t.Dir, "restore BACKUP"))
}
