package rehearsal

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"nightjar/model"
	"nightjar/model/webgraph"
)

// wordsOf is the text of page n of a made-up site: about ferns when it is useful.
func wordsOf(n int, useful bool) string {
	if useful {
		return fmt.Sprintf("Ferns grow in shade, frond number%d, spores and moss of the old wood.", n)
	}
	return fmt.Sprintf("Weather and news of the town, number%d, market and traffic of the week.", n)
}

// pageLoad is a visit to page n of the made-up site.
func pageLoad(n int, useful bool, links ...string) webgraph.Load {
	l := webgraph.Load{ID: fmt.Sprint("load ", n), URL: address(n), Site: "session.test", Title: fmt.Sprint("Page ", n), Text: wordsOf(n, useful), Target: useful}
	for _, to := range links {
		l.Links = append(l.Links, webgraph.Link{URL: to, Anchor: "on to " + strings.TrimPrefix(to, "https://session.test/")})
	}
	return l
}

// spelled is another address of page n, which redirects to it.
func spelled(n, way int) string { return fmt.Sprintf("https://session.test/go-%d-%d", way, n) }

// redirecting is a session whose pages link to each other by five addresses each, of which four redirect.
func redirecting() []webgraph.Load {
	const pages = 40
	var loads []webgraph.Load
	for n := range pages {
		var links []string
		for k := range 5 {
			links = append(links, spelled((2*n+k)%pages, k))
		}
		l := pageLoad(n, n%5 == 4, append(links, address((3*n+7)%pages))...)
		for way := range 5 {
			l.Aliases = append(l.Aliases, spelled(n, way))
		}
		loads = append(loads, l)
	}
	return loads
}

// framed is a session with pages that are reached through framesets only: page n of the contents links to the frameset n,
// whose frames are a bar and a page.
func framed() []webgraph.Load {
	var contents []string
	var loads []webgraph.Load
	for n := range 12 {
		set := fmt.Sprintf("https://session.test/set-%d", n)
		contents = append(contents, set)
		bar, inner := pageLoad(100+n, false), pageLoad(200+n, n%2 == 0, address(300+n))
		bar.Parent, bar.Kind, inner.Parent, inner.Kind = set, webgraph.Frame, set, webgraph.Frame
		loads = append(loads, webgraph.Load{ID: set, URL: set, Site: "session.test"}, bar, inner, pageLoad(300+n, false))
	}
	return append([]webgraph.Load{pageLoad(0, false, contents...)}, loads...)
}

// wandering is a session of random pages, framesets and links by addresses that may redirect.
func wandering(seed uint64) []webgraph.Load {
	rng := rand.New(rand.NewPCG(seed, 7))
	pages := 20 + rng.IntN(60)
	somewhere := func() string {
		n := rng.IntN(pages)
		return []string{address(n), spelled(n, rng.IntN(3)), fmt.Sprintf("https://session.test/set-%d", n/4)}[rng.IntN(3)]
	}
	var loads []webgraph.Load
	for n := range pages {
		var links []string
		for range rng.IntN(6) {
			links = append(links, somewhere())
		}
		l := pageLoad(n, rng.IntN(4) == 0, links...)
		for range rng.IntN(3) {
			l.Aliases = append(l.Aliases, spelled(n, rng.IntN(3)))
		}
		if set := fmt.Sprintf("https://session.test/set-%d", n/4); n%4 == 1 {
			loads = append(loads, webgraph.Load{ID: set, URL: set, Site: "session.test"})
			l.Parent, l.Kind = set, webgraph.Frame
		} else if n%4 == 2 && rng.IntN(2) == 0 {
			l.Parent, l.Kind = set, webgraph.Frame
		}
		loads = append(loads, l)
	}
	return loads
}

// TestReachedByLinks rehearses sessions with addresses that redirect and with frames. What can be reached is what the links of
// the session's graph lead to, and the report with the rehearsal passes its own check.
func TestReachedByLinks(t *testing.T) {
	sessions := map[string][]webgraph.Load{"redirects": redirecting(), "frames": framed()}
	for seed := range uint64(8) {
		sessions[fmt.Sprint("wandering ", seed)] = wandering(seed)
	}
	for name, loads := range sessions {
		set := model.FromGraph("Ferns", webgraph.Build(loads), time.Unix(1_000_000, 0))
		set.Entries = []int{0}
		settings := model.DefaultSettings()
		r, err := Run(t.Context(), Input{Set: set, Settings: settings, Strategy: "link-value"}, nil)
		if err != nil || r.Why != "" {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		linked := map[int]bool{}
		for _, i := range order(set) {
			linked[i] = true
		}
		for f, held := range set.Folds(settings, maxFolds)[:len(r.Folds)] {
			reachable := 0
			for _, i := range held {
				if linked[i] {
					reachable++
				}
			}
			h := r.Folds[f]
			if h.Reachable != reachable || h.BreadthFirst.New != reachable {
				t.Errorf("%s, part %d: links lead to %d pages held back; counted %d, and the crawl in order found %d", name, f, reachable, h.Reachable, h.BreadthFirst.New)
			}
		}
		b, err := model.Train(t.Context(), set, settings, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		report := (&model.Report{Choice: b.Choice}).Rehearsed(r)
		if _, err := b.WithReport(report); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
