package trainingset

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/morning/search"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// mixed are words of made-up pages: common and rare ones, other scripts, and what FTS5 has a meaning for.
var mixed = strings.Fields(`the of crawling crawlers web focused graph graphs AND OR NOT NEAR title:x "quote * ^ ( ) 日本語 Sévérn severn c++ 42`)

func sentence(r *rand.Rand, n int) string {
	var all []string
	for range n {
		all = append(all, mixed[min(r.IntN(len(mixed)), r.IntN(len(mixed)))])
	}
	return strings.Join(all, " ")
}

type storedPage struct{ title, body []string }

// index puts pages into the index of a store.
func index(t *testing.T, s *store.Store, path string, pages map[string]storedPage) {
	t.Helper()
	urls, err := json.Marshal(slices.Collect(maps.Keys(pages)))
	if err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, path, `INSERT INTO search_queue (url) SELECT value FROM json_each(?)`, string(urls))
	waiting, err := search.Queue(t.Context(), s.DB, 10_000)
	if err != nil || len(waiting) != len(pages) {
		t.Fatalf("%d wait, %v", len(waiting), err)
	}
	var all []search.Words
	for _, w := range waiting {
		p := pages[w.URL]
		w.Title, w.FetchID = strings.Join(p.title, " "), 1
		all = append(all, search.Words{Source: w, TitleWords: strings.Join(p.title, " "), BodyWords: strings.Join(p.body, " "),
			AddressWords: "focused web crawl"}) // the address is no part of what a page says
	}
	if err := search.Put(t.Context(), s.DB, all); err != nil {
		t.Fatal(err)
	}
}

func set(all []string) map[string]bool {
	has := map[string]bool{}
	for _, w := range all {
		has[w] = true
	}
	return has
}

func hasPhrase(text, phrase []string) bool {
	for i := 0; i+len(phrase) <= len(text); i++ {
		if slices.Equal(text[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}

// hasNear tries every window of gap+2 words.
func hasNear(text []string, all map[string]bool, gap int) bool {
	for i := range text {
		in := set(text[i:min(len(text), i+gap+2)])
		n := 0
		for w := range all {
			if in[w] {
				n++
			}
		}
		if n == len(all) {
			return true
		}
	}
	return false
}

// stageOf says which stage finds a page, by reading it.
func stageOf(p storedPage, title []string) string {
	all := set(title)
	switch {
	case hasPhrase(p.title, title), hasPhrase(p.body, title):
		return search.TitlePhrase
	case hasNear(p.title, all, 30), hasNear(p.body, all, 30):
		return search.TitleNear
	}
	return ""
}

// TestLocalOracle compares what random titles find in random pages with what a reader of all pages finds.
func TestLocalOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	seen := map[string]int{}
	for range 4 {
		path := storetest.Path(t)
		s := open(t, path)
		pages := map[string]storedPage{}
		for i := range 60 {
			pages[fmt.Sprintf("http://a.test/%d", i)] = storedPage{words.List(sentence(r, r.IntN(5))), words.List(sentence(r, r.IntN(60)))}
		}
		index(t, s, path, pages)
		for range 100 {
			title := sentence(r, 1+r.IntN(7))
			list := words.List(title)
			want := map[string]string{}
			for _, stage := range []string{search.TitlePhrase, search.TitleNear} {
				if len(want) >= 3 || len(list) == 0 {
					break
				}
				for url, p := range pages {
					if stageOf(p, list) == stage {
						want[url] = stage
					}
				}
			}
			hits, err := Local{s}.Search(t.Context(), title, 1000)
			if err != nil {
				t.Fatalf("%q: %v", title, err)
			}
			last := ""
			for _, h := range hits {
				if want[h.URL] != h.Stage {
					t.Fatalf("%q: %s by %q, want %q; the page is %q", title, h.URL, h.Stage, want[h.URL], pages[h.URL])
				}
				if order := []string{search.TitlePhrase, search.TitleNear}; slices.Index(order, h.Stage) < slices.Index(order, last) {
					t.Fatalf("%q: %s after %s", title, h.Stage, last)
				}
				last = h.Stage
				seen[h.Stage]++
			}
			if len(hits) != len(want) {
				t.Fatalf("%q: %d hits, want %d", title, len(hits), len(want))
			}
			few, err := Local{s}.Search(t.Context(), title, 2)
			if err != nil || !slices.Equal(few, hits[:min(2, len(hits))]) {
				t.Fatalf("%q: %+v, %v; want the first of %+v", title, few, err, hits)
			}
		}
	}
	for _, stage := range []string{search.TitlePhrase, search.TitleNear} {
		if seen[stage] < 50 {
			t.Errorf("%d hits by %s: the test proves little", seen[stage], stage)
		}
	}
}

// A page that has the words in its title comes before one that has them in its text, whatever the title tries.
func TestLocalOrder(t *testing.T) {
	path := storetest.Path(t)
	s := open(t, path)
	filler := words.List(strings.Repeat("snow melts on the hill ", 10))
	focused := words.List("focused crawling of the web")
	index(t, s, path, map[string]storedPage{
		"http://body.test/":  {words.List("snow"), slices.Concat(filler, focused)},
		"http://title.test/": {focused, filler},
		"http://other.test/": {words.List("hockey"), filler},
		"http://most.test/":  {words.List("web crawling, focused"), filler},
		"http://far.test/":   {words.List("focused crawling of"), slices.Concat(focused[:3], filler, focused[3:])},
		"http://near.test/":  {words.List("the web"), words.List("crawling of the web that is focused")},
	})
	got := func(title string) (all []string) {
		hits, err := Local{s}.Search(t.Context(), title, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			all = append(all, h.URL+" "+h.Stage)
		}
		return all
	}
	// Most of the words are not enough, nor are all of them far apart.
	want := []string{"http://title.test/ phrase", "http://body.test/ phrase", "http://near.test/ near"}
	for _, title := range []string{"Focused Crawling of the Web", `"Focused" crawling: of the (web) *`} {
		if all := got(title); !slices.Equal(all, want) {
			t.Errorf("%s: %q", title, all)
		}
	}
	for _, title := range []string{"", `" ^ * ()`, "unknown", strings.Repeat("unknown ", 500)} {
		if all := got(title); len(all) != 0 {
			t.Errorf("%.20q finds %q", title, all)
		}
	}
}
