package archive

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/crawler/fetch"
)

// DefaultMaxFile is the size in bytes at which a file is full.
const DefaultMaxFile = 100 << 20

// ErrInUse says that another process has locked the folder.
var ErrInUse = errors.New("another process is using the archive")

// Options are the settings of an archive.
type Options struct {
	Dir      string      // created if missing, with access for its owner only
	MaxFile  int64       // bytes at which the next file begins; 0 is DefaultMaxFile
	Clock    clock.Clock // nil means the system's
	Software string      // such as "Nightjar/0.3"
}

// About is what the warcinfo record of a file says about its night. Empty fields are left out.
type About struct {
	Description string
	Operator    string // the person's contact
	UserAgent   string // as sent to servers
}

// Archive is a folder of WARC files. It is safe for concurrent use, by one process at a time.
type Archive struct {
	o     Options
	clock clock.Clock
	lock  *flock.Flock
	tidy  sync.Mutex // held while files are deleted or rewritten

	naming sync.Mutex     // held while a file is renamed, and while the folder is listed
	ending sync.WaitGroup // counts files that are being ended; Add needs mu
	endMu  sync.Mutex
	endErr error // of those files

	mu         sync.Mutex // guards the following fields
	closed     bool
	about      About
	night      string // name of the night's files up to their number, "" before its first record
	number     int    // of the night's next file
	cur        *file  // file being written, nil if none
	known      map[digest]original
	generation int // grows when the known originals can no longer be referred to
}

var _ crawler.Archive = (*Archive)(nil)

// Open locks the folder and finishes the files that a killed process left open: it cuts off an incomplete record. The error
// wraps ErrInUse while another process has the folder.
func Open(o Options) (*Archive, error) {
	if o.MaxFile <= 0 {
		o.MaxFile = DefaultMaxFile
	}
	if err := durable.MkdirAll(o.Dir); err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	lock := flock.New(filepath.Join(o.Dir, "lock"), flock.SetPermissions(0o600))
	switch held, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("open archive %s: %w", o.Dir, err)
	case !held:
		return nil, fmt.Errorf("open archive %s: %w", o.Dir, ErrInUse)
	}
	a := &Archive{o: o, clock: clock.Or(o.Clock), lock: lock, known: map[digest]original{}}
	if err := a.recover(); err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", o.Dir, err), lock.Unlock())
	}
	return a, nil
}

// Dir is the folder.
func (a *Archive) Dir() string { return a.o.Dir }

// Begin ends the previous night and starts a new one, whose files begin with about.
func (a *Archive) Begin(about About) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.finish()
	a.about = about
	return err
}

// Finish ends the night and its last file. Later records belong to another night.
func (a *Archive) Finish() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.finish()
}

// finish ends the night; mu is held.
func (a *Archive) finish() error {
	a.night, a.number = "", 0
	a.forget()
	return a.endFile()
}

// forget makes sure that later records refer to none of the present ones; mu is held.
func (a *Archive) forget() {
	clear(a.known)
	a.generation++
}

// Close ends the night and unlocks the folder.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil
	}
	a.closed = true
	return errors.Join(a.finish(), a.lock.Unlock())
}

// Write stores the exchanges that have an answer, all of them or, with an error, none. The error wraps ENOSPC if the disk
// is full. Write returns the place of the last answer to a request for a page, otherwise of the last answer, and the zero
// Place if there is no answer.
func (a *Archive) Write(ctx context.Context, exchanges []fetch.Exchange) (crawler.Place, error) {
	if err := ctx.Err(); err != nil {
		return crawler.Place{}, err
	}
	b := &batch{}
	b.add(exchanges)
	for {
		generation := a.originals(b)
		if err := b.encode(); err != nil {
			return crawler.Place{}, fmt.Errorf("archive: %w", err)
		}
		if b.data.Len() == 0 {
			return crawler.Place{}, nil
		}
		place, again, err := a.put(b, generation)
		if err != nil {
			return crawler.Place{}, fmt.Errorf("archive: %w", err)
		}
		if !again {
			return place, nil
		}
	}
}

// put writes an encoded batch with one write. With again, the originals that the batch refers to are no longer valid, and
// it must be encoded again.
func (a *Archive) put(b *batch, generation int) (place crawler.Place, again bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closed:
		return place, false, errors.New("already closed")
	case generation != a.generation:
		return place, true, nil
	}
	if a.cur != nil && a.cur.size >= a.o.MaxFile {
		a.rotate()
	}
	if a.cur == nil {
		if err := a.beginFile(); err != nil {
			return place, false, err
		}
	}
	at := a.cur.size
	failpoint.Here("archive.before-write")
	if err := a.cur.append(b.data.Bytes()); err != nil {
		if a.cur.broken {
			err = errors.Join(err, a.endFile())
		}
		return place, false, err
	}
	failpoint.Here("archive.written")
	page := false
	for i := range b.items {
		it := &b.items[i]
		in := crawler.Place{File: a.cur.name, Offset: at + it.at}
		a.remember(it, in)
		if it.Purpose == fetch.ForPage || it.Purpose == fetch.ForRedirect {
			place, page = in, true
		} else if !page {
			place = in
		}
	}
	return place, false, nil
}

// now is the time for names and headers.
func (a *Archive) now() time.Time { return a.clock.Now().UTC() }
