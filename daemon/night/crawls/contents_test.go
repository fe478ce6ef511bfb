package crawls

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
)

// TestContentAsSent: a page that came compressed is stored as it came, whatever follows, and reads as any other.
func TestContentAsSent(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{benchURL(0)}})
	var fetches []*crawler.Fetch
	for i, after := range []string{"", "not compressed", "followed by this"} {
		f := benchFetch(i)
		f.Queued, f.Relevant, f.Response = nil, false, fetch.Response{Outcome: fetch.OK, ETag: `"1"`, Body: fmt.Appendf(nil, "<p>page %d", i)}
		if i != 1 {
			f.Response.Packed = append(asServersDo(t, f.Response.Body), after...)
		}
		fetches = append(fetches, f)
	}
	mustCommit(t, NewJournal(s.DB, c), &crawler.Batch{Fetches: fetches})
	for _, f := range fetches {
		if known, ok := KnownPages(s.DB)(t.Context(), f.FinalURL); !ok || !bytes.Equal(known.Body, f.Response.Body) {
			t.Errorf("page %d: %q, want %q", f.N, known.Body, f.Response.Body)
		}
		var stored []byte
		err := s.Readers.QueryRow("SELECT gzip FROM contents JOIN fetches ON hash = content_hash WHERE n = ?", f.N).Scan(&stored)
		if err != nil || f.Response.Packed != nil && !bytes.Equal(stored, f.Response.Packed) {
			t.Errorf("page %d: stored %q, %v, sent %q", f.N, stored, err, f.Response.Packed)
		}
	}
}

// asServersDo compresses a page with a name in the header, which this program never writes.
func asServersDo(t *testing.T, body []byte) []byte {
	t.Helper()
	var sent bytes.Buffer
	z := gzip.NewWriter(&sent)
	z.Name = "page.html"
	_, err := z.Write(body)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return sent.Bytes()
}

// TestFindsAreLookedUp: whether a page was found before is told by indexes, however many finds a topic has.
func TestFindsAreLookedUp(t *testing.T) {
	s, _ := mustStoreWithCrawl(t, Options{Starts: []string{benchURL(0)}})
	plans.NoFullScans(t, s.Readers, map[string][]any{"SELECT " + foundBefore: {1, benchURL(1), 7}})
	steps, err := db.Query(t.Context(), s.Readers, func(row db.Scanner) (step string, err error) {
		var id, parent, unused int
		return step, row.Scan(&id, &parent, &unused, &step)
	}, "EXPLAIN QUERY PLAN SELECT "+foundBefore, 1, benchURL(1), 7)
	all := strings.Join(steps, "\n")
	if err != nil || !strings.Contains(all, "fetches_text (text_hash=?)") || !strings.Contains(all, "(topic_id=? AND url=?)") {
		t.Errorf("%v\n%s", err, all)
	}
}
