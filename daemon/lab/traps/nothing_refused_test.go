//go:build measure

package traps_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/recording"
)

// TestRecordingsAreNoTraps crawls recordings of real sites, which have only good pages: the guard refuses at most one in
// ten of those on the hosts of the start pages. TestDeadLinksAreNoTrap crawls a made-up web.
func TestRecordingsAreNoTraps(t *testing.T) {
	root := os.Getenv("NIGHTJAR_CORPORA")
	if root == "" {
		t.Skip("left out: NIGHTJAR_CORPORA does not name the folder of recorded webs")
	}
	for _, tt := range []struct {
		glob  string
		start string // "" for the first page of each host
	}{
		{"wikispeedia/articles.warc.gz", ""},
		{"docs/*.warc.gz", ""},
		{"webkb/cornell.warc.gz", "http://www.cs.cornell.edu/"},
		{"webkb/washington.warc.gz", "http://www.cs.washington.edu/"},
	} {
		files, _ := filepath.Glob(filepath.Join(root, tt.glob))
		r, _, err := recording.Open(files)
		if err != nil {
			t.Fatal(err)
		}
		starts := []string{tt.start}
		if tt.start == "" {
			starts = firstOfEachHost(r.Pages())
		}
		for _, budget := range []int{300, 2000} {
			crawled := func(g *trap.Guard) int {
				got, err := crawler.Run(t.Context(), r, inOrder{}, crawler.Options{Starts: starts, Budget: crawler.Budget{Pages: budget}, Trap: g})
				if err != nil {
					t.Fatal(err)
				}
				return got.Fetched
			}
			all, guarded := crawled(nil), crawled(trap.New(trap.Options{Pages: budget, Starts: starts}))
			t.Logf("%s, budget %d: %d pages of %d with a guard", tt.glob, budget, guarded, all)
			if guarded*10 < all*9 {
				t.Errorf("%s, budget %d: the guard lets through %d pages of %d", tt.glob, budget, guarded, all)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// inOrder follows links in the order in which they are found.
type inOrder struct{}

func (inOrder) Name() string { return "in order" }

func (inOrder) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	return strategy.Judgement{Cluster: -1, Priorities: slices.Repeat([]strategy.Priority{{0}}, len(v.Page.Links))}, nil
}

func firstOfEachHost(urls []string) (first []string) {
	seen := map[string]bool{}
	for _, u := range urls {
		if host := weburl.Host(u); !seen[host] && !strings.Contains(u, "?") {
			seen[host] = true
			first = append(first, u)
		}
	}
	return first
}
