package session

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/google/uuid"

	"nightjar/daemon/browse/protocol"
)

// MaxEvents is the number of events that one session file may hold. The place of each is in memory while a file is checked.
const MaxEvents = 1_000_000

// LineError is an error in a line of a session file.
type LineError struct {
	Line int // from 1
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without the line.
func (e *LineError) Unwrap() error { return e.Err }

// Checked is a session file of which every line is an event that may be stored, and the order of its events makes sense. The
// admitted events are on a scratch file, so that a file of any size takes little memory: 64 bytes an event, and one line.
type Checked struct {
	spool    io.ReaderAt
	entries  []entry // in the order of client and seq
	sessions []string
	last     map[string]int64
}

// entry is where an event is, and what its order is judged by.
type entry struct {
	id      uuid.UUID
	sum     [8]byte // of the event, to tell a repeated line from another event with the same id
	seq     int64
	offset  int64 // in the scratch file
	size    int32
	line    int32
	client  int32 // index
	session int32 // index
	kind    int8  // of the types whose order counts
}

// Values of entry.kind.
const (
	otherKind = iota
	startKind
	submitKind
	snapshotKind
)

// Scratch is a file for what does not fit in memory.
type Scratch interface {
	io.Writer
	io.ReaderAt
}

// Check reads a session file and writes its admitted events to scratch. Every line must be blank or a valid event of at most
// protocol.MaxMessage bytes that Admit accepts; a line that repeats an event is passed over. In each session, events have
// numbers of their own and one client, and none comes before the start. Numbers may be missing: pages are left out of
// sessions. The error is ErrEmpty, that of ctx or scratch, or a *LineError for the first line that is wrong.
func Check(ctx context.Context, r io.Reader, scratch Scratch) (*Checked, error) {
	c := &checking{
		Checked: &Checked{spool: scratch, last: map[string]int64{}}, out: bufio.NewWriterSize(scratch, 64<<10),
		clients: map[string]int32{}, sessions: map[string]int32{}, seen: map[uuid.UUID]int32{},
	}
	lines := linesOf(r)
	var line []byte
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		line, err = readLine(lines, line[:0])
		if err != nil && err != io.EOF {
			return nil, &LineError{n, err}
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if bad := c.take(text, n); bad != nil {
				return nil, bad
			}
		}
		if err == io.EOF {
			break
		}
	}
	if len(c.entries) == 0 {
		return nil, ErrEmpty
	}
	if err := c.out.Flush(); err != nil {
		return nil, err
	}
	return c.Checked, c.order()
}

// checking is a Checked in the making.
type checking struct {
	*Checked
	out      *bufio.Writer
	offset   int64
	names    []string // of clients
	clients  map[string]int32
	sessions map[string]int32
	seen     map[uuid.UUID]int32 // index of the entry
}

// take admits the event of one line.
func (c *checking) take(text []byte, line int) error {
	e, html, err := protocol.Open(text)
	if err != nil {
		return &LineError{line, err}
	}
	plain, err := json.Marshal(e)
	if err != nil {
		return &LineError{line, err}
	}
	id, err := uuid.Parse(e.ID)
	if err != nil {
		return &LineError{line, err}
	}
	sum := sha256.Sum256(plain)
	if at, twice := c.seen[id]; twice {
		if before := c.entries[at]; before.sum != [8]byte(sum[:8]) {
			return &LineError{line, fmt.Errorf("event id %s is used by another event, in line %d", e.ID, before.line)}
		}
		return nil
	}
	if len(c.entries) == MaxEvents {
		return &LineError{line, fmt.Errorf("the file holds more than %d events: import its sessions in several files", MaxEvents)}
	}
	a, err := Admit(e, html)
	if err != nil {
		return &LineError{line, err}
	}
	size, err := c.spoolEvent(a)
	if err != nil {
		return err
	}
	c.seen[id] = int32(len(c.entries))
	c.entries = append(c.entries, entry{
		id: id, sum: [8]byte(sum[:8]), seq: e.Seq, offset: c.offset, size: size, line: int32(line), kind: kindOf(e.Type),
		client: intern(c.clients, &c.names, e.Client), session: intern(c.sessions, &c.Checked.sessions, e.Session),
	})
	c.offset += int64(size)
	return nil
}

