package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// everything is the content of all records of a folder, headers and blocks.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var all bytes.Buffer
	for _, rec := range records(t, dir) {
		fmt.Fprintln(&all, rec.Header)
		all.Write(rec.Block)
	}
	return all.String()
}

func onSecret(url string) bool { return strings.HasPrefix(url, "http://secret.test") }

func TestErase(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 2500)
	same, own := filler("same", 4000), filler("canary", 4000)
	places := map[string]crawler.Place{}
	bodies := map[string]string{
		"http://secret.test/first": same, "http://a.test/": filler("a", 4000), "http://b.test/heir": same, "http://c.test/other": same,
		"http://secret.test/own": own, "http://d.test/last": filler("d", 100), "http://e.test/third": same,
	}
	for _, url := range []string{"http://secret.test/first", "http://a.test/", "http://b.test/heir", "http://secret.test/own", "http://c.test/other", "http://e.test/third", "http://d.test/last"} {
		places[url] = mustWrite(t, a, got(url, 200, bodies[url]))
	}
	away := got("http://a.test/away", http.StatusFound, "")
	away.Header = http.Header{"Location": {"http://secret.test/hop"}}
	places[away.URL] = mustWrite(t, a, away)
	if before := everything(t, dir); !strings.Contains(before, "secret.test") || !strings.Contains(before, "canary") {
		t.Fatal("the archive never knew the site")
	}
	moved := map[crawler.Place]int64{}
	e, err := a.Erase(onSecret, func(file string, to map[int64]int64) error {
		for from, at := range to {
			moved[crawler.Place{File: file, Offset: from}] = at
		}
		return nil
	})
	if err != nil || e.Records != 6 || e.Files == 0 {
		t.Errorf("%+v, %v", e, err)
	}
	after := everything(t, dir)
	for _, word := range []string{"secret", "canary"} {
		if strings.Contains(after, word) {
			t.Errorf("%q is still there", word)
		}
	}
	for url, p := range places {
		at, ok := moved[p]
		if onSecret(url) || url == away.URL {
			if e, err := a.Read(p, url); !errors.Is(err, ErrGone) || ok {
				t.Errorf("%s: %v, %v", url, e, err)
			}
			continue
		}
		mustRead(t, a, p, url, bodies[url]) // by the old place, too
		if ok {
			p.Offset = at
		}
		mustRead(t, a, p, "", bodies[url])
	}
	if n := strings.Count(after, same[:100]); n != 1 {
		t.Errorf("the body of the first is there %d times", n)
	}
	// New records do not refer to deleted ones.
	p := mustWrite(t, a, got("http://f.test/", 200, own))
	mustRead(t, a, p, "http://f.test/", own)
	if rest, _ := filepath.Glob(filepath.Join(dir, "*"+newSuffix)); len(rest) > 0 {
		t.Error("left behind:", rest)
	}
}

