package e2e

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the database driver

	"nightjar/daemon/lab/alone"
)

// built is the folder of the program under test, and what building it said.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "nightjar-program-")
	if err != nil {
		return "", err
	}
	args := []string{"build", "-ldflags=-s -w", "-o", filepath.Join(dir, "nightjar")}
	if raceDetector {
		args = append(args, "-race", "-gcflags=modernc.org/...=-race=false") // as .ci/test-go builds, which says why
	}
	cmd := exec.Command("go", append(args, "nightjar/daemon")...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("build the daemon: %w\n%s", err, out)
	}
	return dir, err
})

func TestMain(m *testing.M) {
	os.Exit(alone.Tests(boarded{m}).Run())
}

// boarded ends the browsers that tests share.
type boarded struct{ *testing.M }

func (m boarded) Run() int {
	defer boards.end()
	return m.M.Run()
}

// daemon is a running daemon with a data folder of its own.
type daemon struct {
	t     *testing.T
	login string // the one-time link it printed
	addr  string // where its socket listens
	data  string // its data folder
	db    *sql.DB
}

// startDaemon builds the program and runs it on an empty data folder, with hosts under .test open to its crawler at webAddr.
// At the end of the test it is interrupted and must end well.
func startDaemon(t *testing.T, webAddr string) *daemon {
	t.Helper()
	return serveData(t, filepath.Join(t.TempDir(), "data"), webAddr)
}

// serveData is startDaemon with a data folder.
func serveData(t *testing.T, data, webAddr string) *daemon {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(program, "nightjar"), "serve", "--listen", "127.0.0.1:0", "--data", data,
		"--resolve", "*.test="+webAddr)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TZ="+noon(time.Now()))
	said := filepath.Join(t.TempDir(), "said")
	out, err := os.Create(said)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close() // the daemon has its own descriptor
	cmd.Stdout, cmd.Stderr = out, out
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	d := &daemon{t: t, data: data}
	t.Cleanup(func() { d.end(cmd, ended, said) })
	d.readAddresses(said)
	if d.db, err = openData(data); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.db.Close() }) // it was only read
	return d
}

// noon returns the name of the time zone in which it is about noon at now. There no night opens during a test, at whatever hour
// the test runs.
func noon(now time.Time) string {
	hours := now.UTC().Hour() - 12
	if hours == 0 {
		return "Etc/GMT"
	}
	return fmt.Sprintf("Etc/GMT%+d", hours) // the sign counts hours behind Greenwich
}

// readAddresses waits until the daemon has said where it is.
func (d *daemon) readAddresses(said string) {
	d.t.Helper()
	address := regexp.MustCompile(`(?s)(http://\S+/login\S+).*ws://(\S+)/ws`)
	err := poll(patience, func() error {
		text, err := os.ReadFile(said)
		if m := address.FindStringSubmatch(string(text)); m != nil {
			d.login, d.addr = m[1], m[2]
		} else if err == nil {
			err = fmt.Errorf("it said %q", text)
		}
		return err
	})
	if err != nil {
		d.t.Fatalf("the daemon did not say where it is: %v", err)
	}
}

// end interrupts the daemon, as Ctrl-C does, and shows its log when the test failed.
func (d *daemon) end(cmd *exec.Cmd, ended chan error, said string) {
	defer killGroup(cmd)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		d.t.Errorf("the daemon ended by itself: %v", err)
	}
	select {
	case err := <-ended:
		if err != nil {
			d.t.Errorf("the daemon ended badly: %v", err)
		}
	case <-time.After(patience):
		d.t.Errorf("the daemon did not end")
	}
	if text, err := os.ReadFile(said); err == nil && d.t.Failed() {
		d.t.Logf("the daemon said:\n%s", text)
	}
}

// export runs the program once more, to write the topic's sessions as a session file.
func (d *daemon) export(topic string) []byte {
	d.t.Helper()
	program, err := built()
	if err != nil {
		d.t.Fatal(err)
	}
	file := filepath.Join(d.t.TempDir(), "x.session.jsonl")
	cmd := exec.Command(filepath.Join(program, "nightjar"), "export", "--data", d.data, "--topic", topic, "--out", file)
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("export: %v\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		d.t.Fatal(err)
	}
	return text
}

// text is a value of the database as text, "" when there is none.
func (d *daemon) text(query string, args ...any) string {
	d.t.Helper()
	var value sql.NullString
	err := d.db.QueryRow(query, args...).Scan(&value)
	if err != nil && err != sql.ErrNoRows {
		d.t.Fatalf("%s: %v", query, err)
	}
	return value.String
}

// number is a number of the database.
func (d *daemon) number(query string, args ...any) int {
	d.t.Helper()
	var n int
	if err := d.db.QueryRow(query, args...).Scan(&n); err != nil {
		d.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// holds waits until the database answers want.
func (d *daemon) holds(what, want, query string, args ...any) {
	d.t.Helper()
	err := poll(patience, func() error {
		if got := d.text(query, args...); got != want {
			return fmt.Errorf("got %q, want %q", got, want)
		}
		return nil
	})
	if err != nil {
		d.t.Fatalf("%s: %s: %v", what, query, err)
	}
}
