package load

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/rows"
	"nightjar/daemon/store"
)

// Shape of the stored events: sessions of pagesOfSession pages, for each a visit, a snapshot and a move back. The first session
// has longSession pages.
const (
	pagesOfSession = 100
	longSession    = 2000
	eventsOfPage   = 3
)

// fill makes a database with so many stored events, by the schema of the program; its first session has long pages. The queues of
// the background indexers are empty, as on a machine that had time to work them off, and what they make of the pages is not there.
func fill(ctx context.Context, name string, events, long int, log io.Writer) error {
	st, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	if err := st.Close(); err != nil {
		return err
	}
	w, err := rows.Open(ctx, name, "type = 'trigger' OR type = 'index' AND tbl_name IN ('events', 'visits', 'pages')")
	if err != nil {
		return err
	}
	f := filler{w: w, rand: rand.New(rand.NewPCG(19, 1)), at: time.Now().AddDate(-3, 0, 0)}
	f.put(ctx, "INSERT INTO topics (id, name, created_at) VALUES (?, ?, ?)", 1, storedTopic, f.at.UnixMilli())
	f.session(ctx, 0, long, 30_000)
	for k := 1; f.events < events && f.err == nil; k++ {
		f.session(ctx, k, min(pagesOfSession, (events-f.events)/eventsOfPage+1), 2500)
		if k%500 == 0 {
			fmt.Fprintf(log, "%d events of %d\n", f.events, events)
		}
	}
	return w.Close(ctx, f.err)
}

// filler writes rows until the first error.
type filler struct {
	w      *rows.Writer
	rand   *rand.Rand
	pool   []byte // words
	zip    *gzip.Writer
	at     time.Time
	pages  int
	events int
	err    error
}

func (f *filler) put(ctx context.Context, text string, values ...any) {
	if f.err == nil {
		f.err = f.w.Put(ctx, text, values...)
	}
}

// storedTopic is the topic of the stored sessions.
const storedTopic = "Stored before"

// oldClient is the browser of the stored sessions.
var oldClient = uuid(9, 0)

// uuid returns an identifier of a kind of things.
func uuid(kind, n int) string { return fmt.Sprintf("%08x-0000-7000-8000-%012x", kind, n) }

// session writes the k-th session, whose pages have so many bytes of HTML.
func (f *filler) session(ctx context.Context, k, pages, size int) {
	id, name := k+1, uuid(1, k)
	status := "submitted"
	f.put(ctx, `INSERT INTO sessions (id, uuid, topic_id, client, status, started_at, ended_at, ended_seq, pages, useful) VALUES (?, ?, 1, ?, ?, ?, ?, 100000, ?, 0)`,
		id, name, oldClient, status, f.at.UnixMilli(), f.at.Add(time.Hour).UnixMilli(), pages)
	seq := 0
	event := func(e protocol.Event, hash []byte, shown string) {
		seq++
		f.events++
		f.at = f.at.Add(3 * time.Second)
		e.V, e.ID, e.Client, e.Seq, e.Session, e.At, e.Tab = 1, uuid(2, f.events), oldClient, int64(seq), name, f.at, 1
		body, err := json.Marshal(e)
		if err != nil {
			f.err = err
			return
		}
		f.put(ctx, "INSERT INTO events (id, session_id, client, seq, at, type, page, body, content_hash, shown) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			e.ID, id, oldClient, seq, f.at.UnixMilli(), string(e.Type), e.Page, string(body), hash, shown)
	}
	event(protocol.Event{Type: protocol.SessionStart, Topic: storedTopic}, nil, "")
	first := f.pages
	for i := range pages {
		f.pages++
		html := f.htmlOf(first, i, pages, size)
		hash := sha256.Sum256(html)
		load, url, title := uuid(3, f.pages), address(first+i), fmt.Sprintf("Page %d", first+i)
		from := ""
		if i > 0 {
			from = uuid(3, f.pages-1)
		}
		f.put(ctx, "INSERT INTO contents (hash, gzip) VALUES (?, ?)", hash[:], f.pack(html))
		f.put(ctx, "INSERT INTO pages (id, url, title, content_hash) VALUES (?, ?, ?, ?)", f.pages, url, title, hash[:])
		f.put(ctx, "INSERT INTO visits (load, session_id, page_id, title, how, from_load, seq, real_text) VALUES (?, ?, ?, ?, 'link', ?, ?, 1)",
			load, id, f.pages, title, from, seq+1)
		event(protocol.Event{Type: protocol.Visit, Page: load, URL: url, Title: title, How: protocol.HowLink, From: from}, nil, "")
		event(protocol.Event{Type: protocol.Snapshot, Page: load}, hash[:], fmt.Sprintf(`{"title":%q,"real_text":true}`, title))
		event(protocol.Event{Type: protocol.Back, Page: load, From: load}, nil, "")
	}
}

func address(n int) string {
	return fmt.Sprintf("http://stored%d.example/section/page-%d", n/250, n)
}

// htmlOf returns a page of so many bytes with links to pages of its session. Its words are a piece of the pool of words, which
// does not compress well.
func (f *filler) htmlOf(first, i, pages, size int) []byte {
	if len(f.pool) == 0 {
		for len(f.pool) < 4<<20 {
			f.pool = fmt.Appendf(f.pool, "w%x ", f.rand.Uint32()>>(f.rand.Uint32()%20))
		}
	}
	b := fmt.Appendf(nil, "<!doctype html><title>Page %d</title><h1>Page %d</h1>", first+i, first+i)
	for j := range 10 {
		b = fmt.Appendf(b, "<a href=%q>page %d</a> ", address(first+(i*7+j*13)%pages), j)
	}
	for len(b) < size {
		from := f.rand.IntN(len(f.pool) - 500)
		b = append(fmt.Appendf(b, "<p><a href=/elsewhere/%d>more of it</a> ", from), f.pool[from:from+500]...)
	}
	return b
}

// pack compresses a page quickly, with a writer that is used again.
func (f *filler) pack(html []byte) []byte {
	var b bytes.Buffer
	if f.zip == nil {
		f.zip, f.err = gzip.NewWriterLevel(&b, gzip.BestSpeed)
	} else {
		f.zip.Reset(&b)
	}
	if f.err == nil {
		_, err := f.zip.Write(html)
		f.err = errors.Join(err, f.zip.Close())
	}
	return b.Bytes()
}
