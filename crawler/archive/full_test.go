//go:build unix

package archive

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// TestDiskFull limits the file size of a process, like a full disk: Write fails, leaves no incomplete record, and keeps
// the records before.
func TestDiskFull(t *testing.T) {
	const key = "NIGHTJAR_TEST_FULL"
	if dir := os.Getenv(key); dir != "" {
		fillUp(t, dir)
		return
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestDiskFull$", "-test.v")
	cmd.Env = append(os.Environ(), key+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "SKIP") {
		t.Fatalf("%v\n%s", err, out)
	}
	all := records(t, dir)
	if n := len(all); n < 5 {
		t.Errorf("%d records stayed", n)
	}
}

func fillUp(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	a := mustOpen(t, dir, &shown{night}, 0)
	const most = 30_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		t.Fatal(err)
	}
	var last crawler.Place
	for i := 0; ; i++ {
		p, err := a.Write(t.Context(), []fetch.Exchange{got("http://a.test/", 200, filler(fmt.Sprint(i), 9000))})
		if errors.Is(err, syscall.EFBIG) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if last = p; i > 100 {
			t.Fatal("the disk never was full")
		}
	}
	if _, err := a.Read(last, "http://a.test/"); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Join(dir, last.File+openSuffix)); err != nil || info.Size() != a.cur.size {
		t.Errorf("half a record is left: %v bytes of %d, %v", info.Size(), a.cur.size, err)
	}
	small := mustWrite(t, a, got("http://a.test/small", 200, "x")) // there is room for this one
	mustRead(t, a, small, "http://a.test/small", "x")
}

// TestSIGKILL kills a process that writes from several goroutines, three times in one folder: all records are complete.
func TestSIGKILL(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const key = "NIGHTJAR_TEST_KILL"
	if dir := os.Getenv(key); dir != "" {
		a := mustOpen(t, dir, &shown{night}, 200_000)
		fmt.Println("open")
		for w := range 4 {
			go func() {
				for i := 0; ; i++ {
					mustWrite(t, a, got(fmt.Sprintf("http://h%d.test/%d", w, i), 200, filler(fmt.Sprint(w, i%100), 5000)))
				}
			}()
		}
		select {} // until killed
	}
	dir := t.TempDir()
	for round := range int64(3) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSIGKILL$")
		cmd.Env = append(os.Environ(), key+"="+dir)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fscanln(out, new(string)); err != nil {
			t.Fatal(err)
		}
		size := int64(0)
		for deadline := time.Now().Add(2 * time.Minute); size < 700_000*(1+round) && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			files, _ := filepath.Glob(filepath.Join(dir, "nightjar-*"))
			size = 0
			for _, f := range files {
				if info, err := os.Stat(f); err == nil {
					size += info.Size()
				}
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		a, err := Open(Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		n := len(records(t, dir)) // whole, each
		if n < 100 {
			t.Fatalf("%d records", n)
		}
	}
}
