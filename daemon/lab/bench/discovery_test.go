package bench

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
)

// fetched is a fetch that ends at a URL, with so many pages of budget used by then, and queues links.
func fetched(n, cost int, url string, queued ...string) *crawler.Fetch {
	f := &crawler.Fetch{FinalURL: url, Cost: cost, Totals: crawler.Totals{Fetched: n}}
	for _, to := range queued {
		f.Queued = append(f.Queued, frontier.Entry{URL: to})
	}
	return f
}

// TestTracker follows five relevant pages: one is a start page, one is linked by another address, one is only seen, one is
// fetched by an address that nobody queued, and one is never seen.
func TestTracker(t *testing.T) {
	const at = "http://a.test/"
	tr := newTracker(map[string]string{
		at + "start": at + "start", at + "page": at + "page", at + "old": at + "page", at + "seen": at + "seen",
		at + "sudden": at + "sudden", at + "never": at + "never",
	}, []string{at + "start", at + "other"})
	tr.add(fetched(1, 1, at+"other", at+"x", at+"old"), false)
	tr.add(fetched(2, 1, at+"start", at+"page", at+"seen"), true) // page is known by its other address
	tr.add(fetched(2, 0, at+"gone"), false)                       // which cost nothing
	tr.add(fetched(3, 1, at+"x", at+"seen"), false)
	tr.add(fetched(4, 1, at+"page"), true)
	tr.add(fetched(5, 1, at+"sudden"), true)
	var got []string
	for url, s := range tr.pages {
		got = append(got, fmt.Sprint(url[len(at):], *s))
	}
	slices.Sort(got)
	want := []string{"never{-1 -1}", "page{1 3}", "seen{2 -1}", "start{0 1}", "sudden{4 4}"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := len(tr.sightings()); n != 5 {
		t.Errorf("%d sightings", n)
	}
}

// TestFruitless counts the pages of folders with 15 pages or more that brought nothing.
func TestFruitless(t *testing.T) {
	tr := newTracker(map[string]string{"http://a.test/good/7": "http://a.test/good/7"}, nil)
	n := 0
	visit := func(url string, cost int) {
		n += cost
		tr.add(fetched(n, cost, url), url == "http://a.test/good/7")
	}
	for i := range 15 {
		visit(fmt.Sprintf("http://a.test/bad/%d", i), 1)
		visit(fmt.Sprintf("http://a.test/good/%d", i), 1)
		visit(fmt.Sprintf("http://a.test/free/%d", i), 0)
		visit(fmt.Sprintf("http://b.test/query/?page=%d/x#/y", i), 1)
		if i > 0 {
			visit(fmt.Sprintf("http://a.test/few/%d", i), 1)
			visit(fmt.Sprintf("http://a.test/bad/%d/", i), 1) // each a folder of its own
		}
	}
	if got := tr.fruitless(); got != 30 { // bad and query
		t.Errorf("%d pages in fruitless folders, want 30", got)
	}
}

func TestDiscovery(t *testing.T) {
	runs := []*run{
		{Sightings: []sighting{{0, 10}, {20, 30}, {40, -1}, {-1, -1}}, Fruitless: 20},
		{Sightings: []sighting{{60, 90}, {-1, -1}, {-1, -1}, {-1, -1}}, Fruitless: 31},
	}
	want := Discovery{NeverSeen: .5, NotFetched: .125, Fetched: .375, FirstSeen: Quartiles{.15, .3, .45}, Wait: Quartiles{.1, .1, .2}, Fruitless: 25.5}
	got := discovery(100, runs)
	for k := range 3 { // of interpolated values only so many digits count
		got.FirstSeen[k], got.Wait[k] = math.Round(got.FirstSeen[k]*1e9)/1e9, math.Round(got.Wait[k]*1e9)/1e9
	}
	if *got != want {
		t.Errorf("got %+v, want %+v", *got, want)
	}
	if d := discovery(100, []*run{{}}); d != nil {
		t.Errorf("of no relevant pages: %+v", d)
	}
	none := discovery(100, []*run{{Sightings: []sighting{{-1, -1}}}})
	if none.NeverSeen != 1 || none.FirstSeen != (Quartiles{}) || none.Wait != (Quartiles{}) {
		t.Errorf("of pages never seen: %+v", none)
	}
}

// TestDiscoveryOfACrawl measures a breadth-first crawl whose ways are known.
func TestDiscoveryOfACrawl(t *testing.T) {
	dir := madeUp(t)
	const at = "http://tiny.test/"
	pages := []string{at, at + "one", at + "two", at + "far", at + "farther"}
	record(t, dir, "tiny.warc.gz", pages, map[string][]string{
		at: {"/one", "/none", "/two"}, at + "two": {"/far"}, at + "far": {"/farther"},
	})
	write(t, dir, "tiny.labels.tsv", at+"one\tfine\n"+at+"far\tfine\n"+at+"farther\tfine\n")
	task := Task{
		Name: "tiny", Corpus: []string{"tiny.warc.gz"}, Labels: []string{"tiny.labels.tsv"}, Relevant: []string{"fine"}, Sessions: []string{"one.session.jsonl"},
		Starts: pages[:1], Budget: 4, Strategies: []string{"breadth-first"},
	}
	for missing, want := range map[string]Discovery{
		// one: seen after 1, fetched after 1; far: seen after 3, fetched after 3; farther: seen after 4.
		Free: {NotFetched: 1. / 3, Fetched: 2. / 3, FirstSeen: Quartiles{.5, .75, .875}},
		// one as before; none costs a page: far is seen after 4; farther never.
		Cost: {NeverSeen: 1. / 3, NotFetched: 1. / 3, Fetched: 1. / 3, FirstSeen: Quartiles{.4375, .625, .8125}},
	} {
		if got := mustRun(t, runner(t, dir), task, missing).named(t, "breadth-first").Discovery; got == nil || *got != want {
			t.Errorf("%s: %+v, want %+v", missing, got, want)
		}
	}
	if o := mustRun(t, runner(t, dir), task, Free).named(t, Oracle); o.Discovery != nil || o.Finds != nil {
		t.Errorf("the oracle has %+v, %+v", o.Discovery, o.Finds)
	}
}
