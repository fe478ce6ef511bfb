package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
)

// DefaultMaxFile is the size in bytes at which a file is full.
const DefaultMaxFile = 100 << 20

// ErrInUse says that another process holds the folder.
var ErrInUse = errors.New("another process is using the archive")

// Options say where an archive is and what its files tell of themselves.
type Options struct {
	Dir      string      // made when it is missing, for the person alone
	MaxFile  int64       // bytes at which the next file begins; 0 is DefaultMaxFile
	Clock    clock.Clock // nil means the machine's
	Software string      // such as "Nightjar/0.3"
	About    About       // of what Write keeps, until Begin says otherwise
}

// About is what files tell of the night that they are of. "" leaves a part out.
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
	tidy  sync.Mutex // held by whatever deletes or rewrites files

	naming sync.Mutex     // held while a file loses its suffix, and while the folder is listed
	ending sync.WaitGroup // files that are full; added to while mu is held
	endMu  sync.Mutex
	endErr error // what befell them

	mu         sync.Mutex // of what follows
	closed     bool
	about      About
	night      string // name of the night's files up to their number, "" before its first record
	number     int    // of the night's next file
	cur        *file  // written to, nil when none is
	known      map[digest]original
	generation int // counts what makes known originals unfit to be referred to
}

var _ crawler.Archive = (*Archive)(nil)

// Open takes the folder. Files that a killed process left open are finished: a record that is not whole is cut off. The
// error is ErrInUse while another process has the folder.
func Open(o Options) (*Archive, error) {
	if o.MaxFile <= 0 {
		o.MaxFile = DefaultMaxFile
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	lock := flock.New(filepath.Join(o.Dir, "lock"), flock.SetPermissions(0o600))
	switch held, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("open archive %s: %w", o.Dir, err)
	case !held:
		return nil, fmt.Errorf("open archive %s: %w", o.Dir, ErrInUse)
	}
	a := &Archive{o: o, clock: clock.Or(o.Clock), lock: lock, about: o.About, known: map[digest]original{}}
	if err := a.recover(); err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", o.Dir, err), lock.Unlock())
	}
	return a, nil
}

// Dir is the folder.
func (a *Archive) Dir() string { return a.o.Dir }

// Begin starts a night: what was written before ends, and the next record begins a file that tells this of itself.
func (a *Archive) Begin(about About) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.finish()
	a.about = about
	return err
}

// Finish ends the night: its last file is complete. Whatever is written later is another night's.
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

// forget makes later records refer to none of the present ones; mu is held.
func (a *Archive) forget() {
	clear(a.known)
	a.generation++
}

// Close ends the night and gives the folder back.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil
	}
	a.closed = true
	return errors.Join(a.finish(), a.lock.Unlock())
}

// Write keeps the exchanges that have an answer, and returns where the last of them is that was asked for as a page, or
// without one just the last. Either all of them are kept, or
// none and an error says why; ENOSPC can be told from it. Nothing is kept and the zero Place returned when none has an
// answer.
func (a *Archive) Write(ctx context.Context, exchanges []fetch.Exchange) (crawler.Place, error) {
	if err := ctx.Err(); err != nil {
		return crawler.Place{}, err
	}
	b := batches.Get().(*batch)
	defer b.free()
	b.take(exchanges)
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

// put writes an encoded batch with one write. It must be encoded again when what it refers to went out of use meanwhile.
func (a *Archive) put(b *batch, generation int) (place crawler.Place, again bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closed:
		return place, false, errors.New("is closed")
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
	if err := a.cur.append(b.data.Bytes()); err != nil {
		if a.cur.broken {
			err = errors.Join(err, a.endFile())
		}
		return place, false, err
	}
	page := false
	for i := range b.items {
		it := &b.items[i]
		in := crawler.Place{File: a.cur.name, Offset: at + it.at}
		a.learn(it, in)
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