func (c *checking) spoolEvent(a Event) (size int32, err error) {
	text, err := a.Pack()
	if err != nil {
		return 0, err
	}
	n, err := c.out.Write(text)
	return int32(n), err
}

func kindOf(t protocol.Type) int8 {
	switch t {
	case protocol.SessionStart:
		return startKind
	case protocol.Submit:
		return submitKind
	case protocol.Snapshot:
		return snapshotKind
	}
	return otherKind
}

// intern returns the index of a name in names, where it is added when it is new.
func intern(index map[string]int32, names *[]string, name string) int32 {
	at, ok := index[name]
	if !ok {
		at = int32(len(*names))
		index[name], *names = at, append(*names, name)
	}
	return at
}

// order sorts the events by client and number, and checks the order of each session.
func (c *checking) order() error {
	slices.SortFunc(c.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(c.names[a.client], c.names[b.client]), cmp.Compare(a.seq, b.seq), cmp.Compare(a.line, b.line))
	})
	starts := make([]*entry, len(c.Checked.sessions))
	for i := range c.entries {
		e := &c.entries[i]
		switch e.kind {
		case startKind:
			if first := starts[e.session]; first != nil {
				return &LineError{int(max(e.line, first.line)), fmt.Errorf("session %s was already started, in line %d", c.Checked.sessions[e.session], min(e.line, first.line))}
			}
			starts[e.session] = e
		case submitKind:
			name := c.Checked.sessions[e.session]
			c.last[name] = max(c.last[name], e.seq)
		}
	}
	before := make([]*entry, len(starts)) // the last event of each session
	for i := range c.entries {
		e := &c.entries[i]
		if err := c.follows(e, before[e.session], starts[e.session]); err != nil {
			return err
		}
		before[e.session] = e
	}
	return nil
}

// follows checks an event against the one before it in its session and the start of the session, either of which may be nil.
func (c *checking) follows(e, before, start *entry) error {
	wrong := func(format string, args ...any) error { return &LineError{int(e.line), fmt.Errorf(format, args...)} }
	switch {
	case start != nil && start.client != e.client:
		return wrong("the session was started by another browser, in line %d", start.line)
	case start == nil && before != nil && before.client != e.client:
		return wrong("the session is of another browser in line %d", before.line)
	case start != nil && e.seq < start.seq:
		return wrong("number %d comes before the start of the session, which has number %d in line %d", e.seq, start.seq, start.line)
	case before == nil || before.seq != e.seq:
		return nil
	}
	// The text of a PDF that the daemon read has the number of the visit.
	same, err := c.samePage(e, before)
	if err != nil || same {
		return err
	}
	return wrong("number %d is used by another event of the session, in line %d", e.seq, before.line)
}

// samePage reports whether one of two events is a snapshot, and both are of one page load.
func (c *checking) samePage(a, b *entry) (bool, error) {
	if a.kind != snapshotKind && b.kind != snapshotKind {
		return false, nil
	}
	x, err := c.read(*a)
	if err != nil {
		return false, err
	}
	y, err := c.read(*b)
	return x.Page == y.Page && x.Type != y.Type, err
}

// read reads an event back from the scratch file.
func (c *Checked) read(e entry) (Event, error) {
	text := make([]byte, e.size)
	if _, err := c.spool.ReadAt(text, e.offset); err != nil {
		return Event{}, err
	}
	return Unpack(text)
}

// All gives the line and the event of each, in order of client and number. An error of the scratch file is the last.
func (c *Checked) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for _, e := range c.entries {
			event, err := c.read(e)
			if !yield(Line{int(e.line), event}, err) || err != nil {
				return
			}
		}
	}
}

// Line is an event and its line in a session file, from 1.
type Line struct {
	Number int
	Event  Event
}

// Sessions are the UUIDs of the sessions in the file.
func (c *Checked) Sessions() []string { return c.sessions }

// LastSubmit is the number of the last Submit of each session that has one.
func (c *Checked) LastSubmit() map[string]int64 { return c.last }
