package wordnet

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/model/wordnet"
)

// entry is a file of an archive.
type entry struct {
	name, text string
	kind       byte // of tar, 0 for a file
	link       string
}

// tinyEntries are the files of the tiny WordNet below a folder of an archive.
func tinyEntries(tb testing.TB, below string) (all []entry) {
	tb.Helper()
	for _, name := range wordnet.Names() {
		all = append(all, entry{name: below + name, text: string(read(tb, filepath.Join(tiny, name)))})
	}
	return all
}

func tarOf(tb testing.TB, entries ...entry) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Typeflag: e.kind, Linkname: e.link, Size: int64(len(e.text))}
		err := w.WriteHeader(h)
		if err == nil {
			_, err = io.WriteString(w, e.text)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func tgzOf(tb testing.TB, entries ...entry) []byte { return gzipped(tb, tarOf(tb, entries...)) }

func read(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func gzipped(tb testing.TB, data []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// archives are the tiny WordNet as a .tar.gz, as Princeton University publishes it, and as npm's package has it: with the irregular
// forms beside it.
func archives(tb testing.TB) map[string][]byte {
	tb.Helper()
	all := append([]entry{{name: "dict/index.sense", text: strings.Repeat("x", 9999)}}, tinyEntries(tb, "dict/")...)
	var forms, others []entry
	for _, e := range all {
		if strings.HasSuffix(e.name, ".exc") {
			forms = append(forms, entry{name: "package/data/" + filepath.Base(e.name), text: e.text})
		} else {
			others = append(others, e)
		}
	}
	npm := append(forms, entry{name: "package/LICENSE", text: "Copyright nobody"}, entry{name: "package/WNdb.tar.gz", text: string(tgzOf(tb, others...))})
	return map[string][]byte{"princeton": tgzOf(tb, all...), "npm": tgzOf(tb, npm...)}
}

// TestAddArchives: both archives give the same WordNet as the folder, and nothing but what is needed is kept.
func TestAddArchives(t *testing.T) {
	folder, _ := library(t)
	folder.system = []string{tiny}
	want := folder.Fingerprint()
	for kind, data := range archives(t) {
		t.Run(kind, func(t *testing.T) {
			l, _ := library(t)
			path := filepath.Join(t.TempDir(), "an archive")
			write(t, path, string(data))
			if err := l.Add(context.Background(), path); err != nil {
				t.Fatal(err)
			}
			s := l.State()
			if got := l.Fingerprint(); got != want || s.From != FromData || !s.Added || s.Problem != "" {
				t.Errorf("fingerprint %s, want %s; %+v", got, want, s)
			}
			if kind == "npm" && !strings.HasSuffix(s.Notice, "Copyright nobody") {
				t.Errorf("notice %q lacks the licence", s.Notice)
			}
			for _, e := range entriesOf(t, s.Folder) {
				if limit(e) == 0 {
					t.Errorf("%s was kept", e)
				}
			}
		})
	}
}

func entriesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// TestAddReplacesAndRemove: the data folder has one WordNet, the last one added; then none.
func TestAddReplacesAndRemove(t *testing.T) {
	l, variable := library(t)
	if err := l.Remove(context.Background()); !errors.Is(err, ErrNothing) {
		t.Errorf("removing nothing: %v", err)
	}
	copyTiny(t, l.system[0])
	prints := map[string]bool{}
	for _, dir := range []string{copyTiny(t, variable), copyTiny(t, t.TempDir(), "verb.exc"), copyTiny(t, filepath.Join(t.TempDir(), "dict"), "noun.exc")} {
		if filepath.Base(dir) == "dict" {
			dir = filepath.Dir(dir)
		}
		if err := l.Add(context.Background(), dir); err != nil {
			t.Fatal(err)
		}
		s := l.State()
		if s.From != FromData || s.Problem != "" {
			t.Errorf("%+v", s)
		}
		prints[l.Fingerprint()] = true
		if got := entriesOf(t, l.dir); len(got) != 3 || !slices.Contains(got, filepath.Base(s.Folder)) {
			t.Errorf("the folder has %q, want an edition, its name and the lock", got)
		}
	}
	if len(prints) != 3 {
		t.Errorf("%d fingerprints of three WordNets", len(prints))
	}
	if err := l.Remove(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := entriesOf(t, l.dir); len(got) != 1 {
		t.Errorf("the folder has %q after removing, want the lock", got)
	}
	if s := l.State(); s.From != FromVariable || s.Added || s.Problem != "" {
		t.Errorf("after removing: %+v", s)
	}
}

// TestAddedIsGone: the state says so after the folder was deleted by hand, also to a new process.
func TestAddedIsGone(t *testing.T) {
	l, _ := library(t)
	if err := l.Add(context.Background(), tiny); err != nil {
		t.Fatal(err)
	}
	folder := l.State().Folder
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	again := New(Options{Dir: filepath.Dir(l.dir), Getenv: func(string) string { return "" }})
	again.system = l.system
	for _, l := range []*Library{l, again} {
		if s := l.State(); s.Found() || !s.Added || !strings.Contains(s.Problem, "is gone from "+folder+": add it again.") {
			t.Errorf("%+v", s)
		}
	}
	if err := again.Remove(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestAddRefuses: what cannot be used changes nothing, and the error says what to do.
func TestAddRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		write(t, path, text)
		return path
	}
	linked := copyTiny(t, filepath.Join(dir, "linked"), "index.noun")
	if err := os.Symlink(filepath.Join(linked, "data.noun"), filepath.Join(linked, "index.noun")); err != nil {
		t.Fatal(err)
	}
	broken := copyTiny(t, filepath.Join(dir, "broken"))
	write(t, filepath.Join(broken, "data.verb"), "00000000 29 v 01 run 0 000 00\n")
	twice := append(tinyEntries(t, "a/"), tinyEntries(t, "b/")...)
	l, _ := library(t)
	if err := l.Add(context.Background(), tiny); err != nil {
		t.Fatal(err)
	}
	before := l.Fingerprint()
	for path, want := range map[string]string{
		filepath.Join(dir, "none"):         "no such file or directory: name a dict folder or a .tar.gz",
		os.DevNull:                         "is not a file",
		dir:                                "has no data.noun: name WordNet's dict folder",
		linked:                             "index.noun is a link or no file: name the folder that has the file itself",
		broken:                             "data.verb, byte 0: ",
		copyTiny(t, dir+"/x", "data.verb"): "data.verb is missing",
		file("empty", ""):                  "empty ends too early, after byte 0: download it again",
		file("text", "WordNet"):            "text: this is no .tar.gz: unpack it, and add the folder that has data.noun",
		file("wordnet.deb", "!<arch>\n"):   "this is no .tar.gz: unpack it",
		file("wordnet.zip", "PK\x03\x04"):  "this is no .tar.gz: unpack it",
		file("wordnet.tar", string(tarOf(t, tinyEntries(t, "")...))):                                              "this is no .tar.gz: unpack it",
		file("data.noun.gz", string(gzipped(t, read(t, filepath.Join(tiny, "data.noun"))))):                       "this is no .tar.gz: unpack it",
		file("other.tgz", string(tgzOf(t, entry{name: "a/readme", text: "x"}))):                                   "has no data.noun: get a .tar.gz of WordNet's dict folder",
		file("twice.tgz", string(tgzOf(t, twice...))):                                                             "it has two files data.noun: unpack it",
		file("links.tgz", string(tgzOf(t, entry{name: "data.noun", kind: tar.TypeSymlink, link: "/etc/passwd"}))): "has no data.noun",
		file("hard.tgz", string(tgzOf(t, entry{name: "data.noun", kind: tar.TypeLink, link: "/etc/passwd"}))):     "has no data.noun",
		file("devices.tgz", string(tgzOf(t, entry{name: "data.noun", kind: tar.TypeFifo}))):                       "has no data.noun",
		file("part.tgz", string(tgzOf(t, tinyEntries(t, "")[:2]...))):                                             "data.verb is missing",
	} {
		err := l.Add(context.Background(), path)
		var problem *Problem
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
		if got := entriesOf(t, l.dir); l.Fingerprint() != before || len(got) != 3 {
			t.Fatalf("%s: the folder has %q, and the fingerprint is %s", path, got, l.Fingerprint())
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.Add(done, tiny); !errors.Is(err, context.Canceled) || l.Fingerprint() != before {
		t.Errorf("a cancelled addition: %v", err)
	}
}

// TestAddLinkedFolder: a link in place of the folder is not written through.
func TestAddLinkedFolder(t *testing.T) {
	l, _ := library(t)
	elsewhere := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Dir(l.dir), 0o700), os.Symlink(elsewhere, l.dir)); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(context.Background(), tiny); err == nil || !strings.Contains(err.Error(), "is a link or no folder: remove it first") {
		t.Errorf("error %v", err)
	}
	if got := entriesOf(t, elsewhere); len(got) > 0 {
		t.Errorf("the folder that the link names has %q", got)
	}
}

// TestUsedWhileReplaced: readers always have a whole WordNet while others are added.
func TestUsedWhileReplaced(t *testing.T) {
	l, _ := library(t)
	other := copyTiny(t, t.TempDir(), "noun.exc")
	if err := l.Add(context.Background(), tiny); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if n := l.Net(); n == nil || n.Len() != 27 {
					t.Error("there was no WordNet for a moment")
					return
				}
				l.Gloss(1)
				l.State()
			}
		})
	}
	for _, dir := range []string{other, tiny, other, tiny, other} {
		if err := l.Add(context.Background(), dir); err != nil {
			t.Error(err)
		}
	}
	close(done)
	readers.Wait()
}

// TestAddWithoutRights: the error says what the data folder needs.
func TestAddWithoutRights(t *testing.T) {
	l, _ := library(t)
	write(t, filepath.Dir(l.dir), "a file in place of the data folder")
	err := l.Add(context.Background(), tiny)
	if _, ok := errors.AsType[*Problem](err); !ok || !strings.Contains(err.Error(), "check that the data folder is writable and its disk not full") {
		t.Errorf("error %v", err)
	}
}
