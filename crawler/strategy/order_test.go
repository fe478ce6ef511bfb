package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

// TestBestLinkFirst walks through a frontier with each strategy: what is popped is never worth less than what waits, also
// after the queue was valued anew.
func TestBestLinkFirst(t *testing.T) {
	for _, name := range slices.Concat(strategy.Names(), strategy.Variants()) {
		t.Run(name, func(t *testing.T) {
			s, err := strategy.NewWith(t.Context(), name, strategy.BundleFor(name), strategy.ThemesFor(name))
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(31, 8))
			f := frontier.New(0, nil)
			waiting := map[string]strategy.Priority{}
			f.Add(frontier.Entry{URL: "https://site0.test/0", Host: "site0.test"})
			for range 250 {
				e, _, ok := f.Pop(0, time.Time{})
				if !ok {
					break
				}
				f.Release(e.Host)
				for u, p := range waiting {
					if p.Compare(waiting[e.URL]) > 0 {
						t.Fatalf("%s with %v was popped before %s with %v", e.URL, waiting[e.URL], u, p)
					}
				}
				delete(waiting, e.URL)
				v := strategy.Visit{Page: randomPage(rng, e.URL), URL: e.URL, Note: e.Note, Start: e.Depth == 0, Parent: e.Path}
				j, err := s.Read(t.Context(), v)
				if err != nil {
					t.Fatal(err)
				}
				if l, learns := s.(strategy.Learner); learns && j.Reorder {
					value := func(e *frontier.Entry) strategy.Priority { return l.Priority(e.URL, e.Note) }
					f.Reorder(value)
					for u := range waiting {
						e, _ := f.Entry(u)
						waiting[u] = value(&e)
					}
				}
				for i, l := range v.Page.Links {
					child := frontier.Entry{URL: l.URL, Host: weburl.Host(l.URL), Priority: j.Priorities[i], Depth: e.Depth + 1, Path: j.Path}
					if j.Notes != nil {
						child.Note = j.Notes[i]
					}
					if f.Add(child) != frontier.Ignored {
						waiting[l.URL] = child.Priority
					}
				}
			}
		})
	}
}

// randomPage has words of the tests' model and links to a small web.
func randomPage(rng *rand.Rand, url string) *page.Page {
	list := strings.Fields("hockey puck rink university campus degree recipe oven cake garden soil seed")
	p := &page.Page{URL: url}
	for range 12 {
		p.Text += list[rng.IntN(len(list))] + " "
	}
	for range 1 + rng.IntN(6) {
		n := rng.IntN(600)
		p.Links = append(p.Links, page.Link{URL: fmt.Sprintf("https://site%d.test/%d", n%7, n), Anchor: list[rng.IntN(len(list))]})
	}
	return p
}

// TestNoWayToFetch: strategies import nothing that reaches the network or files, nor what of the crawler does.
func TestNoWayToFetch(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{join .Imports \"\\n\"}}", "nightjar/crawler/strategy").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	imports := strings.Fields(string(out))
	if !slices.Contains(imports, "nightjar/model") {
		t.Fatalf("go list knows %v, not the model", imports)
	}
	own := []string{"nightjar/crawler/feature", "nightjar/crawler/linktext", "nightjar/crawler/page", "nightjar/crawler/weburl"}
	for _, p := range imports {
		if p == "net" || p == "os" || p == "io" || strings.HasPrefix(p, "net/http") || strings.HasPrefix(p, "nightjar/") && !slices.Contains(own, p) && !strings.HasPrefix(p, "nightjar/model") {
			t.Errorf("strategies import %s", p)
		}
	}
}
