package erasing_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler/archive"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// BenchmarkErase erases a site from a database of 1,000 fetched pages of 30 KB, or of $NIGHTJAR_ERASE_PAGES, one in a hundred of
// which links to it. -benchtime=1x measures one erasing.
func BenchmarkErase(b *testing.B) {
	pages := 1000
	if n, err := strconv.Atoi(os.Getenv("NIGHTJAR_ERASE_PAGES")); err == nil {
		pages = n
	}
	path := storetest.Path(b)
	fillPages(b, path, pages)
	st, err := store.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	a, err := archive.Open(archive.Options{Dir: filepath.Join(filepath.Dir(path), "archive")})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	e := erasing.New(erasing.Deps{Store: st, Wings: wings.Erasing, Archive: a, Log: slog.New(slog.DiscardHandler), Apart: func(_ context.Context, do func() error) error { return do() }, Train: func(int64) {}})
	n := 0
	for b.Loop() {
		one, err := e.Begin(b.Context(), fmt.Sprintf("site%d.test", n%10))
		if err == nil {
			err = e.Erase(b.Context(), &one)
		}
		if err != nil || one.Counts.Changed != pages/100 {
			b.Fatalf("%+v, %v", one.Counts, err)
		}
		n++
	}
	b.ReportMetric(float64(pages*b.N)/b.Elapsed().Seconds(), "pages/s")
}

func fillPages(b *testing.B, path string, pages int) {
	b.Helper()
	db, err := sql.Open("sqlite", store.FileURL(path)+"?_pragma=synchronous(0)&_pragma=journal_mode(WAL)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	exec := func(text string, args ...any) {
		b.Helper()
		if _, err := tx.Exec(text, args...); err != nil {
			b.Fatal(err)
		}
	}
	exec(`INSERT INTO topics (name, created_at) VALUES ('T', 1)`)
	exec(`INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (1, 1, x'', '{}', 1)`)
	exec(`INSERT INTO crawls (topic_id, model_id, strategy, options, status, created_at) VALUES (1, 1, 'hmm', '{}', 'ended', 1)`)
	rng := rand.New(rand.NewPCG(1, 2))
	var words []string
	for range 3000 {
		words = append(words, fmt.Sprintf("%x", rng.IntN(1<<28)))
	}
	for i := range pages {
		var html strings.Builder
		fmt.Fprintf(&html, "<title>Page %d</title>", i)
		for html.Len() < 30_000 {
			fmt.Fprintf(&html, `<p class="text">%s %s %s %s <a href="/%d?a=b&amp;c=%%20">%s</a></p>`+"\n", words[rng.IntN(3000)], words[rng.IntN(3000)],
				words[rng.IntN(3000)], words[rng.IntN(3000)], rng.IntN(pages), words[rng.IntN(3000)])
		}
		if i%10 == 0 {
			fmt.Fprintf(&html, `<a href="https://site%d.test/">link</a>`, i/10%10)
		}
		hash := sha256.Sum256([]byte(html.String()))
		exec(`INSERT INTO contents (hash, gzip) VALUES (?, ?)`, hash[:], packed(html.String()))
		exec(`INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, content_hash) VALUES (1, ?1, 'http://a.test/' || ?1, 'http://a.test/' || ?1, 'a.test', 'ok', 1, ?2)`, i, hash[:])
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}
