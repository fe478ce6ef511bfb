package trainingset

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
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
	case hasPhrase(p.title, title), len(title) > 2 && hasPhrase(p.body, title):
		return search.TitlePhrase
	case len(title) <= 2:
		return ""
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
		local := &Local{Store: s}
		for range 100 {
			title := sentence(r, 1+r.IntN(9))
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
			hits, err := local.Search(t.Context(), title, 1000)
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
			few, err := local.Search(t.Context(), title, 2)
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
	local := &Local{Store: s}
	got := func(title string) (all []string) {
		hits, err := local.Search(t.Context(), title, 10)
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

// realTitles are titles of references of ten papers.
func realTitles(t *testing.T) (all []string) {
	t.Helper()
	var papers []struct{ References []string }
	text, err := os.ReadFile("../document/testdata/titles.json")
	if err == nil {
		err = json.Unmarshal(text, &papers)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range papers {
		for _, r := range p.References {
			if len(words.List(r)) > search.ShortTitle {
				all = append(all, r)
			}
		}
	}
	return all
}

// On pages that have the words of real titles in any order, as registers and lists have, words near each other say nothing: at most
// about one in twenty titles may find a page by them, where most do without a comparison.
func TestNearBeatsUnrelatedTitles(t *testing.T) {
	path := storetest.Path(t)
	s := open(t, path)
	titles := realTitles(t)
	r := rand.New(rand.NewPCG(8, 8))
	var common, every []string
	for _, title := range append(strings.Split(unrelatedTitles, "\n"), titles...) {
		every = append(every, words.List(title)...)
	}
	for range 4000 {
		common = append(common, every[r.IntN(len(every))])
	}
	pages := map[string]storedPage{}
	for i := range 60 {
		var body []string
		for range 12 { // shuffled titles: each has its words near each other
			title := words.List(titles[r.IntN(len(titles))])
			if r.IntN(2) == 0 {
				all := strings.Split(strings.TrimSpace(unrelatedTitles), "\n")
				title = words.List(all[r.IntN(len(all))])
			}
			r.Shuffle(len(title), func(i, k int) { title[i], title[k] = title[k], title[i] })
			body = append(append(body, title...), common[r.IntN(len(common))])
		}
		pages[fmt.Sprintf("http://list.test/%d", i)] = storedPage{words.List("register"), body}
	}
	own := "Quokkas of the western archipelago"
	pages["http://own.test/"] = storedPage{words.List("archipelago"), words.List("in the archipelago, western, there live quokkas of some size")}
	index(t, s, path, pages)
	local := &Local{Store: s}
	found, before := 0, 0
	for _, title := range titles {
		has := func(hits []Hit) bool {
			return slices.ContainsFunc(hits, func(h Hit) bool { return h.Stage == search.TitleNear })
		}
		hits, err := local.Search(t.Context(), title, MaxHits)
		if err != nil {
			t.Fatal(err)
		}
		if has(hits) {
			found++
		}
		if all, err := search.FindTitle(t.Context(), s.DB, title, MaxHits, false); err != nil {
			t.Fatal(err)
		} else if slices.ContainsFunc(all, near) {
			before++
		}
	}
	if n := len(titles); before < n/2 || found > n/10 {
		t.Errorf("%d of %d titles find pages by words near each other, %d before they are compared", found, n, before)
	}
	if hits, err := local.Search(t.Context(), own, MaxHits); err != nil || len(hits) != 1 || hits[0].URL != "http://own.test/" {
		t.Errorf("%+v, %v", hits, err)
	}
}
