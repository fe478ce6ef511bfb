package crawls

import (
	"path/filepath"
	"slices"
	"testing"

	"nightjar/crawler/frontier"
	"nightjar/daemon/db/dbtest"
)

// TestUpdateOfQueue: the next night of a data folder of version 21 reads its queue best first, and gives new links higher numbers.
func TestUpdateOfQueue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 21)
	s := mustOpen(t, path)
	c := mustCreateCrawl(t, s, Crawl{TopicID: 26, ModelID: 26, Strategy: "hmm", Lasting: true, Options: Options{Starts: []string{"http://start.test/"}}})
	r, err := Resume(t.Context(), s.DB, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	next, more := r.Best(), true
	var got []string
	for more {
		if more, err = next(2, func(e frontier.Entry) { got = append(got, e.URL) }); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"http://start.test/"}
	for _, name := range []string{"best", "good", "none", "null", "worst", "copy"} {
		want = append(want, "http://ice.test/"+name)
	}
	if !slices.Equal(got, want) || c.Queue != 26 || r.LastSeq != 9 {
		t.Errorf("queue %d, last number %d: %v, want %v", c.Queue, r.LastSeq, got, want)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
