package links_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/linktext"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// northTexas is the example of [THESUS] §5.2.
const northTexas = `<p><a href="http://www.lib.unc.test/music/">University of North Carolina, Chapel Hill - Music Library</a></p>` +
	`<p><a href="http://www.library.unt.test/music/default.htm"> University of North Texas - Music Library</a> <br> ` +
	`&quot;...one of the largest university music collections in the United States, has over 250,000 volumes of books, periodicals, `

// TestPaperExample: the words of the paper's page, from the visit to the table.
func TestPaperExample(t *testing.T) {
	s := open(t)
	visit(t, s, 1, map[string]string{"http://a.test/": northTexas})
	x := links.NewIndexer(s, links.Options{Log: slog.New(slog.DiscardHandler)})
	if n := readAll(t, x); n != 1 {
		t.Errorf("read %d pages", n)
	}
	want(t, s, "the paper's page",
		"a.test/ www.lib.unc.test/music/: carolina 1, chapel 1, hill 1, library 1, music 1, north 1, university 1",
		"a.test/ www.library.unt.test/music/default.htm: collections 1, largest 1, library 1, music 2, north 1, states 1, texas 1, united 1, university 2")
}

// TestHostilePages: what is no page, or links where nobody may look, does no harm. Links to hosts that are never recorded, and
// those with secrets, are not kept.
func TestHostilePages(t *testing.T) {
	s := open(t)
	never := settings.Default()
	never.NeverRecord = []string{"bank.test"}
	if err := s.SaveSettings(t.Context(), never); err != nil {
		t.Fatal(err)
	}
	visit(t, s, 1, map[string]string{
		"http://a.test/": `<a href="http://www.bank.test/">money</a><a href="http://b.test/?password=swordfish">secret</a><a href="javascript:x">x</a><a href="http://c.test/">flute</a>`,
		"http://b.test/": "\u0000\ufffd<<a href='><a href=http://c.test/ <script>",
		"http://e.test/": "",
	})
	readAll(t, links.NewIndexer(s, links.Options{Log: slog.New(slog.DiscardHandler)}))
	for _, line := range said(t, s) {
		if strings.Contains(line, "bank") || strings.Contains(line, "swordfish") {
			t.Errorf("kept %s", line)
		}
	}
	if pages, _, _, err := links.Counts(t.Context(), s.DB, 1<<40); err != nil || pages < 2 {
		t.Errorf("%d pages, %v", pages, err)
	}
}

// TestNavigationFile: the file is written, read again when it changes, and one that cannot be read leaves the words as they are.
func TestNavigationFile(t *testing.T) {
	s := open(t)
	file := filepath.Join(t.TempDir(), "navigation-words.txt")
	log, lines := logged()
	x := links.NewIndexer(s, links.Options{NavigationFile: file, Log: log})
	visit(t, s, 1, map[string]string{"http://a.test/": `<a href="http://b.test/">home flute violin</a>`})
	readAll(t, x)
	if text, err := os.ReadFile(file); err != nil || string(text) != linktext.NavigationText() {
		t.Errorf("the file has %d bytes, %v", len(text), err)
	}
	want(t, s, "usual words", "a.test/ b.test/: flute 1, violin 1")

	write(t, file, "flute # no music\n", 1)
	if n := readAll(t, x); n != 1 {
		t.Errorf("read %d pages again", n)
	}
	want(t, s, "the person's words", "a.test/ b.test/: home 1, violin 1")

	write(t, file, "flute\nno-word\n", 2)
	if n := readAll(t, x); n != 0 || !strings.Contains(lines.String(), "line 2") || !strings.Contains(lines.String(), file) {
		t.Errorf("read %d pages again; log:\n%s", n, lines)
	}
	said := lines.Len()
	if n := readAll(t, x); n != 0 || lines.Len() != said {
		t.Errorf("it is said again; log:\n%s", lines)
	}
	want(t, s, "the words stay", "a.test/ b.test/: home 1, violin 1")

	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	readAll(t, x)
	want(t, s, "usual words again", "a.test/ b.test/: flute 1, violin 1")

	// Another start with the same words reads nothing again.
	if n := readAll(t, links.NewIndexer(s, links.Options{NavigationFile: file, Log: log})); n != 0 {
		t.Errorf("read %d pages after a start", n)
	}
	missing := filepath.Join(t.TempDir(), "no folder", "navigation-words.txt")
	x = links.NewIndexer(s, links.Options{NavigationFile: missing, Log: log})
	readAll(t, x)
	readAll(t, x)
	if n := strings.Count(lines.String(), missing); n == 0 || n > 2 { // the line and the error in it
		t.Errorf("a file that cannot be written is named %d times", n)
	}
}

