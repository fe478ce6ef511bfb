package trouble

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"nightjar/daemon/base/jobs"
)

func expand(text, dir string) string {
	if dir == "" {
		dir = "the data folder"
	}
	return strings.ReplaceAll(text, "DIR", dir)
}

// Board has what is wrong now. Its methods may be called concurrently; nothing is wrong on a nil one.
type Board struct {
	dir     string
	now     func() time.Time
	changed func(now []Trouble)
	suspect func(error)

	loop jobs.Loop // of Watch

	mu  sync.Mutex
	all []Trouble // in the order in which they were noticed
}

// New returns a board of a data folder on which nothing is wrong. changed is called after each change, with what is wrong
// from then on, and suspect with errors that may mean a damaged database; both may be nil.
func New(dir string, now func() time.Time, changed func([]Trouble), suspect func(error)) *Board {
	if changed == nil {
		changed = func([]Trouble) {}
	}
	if suspect == nil {
		suspect = func(error) {}
	}
	return &Board{dir: dir, now: now, changed: changed, suspect: suspect}
}

// Saw tells how a read or a write ended. An error that is no trouble, and nil, change nothing: a small write may succeed where
// the next one does not. See Watch for what ends a trouble. That the database is damaged is for a check to say: suspect is told.
func (b *Board) Saw(err error) {
	switch kind := Of(err); {
	case b == nil, kind == "":
	case kind != Damaged:
		b.Add(kind)
	default:
		b.suspect(err)
	}
}

// Add tells that something is wrong.
func (b *Board) Add(kind Kind) {
	if b == nil {
		return
	}
	b.mu.Lock()
	if slices.ContainsFunc(b.all, func(t Trouble) bool { return t.Kind == kind }) {
		b.mu.Unlock()
		return
	}
	b.all = append(b.all, b.about(kind))
	all := slices.Clone(b.all)
	b.mu.Unlock()
	b.loop.Wake()
	b.changed(all)
}

func (b *Board) about(kind Kind) Trouble { return Trouble{Kind: kind, Since: b.now(), Dir: b.dir} }

// About returns the words for an error that is a trouble, also when it is not on the board. One that may mean damage is none
// until a check has found it.
func (b *Board) About(err error) (Trouble, bool) {
	kind := Of(err)
	if kind == "" || kind == Damaged {
		return Trouble{}, false
	}
	if b == nil {
		return Trouble{Kind: kind}, true
	}
	return b.about(kind), true
}

// End tells that nothing is wrong any more but a damaged database, which does not mend itself.
func (b *Board) End() {
	b.mu.Lock()
	had := len(b.all)
	b.all = slices.DeleteFunc(b.all, func(t Trouble) bool { return t.Kind != Damaged })
	all, ended := slices.Clone(b.all), had != len(b.all)
	b.mu.Unlock()
	if ended {
		b.changed(all)
	}
}

// Now returns what is wrong now, in the order in which it was noticed.
func (b *Board) Now() []Trouble {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.all)
}

// Watch tries a write again and again while something is wrong that may pass, and ends the trouble when it succeeds. It
// returns when ctx ends.
func (b *Board) Watch(ctx context.Context, every time.Duration, try func(context.Context) error) {
	b.loop.First, b.loop.Settle, b.loop.Retry, b.loop.Failed = every, every, every, b.Saw
	b.loop.Step = func(ctx context.Context) (time.Duration, error) {
		if !slices.ContainsFunc(b.Now(), func(t Trouble) bool { return t.Kind != Damaged }) {
			return jobs.Never, nil
		}
		err := try(ctx)
		if err == nil {
			b.End()
		}
		return every, err
	}
	_ = b.loop.Run(ctx) // always nil
}
