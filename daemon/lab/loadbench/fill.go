package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	_ "modernc.org/sqlite" // the filling writes rows that only a daemon of years would have

	"nightjar/daemon/protocol"
	"nightjar/daemon/store"
)

// Shape of the stored events: sessions of pagesOfSession pages, for each a visit, a snapshot and a move back. The first session
// has longSession pages.
const (
	pagesOfSession = 100
	longSession    = 2000
	eventsOfPage   = 3
	rowsAtOnce     = 100_000
)

// fill makes a database with so many stored events, by the schema of the program; its first session has long pages. The queues of the background indexers are
// empty, as on a machine that had time to work them off, and what they make of the pages is not there.
func fill(ctx context.Context, name string, events, long int, log io.Writer) (err error) {
	st, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	if err := st.Close(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", store.FileURL(name)+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=cache_size(-1000000)&_pragma=foreign_keys(0)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	again, err := dropForNow(ctx, db)
	if err != nil {
		return err
	}
	f := filler{db: db, log: log, rand: rand.New(rand.NewPCG(19, 1)), at: time.Now().AddDate(-3, 0, 0)}
	if f.tx, err = db.BeginTx(ctx, nil); err != nil {
		return err
	}
	f.put(ctx, "INSERT INTO topics (id, name, created_at) VALUES (?, ?, ?)", 1, storedTopic, f.at.UnixMilli())
	f.session(ctx, 0, long, 30_000)
	for k := 1; f.events < events && f.err == nil; k++ {
		f.session(ctx, k, min(pagesOfSession, (events-f.events)/eventsOfPage+1), 2500)
		if k%500 == 0 {
			fmt.Fprintf(log, "%d events of %d\n", f.events, events)
		}
	}
	if err := errors.Join(f.err, f.tx.Commit()); err != nil {
		return err
	}
	for _, text := range again {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// dropForNow deletes triggers, and the indexes of large tables. It returns the statements that make them again.
func dropForNow(ctx context.Context, db *sql.DB) (again []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND
		(type = 'trigger' OR type = 'index' AND tbl_name IN ('events', 'visits', 'pages')) ORDER BY type`)
	if err != nil {
		return nil, err
	}
	var drop []string
	for rows.Next() {
		var kind, name, text string
		if err := rows.Scan(&kind, &name, &text); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		drop, again = append(drop, "DROP "+kind+" "+name), append(again, text)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	for _, text := range drop {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return nil, err
		}
	}
	return again, nil
}

// filler writes rows until the first error.
type filler struct {
	db     *sql.DB
	tx     *sql.Tx
	log    io.Writer
	rand   *rand.Rand
	pool   []byte // words
	zip    *gzip.Writer
	at     time.Time
	stmts  map[string]*sql.Stmt
	rows   int
	pages  int
	events int
	err    error
}

func (f *filler) put(ctx context.Context, text string, values ...any) {
	if f.err != nil {
		return
	}
	if f.rows++; f.rows%rowsAtOnce == 0 {
		if f.err = f.tx.Commit(); f.err != nil {
			return
		}
		f.stmts = nil
		if f.tx, f.err = f.db.BeginTx(ctx, nil); f.err != nil {
			return
		}
	}
	if f.stmts == nil {
		f.stmts = map[string]*sql.Stmt{}
	}
	if f.stmts[text] == nil {
		if f.stmts[text], f.err = f.tx.PrepareContext(ctx, text); f.err != nil {
			f.err = fmt.Errorf("%s: %w", text, f.err)
			return
		}
	}
	if _, err := f.stmts[text].ExecContext(ctx, values...); err != nil {
		f.err = fmt.Errorf("%s: %w", text, err)
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
