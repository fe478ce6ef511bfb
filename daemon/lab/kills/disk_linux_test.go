package kills

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/store"
)

// needSick leaves a test out that takes long, unless NIGHTJAR_SICK is set.
func needSick(t *testing.T) {
	t.Helper()
	if os.Getenv("NIGHTJAR_SICK") == "" {
		t.Skip("!!! left out: it takes long; task test:sick runs it")
	}
}

// disk is a small file system of its own.
type disk struct {
	t   *testing.T
	dir string
}

// newDisk mounts a file system of some megabytes. Where that cannot be done, the test is left out.
func newDisk(t *testing.T, megabytes int) *disk {
	t.Helper()
	needSick(t)
	if os.Getuid() != 0 {
		t.Skip("!!! left out: only root can mount a disk")
	}
	d := &disk{t: t, dir: t.TempDir()}
	if err := syscall.Mount("nightjar-test", d.dir, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=700", megabytes)); err != nil {
		t.Skipf("!!! left out: no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

// put copies a data folder to the disk.
func (d *disk) put(data string) string {
	d.t.Helper()
	to := filepath.Join(d.dir, "data")
	if err := errors.Join(os.CopyFS(to, os.DirFS(data)), os.Chmod(to, 0o700)); err != nil {
		d.t.Fatal(err)
	}
	return to
}

func (d *disk) filler() string { return filepath.Join(d.dir, "filler") }

// fill leaves no room on the disk, nor in the log of the database, which is as long as it once was.
func (d *disk) fill() {
	d.t.Helper()
	if name := filepath.Join(d.dir, "data", "nightjar.db"); exists(name) {
		execute(d.t, name, "PRAGMA busy_timeout = 5000; PRAGMA wal_checkpoint(TRUNCATE)")
	}
	d.crowd()
}

// crowd leaves no room on the disk. It touches no file of the data folder.
func (d *disk) crowd() {
	d.t.Helper()
	f, err := os.OpenFile(d.filler(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for part := make([]byte, 1<<16); len(part) > 0; {
		if _, err := f.Write(part); err != nil {
			part = part[:len(part)/2]
		}
	}
	if _, err := f.Write([]byte{0}); !errors.Is(err, syscall.ENOSPC) {
		d.t.Fatalf("the disk has room yet: %v", err)
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// free gives the room back.
func (d *disk) free() {
	d.t.Helper()
	if err := os.Remove(d.filler()); err != nil {
		d.t.Fatal(err)
	}
}

// remount makes the disk one that cannot be written, or one that can.
func (d *disk) remount(readOnly bool) {
	d.t.Helper()
	flags := uintptr(syscall.MS_REMOUNT)
	if readOnly {
		flags |= syscall.MS_RDONLY
	}
	if err := syscall.Mount("nightjar-test", d.dir, "tmpfs", flags, ""); err != nil {
		d.t.Fatalf("mount it again: %v", err)
	}
}

// stopsAt starts the daemon, which waits when it comes to a place. go on lets it.
func stopsAt(t *testing.T, place, data string, more ...string) (l *life, goOn func()) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "go on")
	l = serve(t, plan{place: place, pass: 1, wait: file}, data, more...)
	l.comesTo(place)
	return l, func() { mustWrite(t, file) }
}

// comesTo waits until the program was at a place.
func (l *life) comesTo(place string) {
	l.t.Helper()
	wait(l.t, place, func() bool {
		if !l.alive() {
			l.t.Fatalf("the program ended by itself: %v\n%s", l.cmd.ProcessState, l.out)
		}
		passed, err := os.ReadFile(l.log)
		return err == nil && strings.Contains(string(passed), place+"\n")
	})
}

// get reads a page of the dashboard.
func (d *dashboard) get(t *testing.T, path string) (text string, status int) {
	t.Helper()
	res, err := d.client.Get(d.base + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(all), res.StatusCode
}

// says waits until the dashboard's banner and the doctor, on its page and in a terminal, say something, and checks that the
// pages can be read all the while.
func (l *life) says(data string, d *dashboard, words string) {
	l.t.Helper()
	soon(l, "the dashboard says: "+words, func() bool {
		text, status := d.get(l.t, "/")
		return status == http.StatusOK && strings.Contains(text, words)
	})
	for _, path := range []string{"/", "/sessions", "/tonight", "/crawls", "/settings", "/doctor", "/start", "/explore", "/communities"} {
		if text, status := d.get(l.t, path); status != http.StatusOK || !strings.Contains(text, words) {
			l.t.Errorf("%s: %d, without %q: %.2000s", path, status, words, text)
		}
	}
	if said := doctorSays(l.t, data); !strings.Contains(said, words) {
		l.t.Errorf("the doctor does not say %q:\n%s", words, said)
	}
	if !l.alive() {
		l.t.Fatalf("the program ended by itself:\n%s", l.out)
	}
}

// doctorSays is what "nightjar doctor" prints.
func doctorSays(t *testing.T, data string) string {
	t.Helper()
	doctor := run(t, plan{}, "doctor", "--data", data)
	doctor.end()
	return doctor.out.String()
}

// soon waits up to a minute for a slow step.
func soon(l *life, what string, ok func() bool) {
	l.t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatalf("%s: not after a minute\n%s", what, l.out)
		}
	}
}

// well waits until nothing is wrong any more.
func (l *life) well(data string, d *dashboard, words string) {
	l.t.Helper()
	soon(l, "nothing is wrong", func() bool {
		text, status := d.get(l.t, "/")
		return status == http.StatusOK && !strings.Contains(text, words)
	})
	if said := doctorSays(l.t, data); !strings.Contains(said, "Nothing keeps Nightjar from storing things") {
		l.t.Errorf("the doctor says:\n%s", said)
	}
}

// whole checks the database of a data folder that no program uses, and every row that has a sum.
func whole(t *testing.T, data string) {
	t.Helper()
	sound(t, database(data))
	withStore(t, data, func(st *store.Store) {
		if rows, n, err := safekeeping.Unsound(t.Context(), st.DB, 8); err != nil || n > 0 {
			t.Errorf("%d rows are not as they were written: %v, %v", n, rows, err)
		}
	})
}
