//go:build measure

package trainingset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/warc"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestTitlesOnCorpora counts what titles of real documents find in recorded webs: as phrases, and by words near each other before and
// after these are compared with unrelated titles. The documents are ten papers with listed references, and those in the folder that
// NIGHTJAR_DOCUMENTS names.
func TestTitlesOnCorpora(t *testing.T) {
	root := os.Getenv("NIGHTJAR_CORPORA")
	if root == "" {
		t.Skip("left out: NIGHTJAR_CORPORA does not name a folder of WARC files")
	}
	s := mustIndex(t, root)
	var all, short [3]int
	for name, titles := range mustDocuments(t) {
		var sum [3]int
		local := &Local{Store: s}
		for _, title := range titles {
			before, err := search.FindTitle(t.Context(), s.DB, title, MaxHits, true)
			if err != nil {
				t.Fatal(err)
			}
			after, err := local.Search(t.Context(), title, MaxHits)
			if err != nil {
				t.Fatal(err)
			}
			if len(words.List(title)) <= search.ShortTitle {
				short[0], short[1] = short[0]+len(before), short[1]+len(after)
				continue
			}
			for _, h := range before {
				switch {
				case !near(h):
					sum[0]++
				case slices.ContainsFunc(after, func(k Hit) bool { return k.URL == h.URL }):
					sum[1]++
					sum[2]++
					t.Logf("  kept %q: %s %q", title, h.URL, h.Title)
				default:
					sum[1]++
					t.Logf("  dropped %q: %s %q", title, h.URL, h.Title)
				}
			}
		}
		t.Logf("%s: %d titles; %d pages by phrase, %d by words near each other, of which %d are kept", name, len(titles), sum[0], sum[1], sum[2])
		for i := range sum {
			all[i] += sum[i]
		}
	}
	t.Logf("all: %d by phrase, %d near, %d kept; titles of at most two words: %d in texts, %d in titles", all[0], all[1], all[2], short[0], short[1])
}

func mustDocuments(t *testing.T) map[string][]string {
	t.Helper()
	var papers []struct {
		File       string
		References []string
	}
	text, err := os.ReadFile("../document/testdata/titles.json")
	if err == nil {
		err = json.Unmarshal(text, &papers)
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, p := range papers {
		all[p.File] = p.References
	}
	files, err := filepath.Glob(filepath.Join(os.Getenv("NIGHTJAR_DOCUMENTS"), "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			continue // a folder
		}
		d, err := document.Read(t.Context(), body, document.Options{})
		if err != nil {
			t.Logf("%s: %v", file, err)
			continue
		}
		titles := []string{d.Title}
		for _, r := range d.References {
			titles = append(titles, r.Title)
		}
		all[filepath.Base(file)] = titles
	}
	return all
}

// mustIndex makes a store whose index has the pages of all webs.
func mustIndex(t *testing.T, root string) *store.Store {
	t.Helper()
	path := storetest.Path(t)
	s := open(t, path)
	files, err := filepath.Glob(filepath.Join(root, "*", "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no webs in %s: %v", root, err)
	}
	count := 0
	for _, file := range files {
		pages := map[string]storedPage{}
		eachPage(t, file, func(p *page.Page) {
			pages[p.URL] = storedPage{[]string{p.Title}, words.List(p.Text)}
			if len(pages) == 5000 {
				count += len(pages)
				index(t, s, path, pages)
				clear(pages)
			}
		})
		count += len(pages)
		index(t, s, path, pages)
	}
	t.Logf("%d pages of %d webs", count, len(files))
	return s
}

func eachPage(t *testing.T, file string, do func(*page.Page)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for r := warc.NewReader(f, info.Size()); ; {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(record.Block)), nil)
		if err != nil || response.StatusCode != http.StatusOK || strings.Contains(record.Target(), "robots.txt") {
			continue
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := page.Parse(record.Target(), response.Header.Get("Content-Type"), body); err == nil {
			do(p)
		}
	}
}
