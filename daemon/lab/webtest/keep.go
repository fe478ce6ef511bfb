package webtest

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/night/crawls"
)

// Erasing erases a site before Begin returns.
type Erasing struct{ s *Site }

func (e Erasing) Plan(ctx context.Context, host string) (erasing.Plan, error) {
	return erasing.PlanFor(ctx, e.s.Store.DB, wings.Erasing, host)
}

func (e Erasing) Begin(ctx context.Context, host string) (erasing.Erasing, error) {
	eraser := erasing.New(erasing.Deps{Store: e.s.Store, Wings: wings.Erasing, Archive: e.s.Archive, Log: slog.New(slog.DiscardHandler),
		Apart: e.s.apart("a site was erased"), Train: e.s.Trainer.Submit})
	one, err := eraser.Begin(ctx, host)
	if err == nil {
		err = eraser.Erase(ctx, &one)
	}
	return one, err
}

// apart runs what needs that no crawl runs.
func (s *Site) apart(reason string) func(context.Context, func() error) error {
	return func(ctx context.Context, do func() error) error {
		return s.Scheduler.Apart(ctx, reason, func(crawls.Crawl) bool { return true }, do)
	}
}

// EraseAll erases everything.
func (s *Site) EraseAll(ctx context.Context) error {
	all := wings.Everything{Store: s.Store, Dir: s.Dir(), Archive: s.Archive, Bookmarks: noBookmarks{}, Browsers: s.Ingest, Results: s.Broker, Apart: s.apart("everything was erased")}
	return all.Erase(ctx)
}

// noBookmarks stands for what keeps the links of bookmarks.
type noBookmarks struct{}

func (noBookmarks) Forget(context.Context) error { return nil }

// Backups stands for what makes automatic backups.
type Backups struct{ s *Site }

func (b Backups) Status() safekeeping.Status { return safekeeping.Status{} }
func (b Backups) Start()                     { b.s.Backed++ }
func (b Backups) Erase() error               { return safekeeping.EraseAll(b.s.Dir()) }

// Examine answers with the report that a test has, and notes the limit of the database check.
func (s *Site) Examine(_ context.Context, limit time.Duration) doctor.Report {
	s.Limit = limit
	return s.Report
}

// Dir is the data folder.
func (s *Site) Dir() string { return filepath.Dir(s.Store.Path()) }

// Sent is a page as a server sends it, compressed.
func Sent(t testing.TB, address, html string) fetch.Exchange {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(html)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return fetch.Exchange{URL: address, Purpose: fetch.ForPage, Status: http.StatusOK, Body: b.Bytes(),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Content-Encoding": {"gzip"}}}
}

// MustArchive writes into the archive.
func (s *Site) MustArchive(t testing.TB, exchanges ...fetch.Exchange) crawler.Place {
	t.Helper()
	p, err := s.Archive.Write(t.Context(), exchanges)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// AnyFind is the id of some find and of its fetch, and where its page was.
func (s *Site) AnyFind(t testing.TB) (find, fetchID int64, address string) {
	t.Helper()
	if err := s.DB.QueryRow(`SELECT finds.id, fetch_id, final_url FROM finds JOIN fetches ON fetches.id = fetch_id ORDER BY finds.id LIMIT 1`).
		Scan(&find, &fetchID, &address); err != nil {
		t.Fatal(err)
	}
	return find, fetchID, address
}

// Everything is all text that the store holds, contents and bundles included, and the raw bytes of its files.
func (s *Site) Everything(t testing.TB) string {
	t.Helper()
	var all bytes.Buffer
	files, err := filepath.Glob(s.Store.Path() + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(raw)
	}
	rows, err := s.DB.Query(`SELECT gzip FROM contents`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var packed []byte
		if err := rows.Scan(&packed); err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, z); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// Unpacked is all that a folder of archives holds.
func Unpacked(t testing.TB, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) == 0 {
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
