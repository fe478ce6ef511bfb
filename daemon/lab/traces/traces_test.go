package traces

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the database driver
)

func packed(t *testing.T, text string) []byte {
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

// TestFind: a word is found as it is, in rows, compressed, and in archives.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE t (a TEXT, b BLOB); INSERT INTO t VALUES ('none', x'00'), (NULL, ?)`, packed(t, "a Canary")); err != nil {
		t.Fatal(err)
	}
	body := string(packed(t, "canary"))
	answer := "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + body
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("in.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(packed(t, "CANARY")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"a.txt": []byte("a cAnary"), "b.txt": []byte("bird"), "c.zip": archive.Bytes(),
		"d.warc.gz": packed(t, "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: "+strconv.Itoa(len(answer))+"\r\n\r\n"+answer+"\r\n\r\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Find(t.Context(), dir, "CANARY", "missing")
	if want := []string{"a.txt canary", "c.zip/in.txt canary", "d.warc.gz canary", "x.db t.b canary"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%s, %v", strings.Join(got, "; "), err)
	}
}
