// Package surfer simulates a person at a browser who opens addresses, follows links, goes back, and marks pages. Each step
// becomes the events that the extension would send. Sessions on made-up webs and on recordings are made with it.
//
// Start with New and Start; the steps are Open, Follow, Back, Useful, Label and Submit.
package surfer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
)

// Document is a loaded document.
type Document struct {
	URL  string // after redirects
	HTML []byte // UTF-8
}

// Loader loads the document at an address and follows redirects.
type Loader func(ctx context.Context, url string) (Document, error)

// Options configure a Surfer.
type Options struct {
	Client string     // UUID of the browser
	Topic  string     // of the session
	Start  time.Time  // when the session starts
	Rand   *rand.Rand // draws pauses and IDs; the same source gives the same events
	Load   Loader
	Emit   func(protocol.Event) error // takes each event in order
}

// Surfer is a person at a browser with one tab. It must be used by one goroutine, and not after an error.
type Surfer struct {
	o       Options
	events  *protocol.Sequence
	history []*Load // of the tab; the last one is shown
}

// Load is a loaded page or frame.
type Load struct {
	ID     string
	Page   *page.Page
	Frames []*Load
}

// New makes a surfer.
func New(o Options) *Surfer {
	return &Surfer{o: o, events: protocol.NewSequence(o.Client, o.Start, o.Rand)}
}

// NewClient draws the UUID of a browser.
func NewClient(rng *rand.Rand) string { return protocol.RandomUUID(rng) }

// Session is the ID of the session.
func (s *Surfer) Session() string { return s.events.Session }

// Shown is the current page, nil before the first.
func (s *Surfer) Shown() *Load {
	if len(s.history) == 0 {
		return nil
	}
	return s.history[len(s.history)-1]
}

// CanGoBack reports whether the tab's history has an earlier page.
func (s *Surfer) CanGoBack() bool { return len(s.history) > 1 }

// Start starts the session.
func (s *Surfer) Start() error {
	return s.emit(protocol.Event{Type: protocol.SessionStart, Topic: s.o.Topic})
}

// Open opens a typed address.
func (s *Surfer) Open(ctx context.Context, url string) error {
	return s.visit(ctx, url, protocol.HowTyped, "")
}

// Follow clicks a link of the current page or of one of its frames. An address that neither links to counts as a link that
// a script added to the page.
func (s *Surfer) Follow(ctx context.Context, url string) error {
	shown := s.Shown()
	if shown == nil {
		return fmt.Errorf("follow %s: no page is shown", url)
	}
	from := shown.Holder(url)
	if from == nil {
		from = shown
	}
	return s.visit(ctx, url, protocol.HowLink, from.ID)
}

// Back goes back by one page.
func (s *Surfer) Back() error {
	if !s.CanGoBack() {
		return fmt.Errorf("go back: there is no page before this one")
	}
	left := s.Shown()
	s.history = s.history[:len(s.history)-1]
	return s.emit(protocol.Event{Type: protocol.Back, Page: s.Shown().ID, From: left.ID})
}

// Useful marks the current page.
func (s *Surfer) Useful() error {
	shown := s.Shown()
	if shown == nil {
		return fmt.Errorf("mark a page: none is shown")
	}
	return s.emit(protocol.Event{Type: protocol.Useful, Page: shown.ID})
}

// Label gives the current page a name.
func (s *Surfer) Label(name string) error {
	shown := s.Shown()
	if shown == nil {
		return fmt.Errorf("name a page: none is shown")
	}
	return s.emit(protocol.Event{Type: protocol.Label, Page: shown.ID, Name: name})
}

// Submit ends the session.
func (s *Surfer) Submit() error { return s.emit(protocol.Event{Type: protocol.Submit}) }

// Holder is the load, l or a frame in it, that links to url; nil without one.
func (l *Load) Holder(url string) *Load {
	canonical, err := weburl.Canonical(url)
	if err != nil {
		return nil
	}
	if slices.ContainsFunc(l.Page.Links, func(link page.Link) bool { return link.URL == canonical }) {
		return l
	}
	for _, f := range l.Frames {
		if holder := f.Holder(url); holder != nil {
			return holder
		}
	}
	return nil
}

// visit loads an address with its frames and shows it.
func (s *Surfer) visit(ctx context.Context, url, how, from string) error {
	doc, err := s.o.Load(ctx, url)
	if err != nil {
		return fmt.Errorf("load %s: %w", url, err)
	}
	load, err := s.read(doc)
	if err != nil {
		return err
	}
	e := protocol.Event{Type: protocol.Visit, Page: load.ID, URL: doc.URL, Title: texts.First(load.Page.Title, protocol.MaxTitle), How: how, From: from}
	if url != doc.URL {
		e.Requested = url
	}
	if err := s.emit(e); err != nil {
		return err
	}
	s.history = append(s.history, load)
	return s.contents(ctx, load, doc, 0)
}

// read parses a document as a new load.
func (s *Surfer) read(doc Document) (*Load, error) {
	p, err := page.Parse(doc.URL, "text/html; charset=utf-8", doc.HTML)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", doc.URL, err)
	}
	return &Load{ID: s.events.UUID(), Page: p}, nil
}

// maxFrames is the maximum depth of nested frames.
const maxFrames = 3

// contents emits a load's snapshot and its frames. Frames that cannot be loaded are skipped.
func (s *Surfer) contents(ctx context.Context, load *Load, doc Document, depth int) error {
	html, truncated := doc.HTML, false
	if len(html) > protocol.MaxHTML {
		html, truncated = []byte(cutBytes(string(html), protocol.MaxHTML)), true
	}
	snapshot := protocol.Event{Type: protocol.Snapshot, Page: load.ID, HTML: protocol.Pack(html), Truncated: truncated}
	if err := s.emit(snapshot); err != nil {
		return err
	}
	if depth == maxFrames {
		return nil
	}
	for _, f := range load.Page.Frames {
		child, err := s.o.Load(ctx, f.URL)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		}
		inner, err := s.read(child)
		if err != nil {
			continue
		}
		load.Frames = append(load.Frames, inner)
		e := protocol.Event{Type: protocol.Frame, Page: inner.ID, Parent: load.ID, URL: child.URL, Kind: f.Kind}
		if err := s.emit(e); err != nil {
			return err
		}
		if err := s.contents(ctx, inner, child, depth+1); err != nil {
			return err
		}
	}
	return nil
}
