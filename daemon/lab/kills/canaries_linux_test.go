package kills

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// canaries are texts that only what a person visited, and what was crawled for them, has.
func canaries() []string { return []string{"/session-0/", "h1.test", topic, hostName(1), hostName(2)} }

// singing lists the files below some folders that have a canary in their name, as they are, or in what they have packed.
func singing(t *testing.T, folders ...string) (found []string) {
	t.Helper()
	has := func(text []byte) string {
		for _, c := range canaries() {
			if bytes.Contains(text, []byte(c)) {
				return c
			}
		}
		return ""
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all := append([][]byte{text, []byte(path[len(folder):])}, unpacked(text)...)
			for i, part := range all {
				if c := has(part); c != "" {
					found = append(found, fmt.Sprintf("%s has %q (part %d)", path, c, i))
					break
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// unpacked is what a file holds in gzip and zstd, wherever it begins. What is cut or overwritten is read as far as it goes.
func unpacked(text []byte) (all [][]byte) {
	read := func(r io.Reader) {
		part, _ := io.ReadAll(io.LimitReader(r, 1<<20)) // as far as it goes
		if len(part) > 0 {
			all = append(all, part)
		}
	}
	for i := range text {
		rest := text[i:]
		switch {
		case bytes.HasPrefix(rest, []byte{0x1f, 0x8b, 8}):
			if r, err := gzip.NewReader(bytes.NewReader(rest)); err == nil {
				read(r)
			}
		case bytes.HasPrefix(rest, []byte{0x28, 0xb5, 0x2f, 0xfd}):
			if r, err := zstd.NewReader(bytes.NewReader(rest), zstd.WithDecoderConcurrency(1)); err == nil {
				read(r)
				r.Close()
			}
		}
	}
	return all
}

// TestSickCanaries ends the program while it makes a backup, restores one, exports, erases a site or erases everything. Then the
// person erases everything. After that, nothing that was read is in the data folder, beside it, or among temporary files.
func TestSickCanaries(t *testing.T) {
	needSick(t)
	template := fullFolder(t)
	file := backUp(t, template)
	kinds := map[string]phase{"backup": backingUp, "download": backingUp, "restore": restoring, "erase": erasingSite, "erase-all": wiping, "export": ""}
	n, there := 0, 0
	for _, kind := range []string{"backup", "download", "restore", "erase", "erase-all", "export"} {
		places := []string{atRandom}
		if kinds[kind] != "" {
			places = slices.DeleteFunc(placesOf(kinds[kind]), func(place string) bool { return strings.HasPrefix(place, "store.write.") })
		}
		for _, place := range places {
			t.Run(kind+" "+place, func(t *testing.T) {
				home := t.TempDir()
				temp := t.TempDir()
				t.Setenv("TMPDIR", temp)
				data := filepath.Join(home, "data")
				if err := os.Rename(copyFolder(t, template), data); err != nil {
					t.Fatal(err)
				}
				if len(singing(t, home)) < 2 {
					t.Fatal("there is nothing to erase: the test finds nothing")
				}
				if killAt(t, kind, place, data, file) {
					there++
				}
				l := mustServe(t, data)
				if err := login(t, l).post(t, "/settings/erase-all", url.Values{"confirm": {"erase everything"}}); err != nil {
					t.Fatal(err)
				}
				for _, file := range singing(t, home, temp) {
					t.Error("while it runs: " + file)
				}
				l.stop()
				for _, file := range singing(t, home, temp) {
					t.Error("after it has stopped: " + file)
				}
				n++
			})
		}
	}
	t.Logf("%d kills, %d of them at a place", n, there)
}

// killAt has the program do something with a data folder, and ends it at a place, or when it is done and did not come there. It
// reports whether it came there.
func killAt(t *testing.T, kind, place, data, file string) bool {
	t.Helper()
	p := at(place, 1)
	switch kind {
	case "backup":
		run(t, p, "backup", filepath.Join(t.TempDir(), "one.nightjar.zip"), "--archive", "--data", data).dies()
		return true
	case "restore":
		run(t, p, "restore", file, "--data", data).dies()
		return true
	case "export":
		l := run(t, p, "export", "--topic", topic, "--out", filepath.Join(t.TempDir(), "one.jsonl"), "--data", data)
		time.Sleep(30 * time.Millisecond) // it takes about twice as long
		l.kill()
		return false
	}
	p.after = filepath.Join(t.TempDir(), "logged in")
	l := serve(t, p, data)
	if !l.ready() {
		t.Fatal("the program ended too early")
	}
	d := login(t, l)
	mustWrite(t, p.after)
	switch kind {
	case "download":
		if res, err := d.client.Get(d.base + "/settings/backup?archive=1"); err == nil {
			_, _ = io.Copy(io.Discard, res.Body) // it breaks off
			res.Body.Close()
		}
	case "erase":
		_ = d.post(t, "/settings/erase", url.Values{"host": {hostName(1)}}) // the program is ended meanwhile
		l.diesOr(func() bool { return erased(t, data) && place != "erase-site.erased" })
		return l.cameTo(place)
	case "erase-all":
		_ = d.post(t, "/settings/erase-all", url.Values{"confirm": {"erase everything"}}) // the program is ended meanwhile
	}
	l.kill()
	return l.cameTo(place)
}

// cameTo reports whether the program, which has ended, was at a place.
func (l *life) cameTo(place string) bool {
	l.t.Helper()
	passed, err := os.ReadFile(l.log)
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.Contains(string(passed), place+"\n")
}
