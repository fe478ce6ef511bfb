package links_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"nightjar/daemon/keep/backup"
	"nightjar/daemon/lab/linkfarm"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
)

// size is the number of links of the benchmarks' database: NIGHTJAR_LINKS, or 20,000.
func size(b *testing.B) int {
	n, err := strconv.Atoi(os.Getenv("NIGHTJAR_LINKS"))
	if err != nil {
		n = 20_000
	}
	return n
}

// stored makes a database with links, a tenth as many pages, on disk.
func stored(b *testing.B) (*store.Store, linkfarm.Farm) {
	b.Helper()
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "nightjar.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	start := time.Now()
	f, err := linkfarm.Make(b.Context(), s, size(b)/10, size(b), 1)
	if err != nil {
		b.Fatal(err)
	}
	bytes, err := backup.Size(b.Context(), s.DB)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d pages, %d links, %d MB, made in %v", f.Pages, f.Links, bytes>>20, time.Since(start).Round(time.Millisecond))
	return s, f
}

// BenchmarkRead measures what Explore reads.
func BenchmarkRead(b *testing.B) {
	s, f := stored(b)
	ctx := b.Context()
	all, few, err := links.Pages(ctx, s.DB, links.AllPages, 0, 2, false)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d pages with two sources, %d with fewer", len(all), few)
	var ids []int64
	for _, p := range all[:min(len(all), 4000)] {
		ids = append(ids, p.ID)
	}
	for _, one := range []struct {
		name string
		read func() error
	}{
		{"Pages of all", func() error { _, _, err := links.Pages(ctx, s.DB, links.AllPages, 0, 2, false); return err }},
		{"Pages of a topic", func() error { _, _, err := links.Pages(ctx, s.DB, links.PagesOfTopic, f.Topic, 2, false); return err }},
		{fmt.Sprintf("Keywords of %d pages", len(ids)), func() error { _, err := links.Keywords(ctx, s.DB, ids, false); return err }},
		{fmt.Sprintf("Keywords of %d pages by site", len(ids)), func() error { _, err := links.Keywords(ctx, s.DB, ids, true); return err }},
		{"Keywords of the most linked page", func() error { _, err := links.Keywords(ctx, s.DB, []int64{1}, false); return err }},
		{"To the most linked page", func() error { _, _, err := links.To(ctx, s.DB, 1, 50); return err }},
		{"Counts", func() error { _, _, _, err := links.Counts(ctx, s.DB, 1<<40); return err }},
	} {
		b.Run(one.name, func(b *testing.B) {
			for b.Loop() {
				if err := one.read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStore measures how fast the indexer reads pages with 40 links each into a database that has many: from the queue to
// the last commit.
func BenchmarkStore(b *testing.B) {
	s, f := stored(b)
	db, err := sql.Open("sqlite", store.FileURL(s.Path())+"?_pragma=busy_timeout(10000)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	x := links.NewIndexer(s, links.Options{Log: slog.New(slog.DiscardHandler)})
	rng := rand.New(rand.NewPCG(1, 2))
	const pages, perPage = 100, 40
	var took time.Duration
	var worst time.Duration
	n := 0
	for b.Loop() {
		for range pages {
			addPage(b, db, f, n, perPage, rng)
			n++
		}
		start := time.Now()
		for {
			step := time.Now()
			done, err := x.Step(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			worst = max(worst, time.Since(step))
			if done == 0 {
				break
			}
		}
		took += time.Since(start)
	}
	b.ReportMetric(float64(n*perPage)/took.Seconds(), "links/s")
	b.ReportMetric(float64(worst.Milliseconds()), "ms/worst-step")
}

// addPage stores a page that was fetched, with links to pages of the farm.
func addPage(b *testing.B, db *sql.DB, f linkfarm.Farm, n, links int, rng *rand.Rand) {
	b.Helper()
	var doc bytes.Buffer
	fmt.Fprintf(&doc, "<title>New %d</title><p>", n)
	for range links {
		for range 12 {
			doc.WriteString(linkfarm.Word(rng.IntN(rng.IntN(20_000)+1)) + " ")
		}
		fmt.Fprintf(&doc, `<a href="%s">%s %s</a> `, linkfarm.URL(rng.IntN(f.Pages)), linkfarm.Word(rng.IntN(20_000)), linkfarm.Word(rng.IntN(300)))
		if rng.IntN(4) == 0 {
			doc.WriteString("<li>")
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(doc.Bytes())
	z.Close()
	hash := sha256.Sum256(doc.Bytes())
	url := fmt.Sprintf("http://new%d.test/%d", n/100, n)
	for _, one := range []struct {
		text string
		args []any
	}{
		{"INSERT INTO contents (hash, gzip) VALUES (?, ?)", []any{hash[:], packed.Bytes()}},
		{"INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, content_hash) VALUES (?, ?, ?, ?, 'new.test', 'ok', 1, ?)",
			[]any{f.Crawl, 10_000_000 + n, url, url, hash[:]}},
	} {
		if _, err := db.Exec(one.text, one.args...); err != nil {
			b.Fatal(err)
		}
	}
}
