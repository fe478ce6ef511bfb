//go:build measure

package recording

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
)

// TestReplayCorpora reads real recordings, if there are any, like a crawl. TestReplay and TestReplayForms do so
// with archives of our own.
func TestReplayCorpora(t *testing.T) {
	root := os.Getenv("NIGHTJAR_CORPORA")
	if root == "" {
		t.Skip("left out: NIGHTJAR_CORPORA does not name a folder of WARC files")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		start := time.Now()
		r, report := mustReplay(t, name)
		opened := time.Since(start)
		start = time.Now()
		links, inside, textOnly, bytes := 0, 0, 0, 0
		known := map[string]bool{}
		for _, u := range r.Pages() {
			known[u] = true
		}
		for _, u := range r.Pages() {
			res := r.Fetch(t.Context(), u)
			if res.Outcome != fetch.OK {
				t.Errorf("%s: %s %s", u, res.Outcome, res.Reason)
				continue
			}
			p, err := page.Parse(res.FinalURL, page.ContentUTF8, res.Body)
			if err != nil || p.Text == "" {
				t.Logf("%s: error %v, text %q", u, err, p.Text)
				continue
			}
			bytes += len(res.Body)
			if p.TextOnly {
				textOnly++
			}
			links += len(p.Links)
			for _, l := range p.Links {
				if known[l.URL] {
					inside++
				}
			}
		}
		t.Logf("%s: %v; opened in %v; %d MB read and parsed in %v; %d links, %d inside, %d text only", filepath.Base(name), report, opened, bytes>>20, time.Since(start), links, inside, textOnly)
	}
}
