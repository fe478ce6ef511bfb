package e2e

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// demoData is a data folder as the demonstration leaves it: a session, a model, a crawl of the made-up web. It is made once
// and never opened afterwards: each test gets a copy.
var demoData = sync.OnceValues(func() (string, error) {
	program, err := built()
	if err != nil {
		return "", err
	}
	said := filepath.Join(program, "demo-said")
	out, err := os.Create(said)
	if err != nil {
		return "", err
	}
	defer out.Close() // the demonstration has its own descriptor
	cmd := exec.Command(filepath.Join(program, "nightjar"), "demo", "--listen", "127.0.0.1:0")
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = append(os.Environ(), "HOME="+program, "TMPDIR="+program)
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	defer func() { // killed, it cannot delete its data
		killGroup(cmd)
		_ = cmd.Wait()
	}()
	return demoFolder(said)
})

// demoFolder waits until the demonstration has said where its data are, and until all of them can be searched.
func demoFolder(said string) (string, error) {
	ready := regexp.MustCompile(`(?s)http://\S+/login\S+.*?(/\S*nightjar-demo-\d+)`)
	var folder string
	err := poll(2*patience, func() error {
		text, err := os.ReadFile(said)
		if m := ready.FindStringSubmatch(string(text)); m != nil {
			folder = m[1]
		} else {
			err = fmt.Errorf("the demonstration did not say where it is, but %q (%w)", text, err)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	db, err := openData(folder)
	if err != nil {
		return "", err
	}
	defer db.Close() // it was only read
	return folder, poll(patience, func() error {
		var waiting int
		err := db.QueryRow("SELECT count(*) FROM search_queue").Scan(&waiting)
		if err == nil && waiting > 0 {
			err = fmt.Errorf("%d texts cannot be searched yet", waiting)
		}
		return err
	})
}

// openData opens the database of a data folder for reading.
func openData(folder string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+filepath.Join(folder, "nightjar.db")+"?mode=ro&_pragma=busy_timeout(5000)")
}

// startDemo runs a daemon on a copy of the demonstration's data, until the end of the test.
func startDemo(t *testing.T) *daemon {
	t.Helper()
	return serveData(t, copyDemo(t), "127.0.0.1:1")
}

// copyDemo copies the demonstration's data folder.
func copyDemo(t *testing.T) (data string) {
	t.Helper()
	from, err := demoData()
	if err != nil {
		t.Fatal(err)
	}
	data = filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(data, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(data, 0o700); err != nil {
		t.Fatal(err)
	}
	return data
}