// TestWordNetComesAndGoes: words are base forms while there is WordNet, and all pages are read again when it changes.
func TestWordNetComesAndGoes(t *testing.T) {
	s := open(t)
	lib := &library{}
	x := links.NewIndexer(s, links.Options{WordNet: lib, Log: slog.New(slog.DiscardHandler)})
	visit(t, s, 1, map[string]string{"http://a.test/": `<a href="http://b.test/">dogs zzyzxs</a>`, "http://c.test/": `<a href="http://b.test/">drums</a>`})
	if n := readAll(t, x); n != 2 {
		t.Errorf("read %d pages", n)
	}
	want(t, s, "without WordNet", "a.test/ b.test/: dogs 1, zzyzxs 1", "c.test/ b.test/: drums 1")
	*lib = library{tiny(t), "tiny"}
	if n := readAll(t, x); n != 2 {
		t.Errorf("read %d pages again", n)
	}
	want(t, s, "with WordNet", "a.test/ b.test/: dog 1, zzyzxs 1", "c.test/ b.test/: drum 1")
	if n := readAll(t, links.NewIndexer(s, links.Options{WordNet: lib, Log: slog.New(slog.DiscardHandler)})); n != 0 {
		t.Errorf("read %d pages after a start", n)
	}
	*lib = library{nil, "cannot be read"}
	readAll(t, x)
	want(t, s, "WordNet removed", "a.test/ b.test/: dogs 1, zzyzxs 1", "c.test/ b.test/: drums 1")
}

// TestKills kills an indexer in the middle, again and again. At last all links are there, once, as by one that was never killed.
func TestKills(t *testing.T) {
	if path := os.Getenv("NIGHTJAR_TEST_LINKS"); path != "" {
		s, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Fatal(links.NewIndexer(s, links.Options{Log: slog.New(slog.DiscardHandler), Rest: func(context.Context) error { return nil }}).Run(t.Context())) // never returns: it is killed
	}
	path := storetest.Path(t)
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for i := range 100 {
		var doc strings.Builder
		n := 5
		if i%50 == 0 {
			n = 1500 // several transactions
		}
		for j := range n {
			fmt.Fprintf(&doc, `<li>number%c <a href="http://to.test/%d">flute violin word%c</a>`, 'a'+j%26, j, 'a'+i%26)
		}
		pages[fmt.Sprintf("http://many.test/%d", i)] = doc.String()
	}
	visit(t, s, 1, pages)
	for kill := range 4 {
		before := waiting(t, s)
		child := exec.Command(os.Args[0], "-test.run=^TestKills$")
		child.Env = append(os.Environ(), "NIGHTJAR_TEST_LINKS="+path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(3 * time.Minute); waiting(t, s) >= before && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if err := errors.Join(child.Process.Kill(), ignoreKilled(child.Wait())); err != nil {
			t.Fatal(err)
		}
		n := waiting(t, s)
		if n >= before {
			t.Errorf("%d of %d pages wait after kill %d", n, before, kill)
		}
		t.Logf("%d of %d pages wait after kill %d", n, before, kill)
		if err := s.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n < 20 {
			break // it was quick: nothing is left to kill
		}
	}
	readAll(t, links.NewIndexer(s, links.Options{Log: slog.New(slog.DiscardHandler)}))
	got := said(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole := open(t)
	visit(t, whole, 1, pages)
	readAll(t, links.NewIndexer(whole, links.Options{Log: slog.New(slog.DiscardHandler)}))
	if all := said(t, whole); strings.Join(got, "\n") != strings.Join(all, "\n") || len(all) != 2*1500+98*5 {
		t.Errorf("%d links, want %d", len(got), len(all))
	}
}

// ignoreKilled drops the error of a process that was killed.
func ignoreKilled(err error) error {
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil
	}
	return err
}

func waiting(t *testing.T, s *store.Store) int {
	t.Helper()
	n, err := links.Waiting(t.Context(), s.DB, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
