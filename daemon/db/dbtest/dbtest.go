// Package dbtest makes databases of earlier versions, and rows by hand, for tests.
package dbtest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"nightjar/daemon/db"
	"nightjar/migrations"
)

// OldVersion makes a database as a version of the schema left it, with the rows that a folder has of versions up to it.
func OldVersion(tb testing.TB, path, folder string, version int) {
	tb.Helper()
	plain, err := sql.Open("sqlite", db.DSN(path, "rwc", ""))
	if err != nil {
		tb.Fatal(err)
	}
	defer plain.Close()
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		tb.Fatal(err)
	}
	steps := fstest.MapFS{}
	for i, name := range names[:version] {
		data, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			tb.Fatal(err)
		}
		steps[name] = &fstest.MapFile{Data: data}
		if err := db.Migrate(tb.Context(), plain, steps); err != nil {
			tb.Fatal(err)
		}
		rows, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("version%d.sql", i+1)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := plain.Exec(string(rows)); err != nil {
			tb.Fatal(err)
		}
	}
}

// Exec executes a statement.
func Exec(tb testing.TB, d *db.DB, text string, args ...any) {
	tb.Helper()
	if _, err := d.Writer.ExecContext(tb.Context(), text, args...); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
}

// Content stores the HTML of a page and returns its hash.
func Content(tb testing.TB, d *db.DB, html string) []byte {
	tb.Helper()
	sum := sha256.Sum256([]byte(html))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(html)); err != nil {
		tb.Fatal(err)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	Exec(tb, d, `INSERT OR IGNORE INTO contents (hash, gzip) VALUES (?, ?)`, sum[:], packed.Bytes())
	return sum[:]
}

// Find puts a topic, a model, a crawl, a fetch with the content "<p>found" and its find into an empty database. Each has the id 1.
func Find(tb testing.TB, d *db.DB) (id int64) {
	tb.Helper()
	for _, text := range []string{
		"INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 0)",
		"INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'', '{}', 0)",
		"INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (1, 1, 1, 'hmm', '{}', 'ended', 0)",
	} {
		Exec(tb, d, text)
	}
	Exec(tb, d, `INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, content_hash)
		VALUES (1, 1, 1, 'http://ice.test/found', 'http://ice.test/found', 'ice.test', 'ok', 0, ?)`, Content(tb, d, "<p>found"))
	Exec(tb, d, `INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at)
		VALUES (1, 1, 1, 1, 'http://ice.test/found', 'Found', '', 0.9, 0)`)
	return 1
}

// Topics puts two topics with a model each into an empty database: 1 and 2.
func Topics(tb testing.TB, d *db.DB) {
	tb.Helper()
	Exec(tb, d, `INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1), (2, 'Baking', 1)`)
	Exec(tb, d, `INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'01', '{}', 1), (2, 2, 1, x'01', '{}', 1)`)
}

// Crawl adds a crawl of a night ("" for by hand) to Topics, with finds of the given names.
func Crawl(tb testing.TB, d *db.DB, id, topic int64, night string, at int64, names ...string) {
	tb.Helper()
	Exec(tb, d, `INSERT INTO crawls (id, topic_id, model_id, night, strategy, options, status, created_at) VALUES (?, ?, ?, ?, 'hmm', '{}', 'ended', ?)`,
		id, topic, topic, night, at)
	for i, name := range names {
		fetch := id*100 + int64(i)
		Exec(tb, d, `INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, similarity, relevant, title)
			VALUES (?, ?, ?, ?, ?, 'a.test', 'ok', ?, 0.5, 1, ?)`, fetch, id, i+1, "http://a.test/"+name, "http://a.test/"+name, at, name)
		Exec(tb, d, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at) VALUES (?, ?, ?, ?, ?, 'snippet', ?, ?)`,
			topic, id, fetch, "http://a.test/"+name, name, 1-float64(i)/10, at)
	}
}
