package api

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"nightjar/daemon/morning/search"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// fixture serves a store with two topics, seven finds of three crawls, and a session.
type fixture struct {
	*Handler
	t     *testing.T
	db    *sql.DB
	now   time.Time
	read  string // token of the API
	feeds string // token of all feeds
	one   string // token of the feed of topic 1
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	path := storetest.Path(t)
	st, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	f := &fixture{t: t, now: time.Date(2026, 11, 22, 8, 30, 0, 0, time.UTC)}
	now := func() time.Time { return f.now }
	st.Now = now
	if f.db, err = sql.Open("sqlite", store.FileURL(path)+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.db.Close() })
	f.seed()
	f.Handler = &Handler{Reader: &Reader{Store: st, Version: "test", Running: true, Now: now}, Tokens: token.NewKeeper(st, now),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Identity: "nightjar-test"}
	index := search.NewIndexer(st, f.Log)
	for n := 1; n > 0; {
		if n, err = index.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	f.read, f.feeds, f.one = f.token(token.ScopeRead, 0), f.token(token.ScopeFeed, 0), f.token(token.ScopeFeed, 1)
	return f
}

func (f *fixture) token(scope string, topic int64) string {
	f.t.Helper()
	text, err := f.Tokens.Make(f.t.Context(), "test", scope, topic)
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

func (f *fixture) exec(text string, args ...any) {
	f.t.Helper()
	if _, err := f.db.Exec(text, args...); err != nil {
		f.t.Fatalf("%s: %v", text, err)
	}
}

func (f *fixture) seed() {
	f.exec(`INSERT INTO topics (id, name, created_at) VALUES (1, 'Tides', 1), (2, 'Harbours', 1)`)
	f.exec(`INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'01', '{}', 1), (2, 2, 1, x'01', '{}', 1)`)
	f.exec(`INSERT INTO sessions (id, uuid, topic_id, client, status, started_at, ended_at, pages, useful)
		VALUES (1, '0192f0c1-2d3e-7abc-8def-0123456789ab', 1, 'c', 'submitted', 1000, 2000, 9, 2),
		       (2, '0192f0c1-2d3e-7abc-8def-0123456789ac', 2, 'c', 'recording', 3000, NULL, 3, 0)`)
	at := f.now.Add(-5 * time.Hour)
	for crawl, topic := range map[int]int{1: 1, 2: 2, 3: 1} {
		night := ""
		if crawl > 1 {
			night = "2026-11-22"
		}
		f.exec(`INSERT INTO crawls (id, topic_id, model_id, night, strategy, options, status, stop_reason, fetched, relevant, bytes, created_at, started_at, ended_at)
			VALUES (?, ?, ?, ?, 'link-value', '{}', 'ended', 'window closed', 3, 2, 999, ?, ?, ?)`, crawl, topic, topic, night,
			at.UnixMilli()+int64(crawl), at.UnixMilli(), at.UnixMilli()+9)
	}
	f.exec(`INSERT INTO forecasts (crawl_id, made_at, pages, expected, low, high, version, inputs) VALUES (2, ?, 500, 14.26, 8, 24.44, 1, '{}')`, at.UnixMilli())
	for i := 1; i <= 7; i++ {
		crawl := []int{1, 2, 3}[i%3]
		topic := map[int]int{1: 1, 2: 2, 3: 1}[crawl]
		url := fmt.Sprintf("http://site%d.test/page?n=%d&x=1", i%2, i)
		f.exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, title, similarity, relevant)
			VALUES (?1, ?2, ?1, ?3, ?3, 'start.test', 'ok', ?4, 'start', .2, 0)`, 2*i, crawl, fmt.Sprintf("http://start.test/%d", i), at.UnixMilli())
		f.exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, parent_id, anchor, title, similarity, relevant, useful)
			VALUES (?1, ?2, ?1, ?3, ?3, 'site.test', 'ok', ?4, ?5, 'more', ?6, .5, 1, .75)`, 2*i+1, crawl, url, at.UnixMilli()+int64(i)*1000, 2*i, fmt.Sprintf("Barrage %d", i))
		f.exec(`INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, useful, found_at)
			VALUES (?, ?, ?, ?, ?, ?, 'the first lines', .5, .75, ?)`, i, topic, crawl, 2*i+1, url, fmt.Sprintf("Barrage %d", i), at.UnixMilli()+int64(i)*1000)
	}
	f.exec(`INSERT INTO reasons (find_id, words, passage, like_url, like_title, like_at) VALUES
		(3, '["tidal range","barrage"]', 'a barrage needs a tidal range', 'http://like.test/', 'The Severn', 1777800000000)`)
	f.exec(`INSERT INTO link_page (id, url, site) VALUES (1, 'http://site1.test/stored', 'site1.test'), (2, 'http://site0.test/', 'site0.test')`)
	f.exec(`INSERT INTO link (id, src, dst, pos) VALUES (1, 1, 2, 0), (2, 2, 1, 0)`)
	f.exec(`INSERT INTO word (id, word) VALUES (1, 'tide'), (2, 'barrage')`)
	f.exec(`INSERT INTO link_word (link, word, n) VALUES (1, 1, 2), (2, 1, 1), (2, 2, 1)`)
	html := "<title>Tides</title><p>The tide comes in.</p><p>It goes out.</p>"
	f.exec(`INSERT INTO contents (hash, gzip) VALUES (?, ?)`, []byte(html), gzipped(f.t, html))
	f.exec(`INSERT INTO pages (url, title, content_hash) VALUES ('http://site1.test/stored', 'Tides', ?)`, []byte(html))
	f.exec(`INSERT INTO feedback (find_id, mark, at) VALUES (1, 'useful', 1), (2, 'not-useful', 1)`)
}

// get asks with a token in the header; "" sends none.
func (f *fixture) get(path, token string) *httptest.ResponseRecorder {
	return f.ask(http.MethodGet, path, func(r *http.Request) {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
	})
}

func (f *fixture) ask(method, path string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Host = "127.0.0.1:4774"
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

// mustGet gets an answer of the API that must be there.
func mustGet[T any](f *fixture, path string) (answer T) {
	f.t.Helper()
	w := f.get(Base+path, f.read)
	if w.Code != http.StatusOK {
		f.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		f.t.Fatal(err)
	}
	return answer
}

// gzipped is how a content is stored.
func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