// TestEraseAgain erases after an earlier Erase crashed, and erases unreadable parts.
func TestEraseAgain(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 0)
	p := mustWrite(t, a, got("http://secret.test/1", 200, filler("canary", 600)))
	q := mustWrite(t, a, got("http://a.test/", 200, "stays"))
	if err := a.Finish(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, p.File)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	data[p.Offset+40] ^= 0x55 // in the secret's record
	if err := errors.Join(os.WriteFile(name, data, 0o600), os.WriteFile(name+newSuffix, data, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Erase(onSecret, nil); err != nil {
		t.Fatal(err)
	}
	mustRead(t, a, q, "http://a.test/", "stays")
	if after, _ := os.ReadFile(name); bytes.Contains(after, data[p.Offset+60:p.Offset+100]) {
		t.Error("a record that cannot be read is still there")
	}
	if _, err := a.Erase(func(string) bool { return true }, nil); err != nil {
		t.Fatal(err)
	}
	if rest, _ := filepath.Glob(filepath.Join(dir, "nightjar-*")); len(rest) > 0 {
		t.Errorf("files of nothing: %v", rest)
	}
}

// TestEraseInterrupted interrupts Erase after each file: the records that stay can always be read, here and in a replay,
// and a second Erase completes the first.
func TestEraseInterrupted(t *testing.T) {
	stop := errors.New("stopped")
	for after := range 4 {
		dir := t.TempDir()
		a := mustOpen(t, dir, &shown{night}, 2500)
		same := filler("canary", 4000)
		places := map[string]crawler.Place{}
		for i, host := range []string{"secret", "a", "b", "secret2", "c"} {
			url := fmt.Sprintf("http://%s.test/%d", host, i)
			if host == "secret2" {
				url = "http://secret.test/2"
			}
			places[url] = mustWrite(t, a, got(url, 200, same))
			mustWrite(t, a, got(fmt.Sprintf("http://other.test/%d", i), 200, filler(fmt.Sprint(i), 4000)))
		}
		n := 0
		_, err := a.Erase(onSecret, func(string, map[int64]int64) error {
			if n++; n > after {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) {
			t.Fatalf("after %d files: %v", after, err)
		}
		for range 2 {
			for url, p := range places {
				if !onSecret(url) {
					mustRead(t, a, p, url, same)
				}
			}
			if _, err := a.Erase(onSecret, nil); err != nil {
				t.Fatal(err)
			}
		}
		if all := everything(t, dir); strings.Contains(all, "secret") {
			t.Errorf("after %d files: not all is erased", after)
		}
	}
}

// TestListWhileFilesEnd lists the folder while full files are renamed: every list has all of them. Prune would not rewrite
// a file that it misses.
func TestListWhileFilesEnd(t *testing.T) {
	a := mustOpen(t, t.TempDir(), &shown{night}, 1)
	const most = 60
	var writing sync.WaitGroup
	defer writing.Wait()
	writing.Go(func() {
		for i := 0; i < most && !t.Failed(); i++ {
			if _, err := a.Write(context.Background(), []fetch.Exchange{got(fmt.Sprintf("http://a.test/%d", i), 200, "x")}); err != nil {
				t.Error(err)
			}
		}
	})
	for listed := 0; listed < most && !t.Failed(); {
		files, err := a.files()
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			if f.num != i {
				t.Fatalf("file %d of the night is not in the list of %d files", i, len(files))
			}
		}
		listed = len(files)
	}
}

func TestEraseAll(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 0)
	mustWrite(t, a, got("http://a.test/", 200, "x"))
	if err := a.EraseAll(); err != nil {
		t.Fatal(err)
	}
	if rest, _ := filepath.Glob(filepath.Join(dir, "nightjar-*")); len(rest) > 0 {
		t.Errorf("left: %v", rest)
	}
	mustWrite(t, a, got("http://a.test/", 200, "x"))
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	c := &shown{night}
	a := mustOpen(t, dir, c, 500_000)
	places := map[int][]crawler.Place{}
	write := func(day, pages int) {
		for i := range pages {
			places[day] = append(places[day], mustWrite(t, a, got(fmt.Sprintf("http://a.test/%d/%d", day, i), 200, filler(fmt.Sprint(i), 280_000))))
		}
	}
	for day := range 5 {
		if err := a.Begin(About{}); err != nil {
			t.Fatal(err)
		}
		write(day, 2)
		c.now = c.now.Add(24 * time.Hour)
	}
	there := func(days ...int) {
		t.Helper()
		for day := range 5 {
			want := false
			for _, d := range days {
				want = want || d == day
			}
			for i, p := range places[day] {
				_, err := a.Read(p, fmt.Sprintf("http://a.test/%d/%d", day, i))
				if want != (err == nil) || err != nil && !errors.Is(err, ErrGone) {
					t.Errorf("night %d: %v", day, err)
				}
			}
		}
	}
	there(0, 1, 2, 3, 4)
	if p, err := a.Prune(0); err != nil || p.Files != 0 {
		t.Errorf("without limits: %+v, %v", p, err)
	}
	if p, err := a.Prune(2); err != nil || p.Files == 0 || p.Bytes == 0 {
		t.Errorf("to 2 MB: %+v, %v", p, err)
	}
	there(1, 2, 3, 4)
	if _, err := a.Prune(1); err != nil {
		t.Error(err)
	}
	there(3, 4)
	places[4] = append(places[4], mustWrite(t, a, got("http://a.test/4/2", 200, filler("more", 280_000))))
	if _, err := a.Prune(1); err != nil { // the last night stays, with the file that is written to
		t.Error(err)
	}
	there(4)
}

// TestPruneOneNight deletes the first files of a night that is too large; what later ones refer to stays.
func TestPruneOneNight(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 500_000)
	same := filler("same", 700_000)
	first := mustWrite(t, a, got("http://a.test/first", 200, same))
	mustWrite(t, a, got("http://a.test/1", 200, filler("one", 2_000_000)))
	mustWrite(t, a, got("http://a.test/2", 200, filler("two", 2_000_000)))
	heir := mustWrite(t, a, got("http://a.test/heir", 200, same))
	other := mustWrite(t, a, got("http://a.test/other", 200, same))
	if _, err := a.Prune(1); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Read(first, ""); !errors.Is(err, ErrGone) {
		t.Errorf("the first: %v", err)
	}
	mustRead(t, a, heir, "http://a.test/heir", same)
	mustRead(t, a, other, "http://a.test/other", same)
}
