package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/protocol"
)

// Refusal is an event that will never be stored.
type Refusal struct {
	ID      string
	Code    protocol.Code
	Message string
}

// Ingested is what became of a batch of events.
type Ingested struct {
	Acked     []string // stored now or before
	Refused   []Refusal
	Submitted []int64  // topics of the sessions that were submitted just now and can be trained
	Sessions  []string // UUIDs of the sessions that something was stored of
}

// Ingest stores events in one transaction and says which are acked and which refused; see IngestBatch.
func (s *Store) Ingest(ctx context.Context, events []protocol.Event) (acked []string, refused []Refusal, err error) {
	in, err := s.IngestBatch(ctx, events)
	return in.Acked, in.Refused, err
}

// IngestBatch stores events in one transaction, in order of client and seq whatever order they are handed in, and
// projects them on sessions, visits, pages, links and marks. It is idempotent: an event whose id is stored is acked and
// changes nothing. Apart from the start and the end of a session, events may arrive in any order and the projections
// come out the same. On an error nothing was stored.
func (s *Store) IngestBatch(ctx context.Context, events []protocol.Event) (Ingested, error) {
	b := &batch{s: s, now: millis(s.Now()), sessions: map[string]bool{}}
	all, err := b.prepare(ctx, events)
	if err != nil {
		return Ingested{}, fmt.Errorf("ingest: %w", err)
	}
	if len(all) == 0 {
		return b.Ingested, nil
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		b.tx = tx
		for _, e := range all {
			if err := b.take(ctx, e); err != nil {
				return fmt.Errorf("event %s: %w", e.ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return Ingested{}, fmt.Errorf("ingest: %w", err)
	}
	for uuid := range b.sessions {
		b.Sessions = append(b.Sessions, uuid)
	}
	slices.Sort(b.Sessions)
	if b.scrub {
		return b.Ingested, s.scrub(ctx)
	}
	return b.Ingested, nil
}

// batch is one call of IngestBatch.
type batch struct {
	Ingested
	s        *Store
	tx       *sql.Tx
	now      int64
	never    []string
	sessions map[string]bool
	scrub    bool // something stored earlier was taken out again
}

// prepared is an event as it was looked at before the transaction: redacted, and its snapshot read.
type prepared struct {
	protocol.Event
	url    string // canonical, visits and frames
	html   []byte // unpacked, snapshots
	hash   []byte
	parsed *page.Page // nil when the page's URL is not known yet
}

// prepare validates, redacts and parses events and sorts them; those that break the format are refused here.
func (b *batch) prepare(ctx context.Context, events []protocol.Event) ([]*prepared, error) {
	all, err := b.s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	b.never = all.NeverRecord
	var out []*prepared
	urls := map[string]string{} // page load -> canonical URL
	for _, e := range events {
		p := &prepared{Event: e}
		if err := p.look(); err != nil {
			b.refuse(e.ID, protocol.CodeOf(err), err.Error())
			continue
		}
		if p.url != "" {
			urls[p.Page] = p.url
		}
		out = append(out, p)
	}
	for _, p := range out {
		if p.Type != protocol.Snapshot {
			continue
		}
		if urls[p.Page] == "" {
			if urls[p.Page], err = b.s.loadURL(ctx, b.s.r, p.Page); err != nil {
				return nil, err
			}
		}
		if err := p.parse(urls[p.Page]); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(x, y *prepared) int {
		return cmp.Or(strings.Compare(x.Client, y.Client), cmp.Compare(x.Seq, y.Seq))
	})
	return out, nil
}

// look checks one event and takes out what must not be kept.
func (p *prepared) look() error {
	html, err := p.Open()
	if err != nil {
		return err
	}
	if p.Type == protocol.Snapshot {
		sum := sha256.Sum256(html)
		p.html, p.hash = html, sum[:]
	}
	if p.URL == "" {
		return nil
	}
	p.URL = weburl.Redact(p.URL)
	if p.Requested != "" {
		p.Requested = weburl.Redact(p.Requested)
	}
	url, err := weburl.Canonical(p.URL)
	if err != nil {
		code := protocol.BadURL
		if errors.Is(err, weburl.ErrLong) {
			code = protocol.TooLarge
		}
		return &protocol.Invalid{ID: p.ID, Code: code, Message: "url: " + err.Error()}
	}
	p.url = url
	return nil
}

// unknownURL is the base of a snapshot whose visit is not there yet: enough to look for password fields.
const unknownURL = "http://unknown.invalid/"

func (p *prepared) parse(url string) error {
	known := url != ""
	if !known {
		url = unknownURL
	}
	parsed, err := parseHTML(url, p.html)
	if err != nil {
		return err
	}
	if known || parsed.PasswordField {
		p.parsed = parsed
	}
	return nil
}

// parseHTML reads a snapshot, without the links that carry secrets: they are nobody's to keep.
func parseHTML(url string, html []byte) (*page.Page, error) {
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err == nil {
		p.Links = slices.DeleteFunc(p.Links, func(l page.Link) bool { return weburl.Secret(l.URL) })
	}
	return p, err
}

func (b *batch) refuse(id string, code protocol.Code, message string) {
	b.Refused = append(b.Refused, Refusal{ID: id, Code: code, Message: message})
}
