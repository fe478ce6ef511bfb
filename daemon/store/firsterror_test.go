package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nightjar/daemon/db"
)

// SQLite may end a transaction by itself when the disk is full. A statement that follows in it is then committed alone, although
// the transaction failed.
func TestFullDiskEndsTransaction(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	pages, err := db.Single[int](ctx, s.Writer, "PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Writer.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages+20)); err != nil {
		t.Fatal(err)
	}
	tx, err := s.Writer.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tx.ExecContext(ctx, "CREATE TABLE large (x)")
	for range 10 {
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO large VALUES (randomblob(100000))")
		}
	}
	if !db.IsFull(err) {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO settings (key, value) VALUES ('alone', '1')"); err != nil {
		t.Fatal(err)
	}
	_ = tx.Rollback() // "no transaction is active"
	n, err := db.Single[int](ctx, s.Readers, "SELECT count(*) FROM settings WHERE key = 'alone'")
	if err != nil || n != 1 {
		t.Errorf("%d rows, %v: transactions may go on after an error, and TestTransactionsStopAtFirstError can go", n, err)
	}
}

// Therefore no function of the daemon goes on in a transaction after an error, as errors.Join of several statements would.
func TestTransactionsStopAtFirstError(t *testing.T) {
	joined := regexp.MustCompile(`errors\.Join\(.*(\btx\b|\bw\.Exec\(|\bb\.\w+\(|\.ExecContext\()`)
	var files []string
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 500 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		text := must(os.ReadFile(file))(t)
		for n, line := range strings.Split(string(text), "\n") {
			if joined.MatchString(line) {
				t.Errorf("%s:%d: the second of these runs even if the first fails: %s", file, n+1, strings.TrimSpace(line))
			}
		}
	}
}
